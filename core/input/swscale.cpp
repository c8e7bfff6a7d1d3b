// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/swscale.hpp"

#include <utility>

#include <fmt/format.h>

namespace isovmaf {

Result<Frame> run_swscale(SwsContext &context, const SwsPicture &picture, const VideoFormat &format, FramePool &pool,
                          const std::string &name) {
    const WritableFrame written = pool.take();
    std::array<std::uint8_t *, 4> out{};
    std::array<int, 4> out_stride{};
    std::array<const std::byte *, 3> data{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        out[p] = reinterpret_cast<std::uint8_t *>(written.data[p]);
        out_stride[p] = static_cast<int>(written.stride_bytes[p]);
        data[p] = written.data[p];
    }
    const int rows = sws_scale(&context, picture.data.data(), picture.stride_bytes.data(), 0, picture.height,
                               out.data(), out_stride.data());
    if (rows != format.height)
        return fail(ErrorCode::internal, fmt::format("libswscale gave {} rows instead of {} for a picture of {}", rows,
                                                     format.height, name));
    auto owner = std::make_shared<const Frame>(written.frame);
    return Frame(format, std::move(owner), data, written.stride_bytes);
}

} // namespace isovmaf
