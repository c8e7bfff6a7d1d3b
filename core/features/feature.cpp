// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/feature.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

std::string_view exactness_name(Exactness exactness) {
    switch (exactness) {
    case Exactness::bitwise:
        return "bitwise";
    }
    return "";
}

std::vector<std::int64_t> kept_words(const FeaturePlan &plan, std::vector<std::int64_t> extracted) {
    if (!plan.completion)
        return extracted;
    std::vector<std::int64_t> kept(plan.words.size());
    plan.completion->complete(extracted, kept);
    return kept;
}

Result<void> check_size(const FeatureDescriptor &feature, const VideoFormat &format) {
    if (std::min(format.width, format.height) < feature.smallest_side)
        return fail(ErrorCode::unsupported,
                    fmt::format("feature {} needs pictures of at least {}x{}, but the video is {}x{}", feature.name,
                                feature.smallest_side, feature.smallest_side, format.width, format.height));
    return {};
}

std::string request_text(const FeatureDescriptor &feature, std::string_view options) {
    return fmt::format("{}{}{}", feature.name, options.empty() ? "" : ":", options);
}

} // namespace isovmaf
