// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/swscale.hpp"

#include <new>

#include <fmt/format.h>

#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"

namespace isovmaf {

SwsHandle open_swscale(const SwsSettings &settings) {
    const LibavLog quiet;
    SwsHandle context(sws_alloc_context());
    if (!context)
        throw std::bad_alloc();
    av_opt_set(context.get(), "sws_flags", settings.flags, 0);
    for (const auto &[name, value] : settings.numbers)
        av_opt_set_int(context.get(), name, value, 0);
    return sws_init_context(context.get(), nullptr, nullptr) < 0 ? nullptr : std::move(context);
}

Result<Frame> run_swscale(SwsContext &context, const SwsPicture &picture, FramePool &pool, const std::string &name) {
    const WritableFrame written = pool.take();
    std::array<std::uint8_t *, 4> out{};
    std::array<int, 4> out_stride{};
    const VideoFormat &format = written.frame.format();
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        out[p] = reinterpret_cast<std::uint8_t *>(written.data[p]);
        out_stride[p] = static_cast<int>(written.stride_bytes[p]);
    }
    const int rows = sws_scale(&context, picture.data.data(), picture.stride_bytes.data(), 0, picture.height,
                               out.data(), out_stride.data());
    if (rows != format.height)
        return fail(ErrorCode::internal, fmt::format("libswscale gave {} rows instead of {} for a picture of {}", rows,
                                                     format.height, name));
    return written.frame;
}

} // namespace isovmaf
