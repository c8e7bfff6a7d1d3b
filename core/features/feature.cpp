// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/feature.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

StageMemory::StageMemory(const std::vector<Stage> &stages) {
    std::vector<std::int64_t> places;
    std::size_t end = ISOVMAF_TAPS_WORDS_PER_STAGE * stages.size();
    for (const Stage &stage : stages) {
        places.insert(places.end(), {static_cast<std::int64_t>(end), stage.width});
        size_.push_back(static_cast<std::size_t>(stage.width) * static_cast<std::size_t>(stage.height));
        end += size_.back();
    }
    words_ = std::move(places);
    words_.resize(end);
}

std::span<const std::int64_t> StageMemory::plane(std::size_t stage) const {
    const std::int64_t place = words_[ISOVMAF_TAPS_WORDS_PER_STAGE * stage];
    return words().subspan(static_cast<std::size_t>(place), size_[stage]);
}

HostPicture::HostPicture(const Frame &frame) : format_(frame.format()) {
    for (int p = 0; p < format_.plane_count(); p++)
        planes_[static_cast<std::size_t>(p)] = frame.plane(p);
}

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
