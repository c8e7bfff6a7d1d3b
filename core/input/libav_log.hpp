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

/// The errors that libavcodec logs about one decoder. The first LibavLog of a process takes over libav's log for good:
/// nothing is printed any more, what matters is in our errors as one sentence each.
class LibavLog {
  public:
    LibavLog();
    ~LibavLog();
    LibavLog(const LibavLog &) = delete;
    LibavLog &operator=(const LibavLog &) = delete;

    /// Listens to `context`, through its `opaque`, which copies for decoding threads share.
    void watch(AVCodecContext &context) { context.opaque = this; }

    /// Whether there was an error since the last `take` or `clear`.
    [[nodiscard]] bool any();
    void clear() { (void)take(); }

    /// First error since the last `take` or `clear`; empty when there was none.
    [[nodiscard]] std::string take();

  private:
    static void receive(void *context, int level, const char *format, va_list arguments);

    std::mutex mutex_;
    std::array<char, 160> text_{}; ///< fixed, because libav calls from wherever it is, out of memory included
};

} // namespace isovmaf
