// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/needs.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf {

std::string BitDepths::text() const {
    std::vector<int> depths;
    for (int depth = least; depth <= greatest; depth++)
        if (contains(depth))
            depths.push_back(depth);
    if (depths.size() < 2)
        return fmt::format("{}", fmt::join(depths, ""));
    if (depths.size() > 2 && depths.back() - depths.front() == static_cast<int>(depths.size()) - 1)
        return fmt::format("{} to {}", depths.front(), depths.back());
    return fmt::format("{} and {}", fmt::join(depths.begin(), depths.end() - 1, ", "), depths.back());
}

void need_all_planes(FeatureNeeds &needs, const VideoFormat &format) {
    needs.width = 1 << format.chroma_shift_x();
    needs.height = 1 << format.chroma_shift_y();
    needs.planes = PlaneUse::all;
    needs.advice = "set enable_chroma=false to compare luma alone";
}

Result<void> check_needs(const FeatureNeeds &needs, const std::string &subject, const VideoFormat &format) {
    const auto refuse = [&](const std::string &sentence) { return fail(ErrorCode::unsupported, subject + sentence); };
    if (!needs.depths.contains(format.bit_depth))
        return refuse(
            fmt::format(" is defined at {} bit, but the video has {} bit", needs.depths.text(), format.bit_depth));
    if (needs.chroma && format.chroma == Chroma::k400)
        return refuse(" reads chroma, but the video is 4:0:0, which has none");
    const std::string found = fmt::format(", but the video is {}x{}{}{}", format.width, format.height,
                                          needs.advice.empty() ? "" : ": ", needs.advice);
    if (format.width < needs.width || format.height < needs.height)
        return refuse((needs.shape.empty() ? fmt::format(" needs pictures of at least {}x{}", needs.width, needs.height)
                                           : fmt::format(" needs pictures with {}", needs.shape)) +
                      found);
    if (std::max(format.width, format.height) < needs.longer_side)
        return refuse(fmt::format(" needs pictures with a side of at least {}", needs.longer_side) + found);
    if (!needs.refusal.empty())
        return refuse(": " + needs.refusal);
    return {};
}

} // namespace isovmaf
