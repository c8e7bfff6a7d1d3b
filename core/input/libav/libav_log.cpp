// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_log.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// The logs that exist. Other users of libav in this process have decoders whose `opaque` is no LibavLog.
struct Listeners {
    std::mutex mutex;
    std::vector<const void *> known;
};

/// Never destroyed, because libav may log until the process has ended.
Listeners &listeners() {
    static auto &all = *new Listeners;
    return all;
}

} // namespace

std::string libav_error_text(int error) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(error, text.data(), text.size());
    return text.data();
}

LibavLog::LibavLog() {
    const std::scoped_lock lock(listeners().mutex);
    listeners().known.push_back(this);
    av_log_set_callback(receive);
}

LibavLog::~LibavLog() {
    const std::scoped_lock lock(listeners().mutex);
    std::erase(listeners().known, this);
}

void LibavLog::receive(void *context, int level, const char *format, va_list arguments) {
    if (!context || level > AV_LOG_ERROR || *static_cast<const AVClass *const *>(context) != avcodec_get_class())
        return;
    const std::scoped_lock lock(listeners().mutex);
    void *const opaque = static_cast<const AVCodecContext *>(context)->opaque;
    if (std::ranges::find(listeners().known, opaque) == listeners().known.end())
        return;
    LibavLog &log = *static_cast<LibavLog *>(opaque);
    const std::scoped_lock text_lock(log.mutex_);
    if (log.text_.front() == '\0')
        std::vsnprintf(log.text_.data(), log.text_.size(), format, arguments);
}

bool LibavLog::any() {
    const std::scoped_lock lock(mutex_);
    return text_.front() != '\0';
}

std::string LibavLog::take() {
    const std::scoped_lock lock(mutex_);
    std::string text = text_.data();
    text_.front() = '\0';
    text.erase(std::find(text.begin(), text.end(), '\n'), text.end());
    return text;
}

} // namespace isovmaf
