// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/content.hpp"

#include <fmt/ranges.h>

#include "base/try.hpp"
#include "diff/fills.hpp"
#include "frame/validate.hpp"

namespace isovmaf::diff {

std::span<const std::string_view> content_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const Fill &fill : fills())
            all.push_back(fill.name);
        return all;
    }();
    return names;
}

std::string_view content_summary(std::string_view fill) {
    const Fill *const found = find_fill(fill);
    return found ? found->summary : std::string_view{};
}

Result<FramePair> make_frame(const Content &content, int index) {
    const Fill *const fill = find_fill(content.fill);
    if (!fill)
        return fail(ErrorCode::not_found, fmt::format("there is no content \"{}\"; there are {}", content.fill,
                                                      fmt::join(content_names(), ", ")));
    TRY(validate_format(content.format));
    if (index < 0)
        return fail(ErrorCode::invalid_argument, fmt::format("frames are counted from 0, there is no frame {}", index));
    return fill->make({content.format, content.seed, index, fill->pitch});
}

std::string describe(const Content &content) {
    const VideoFormat &format = content.format;
    return fmt::format("{} of seed {}, {}x{}, {}, {} bit, {} frame{}", content.fill, content.seed, format.width,
                       format.height, chroma_text(format.chroma), format.bit_depth, content.frames,
                       content.frames == 1 ? "" : "s");
}

} // namespace isovmaf::diff
