// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdarg>
#include <mutex>
#include <string>

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace isovmaf {

/// libav's text for one of its error numbers.
[[nodiscard]] std::string libav_error_text(int error);

/// The errors that libavcodec logs about one decoder. The first LibavLog of a process redirects libav's log until the
/// process ends: libav prints nothing any more, and our errors carry the message that matters.
class LibavLog {
  public:
    LibavLog();
    ~LibavLog();
    LibavLog(const LibavLog &) = delete;
    LibavLog &operator=(const LibavLog &) = delete;

    /// Collects the errors of `context`, which its field `opaque` identifies, and of its copies for decoding threads.
    void watch(AVCodecContext &context) { context.opaque = this; }

    /// Whether there was an error since the last `take` or `clear`.
    [[nodiscard]] bool any();
    void clear() { (void)take(); }

    /// First error since the last `take` or `clear`; empty when there was none.
    [[nodiscard]] std::string take();

  private:
    static void receive(void *context, int level, const char *format, va_list arguments);

    std::mutex mutex_;
    std::array<char, 160> text_{}; ///< of fixed size, because libav logs also when memory is out
};

} // namespace isovmaf
