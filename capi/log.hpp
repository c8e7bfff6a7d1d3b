// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string_view>

#include "base/log.hpp"
#include "libvmaf/libvmaf.h"

namespace isovmaf::capi {

/// Prints messages on stderr, each as one line "libvmaf LEVEL text", if their level is high enough. Any number of
/// threads may print at once.
class Log {
  public:
    /// Prints messages up to `level`. A level beyond the enum is DEBUG. ISOVMAF_LOG, when it is set, replaces `level`.
    explicit Log(VmafLogLevel level);

    [[nodiscard]] VmafLogLevel level() const { return level_; }

    void error(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_ERROR, text); }
    void warning(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_WARNING, text); }
    void info(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_INFO, text); }
    void debug(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_DEBUG, text); }

    /// The sink for notices of the rest of isovmaf.
    [[nodiscard]] LogSink sink() const;

  private:
    void print(VmafLogLevel level, std::string_view text) const noexcept;

    VmafLogLevel level_;
};

/// The level that a value of ISOVMAF_LOG names: none, error, warning, info or debug.
[[nodiscard]] std::optional<VmafLogLevel> parse_log_level(std::string_view text);

/// The log of functions without a context: the level of the context that was created last, INFO before.
[[nodiscard]] Log process_log() noexcept;
void set_process_log(const Log &log) noexcept;

} // namespace isovmaf::capi
