// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/feature.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

std::vector<std::size_t> numbers_of(const std::vector<Stage> &stages) {
    std::vector<std::size_t> numbers(stages.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

} // namespace

StageMemory::StageMemory(const std::vector<Stage> &stages) : StageMemory(stages, numbers_of(stages)) {}

StageMemory::StageMemory(const std::vector<Stage> &stages, std::span<const std::size_t> kept) {
    std::vector<std::int64_t> places;
    std::size_t end = ISOVMAF_TAPS_WORDS_PER_STAGE * stages.size(), lost_row = 0;
    const std::size_t first = end;
    for (std::size_t stage = 0; stage < stages.size(); stage++) {
        const auto width = static_cast<std::size_t>(stages[stage].width);
        const bool has_plane = std::ranges::find(kept, stage) != kept.end();
        if (!has_plane)
            lost_row = std::max(lost_row, width);
        size_.push_back(has_plane ? width * static_cast<std::size_t>(stages[stage].height) : 0);
    }
    end += lost_row;
    for (std::size_t stage = 0; stage < stages.size(); stage++) {
        const bool has_plane = size_[stage] > 0;
        places.insert(places.end(),
                      {static_cast<std::int64_t>(has_plane ? end : first), has_plane ? stages[stage].width : 0});
        end += size_[stage];
    }
    words_ = std::move(places);
    words_.resize(end);
}

std::span<const std::int64_t> StageMemory::plane(std::size_t stage) const {
    const std::int64_t place = words_[ISOVMAF_TAPS_WORDS_PER_STAGE * stage];
    return words().subspan(static_cast<std::size_t>(place), size_[stage]);
}

std::uint16_t StageMap::sample(std::int64_t word) const {
    constexpr double largest_sample = 65535;
    const float value = f32_of(word);
    if (value == 0) // also where `largest` is 0
        return 0;
    return static_cast<std::uint16_t>(static_cast<std::uint32_t>(value * (largest_sample / largest)));
}

HostPicture::HostPicture(const Frame &frame) : format_(frame.format()) {
    for (int p = 0; p < format_.plane_count(); p++) {
        planes_[static_cast<std::size_t>(p)] = frame.plane(p);
        stored_planes_[static_cast<std::size_t>(p)] = frame.stored_plane(p);
    }
}

std::string stored_name(const OutputSpec &output, const OptionSet &options) {
    return output.naming == Naming::plain ? std::string(output.base_name)
                                          : stored_name(output.base_name, output.alias, options);
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

FeatureNeeds needs_of(const FeatureDescriptor &feature, const VideoFormat &format, const OptionSet &options) {
    return feature.needs ? feature.needs(format, options) : FeatureNeeds{};
}

Result<void> check_needs(const FeatureDescriptor &feature, const VideoFormat &format, const OptionSet &options) {
    const std::string subject = fmt::format("feature {}", feature.name);
    const FeatureNeeds needs = needs_of(feature, format, options);
    if (!needs.shape.empty()) { // what is too small in any shape is told as such
        VideoFormat any_size = format;
        any_size.width = any_size.height = 0;
        FeatureNeeds smallest = needs_of(feature, any_size, options);
        smallest.shape = {};
        TRY(check_needs(smallest, subject, format));
    }
    return check_needs(needs, subject, format);
}

bool has_needed_shape(const FeatureDescriptor &feature, const VideoFormat &format, const OptionSet &options) {
    const FeatureNeeds needs = needs_of(feature, format, options);
    return needs.shape.empty() || (format.width >= needs.width && format.height >= needs.height);
}

namespace {

constexpr std::array every_chroma{Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444};

std::string size_text(const FeatureNeeds &needs) {
    const std::string both = needs.width > 1 || needs.height > 1 || needs.longer_side == 1
                                 ? fmt::format("from {}x{}", needs.width, needs.height)
                                 : "";
    const std::string longer = needs.longer_side > 1 ? fmt::format("with a side from {}", needs.longer_side) : "";
    return both + (both.empty() || longer.empty() ? "" : " ") + longer;
}

std::string_view planes_text(PlaneUse planes) {
    return planes == PlaneUse::luma ? "luma" : planes == PlaneUse::chroma ? "chroma" : "luma and chroma";
}

std::string_view sides_text(SideUse sides) {
    return sides == SideUse::both ? "" : sides == SideUse::reference ? " of the reference" : " of the distorted video";
}

} // namespace

std::string needs_text(const FeatureDescriptor &feature) {
    const OptionSet defaults(feature.options);
    std::vector<std::string> sizes;   // different ones
    std::vector<std::string> formats; // that have them: "4:2:0 and 4:2:2"
    for (const Chroma chroma : every_chroma) {
        const FeatureNeeds needs = needs_of(feature, {.chroma = chroma}, defaults);
        if (chroma == Chroma::k400 && needs.chroma)
            continue;
        const auto same = std::ranges::find(sizes, size_text(needs));
        if (same == sizes.end()) {
            sizes.push_back(size_text(needs));
            formats.emplace_back(chroma_text(chroma));
        } else {
            formats[static_cast<std::size_t>(same - sizes.begin())] += fmt::format(" and {}", chroma_text(chroma));
        }
    }
    if (sizes.size() > 1)
        for (std::size_t i = 0; i < sizes.size(); i++)
            sizes[i] += " in " + formats[i];
    const FeatureNeeds needs = needs_of(feature, {.chroma = Chroma::k444}, defaults);
    return fmt::format("reads {}{}, {}{}{}, at {} bit{}", planes_text(needs.planes), sides_text(needs.sides),
                       fmt::join(sizes, ", "), needs.shape.empty() ? "" : ", ", needs.shape, needs.depths.text(),
                       needs.chroma ? "; not 4:0:0" : "");
}

SmallestPicture smallest_picture(const FeatureDescriptor &feature, const OptionSet &options) {
    SmallestPicture smallest;
    for (const Chroma chroma : every_chroma) {
        const FeatureNeeds needs = needs_of(feature, {.chroma = chroma}, options);
        if (chroma == Chroma::k400 && needs.chroma)
            continue;
        smallest.side = std::max({smallest.side, needs.width, needs.height});
        smallest.longer_side = std::max(smallest.longer_side, needs.longer_side);
    }
    return smallest;
}

bool has_kernels(const FeatureDescriptor &feature) {
    const OptionSet defaults(feature.options);
    const int side = smallest_picture(feature, defaults).square();
    const Result<FeaturePlan> plan = make_feature_plan(feature, {{.width = side, .height = side}}, {&defaults, 1});
    return plan && plan->gpu;
}

Result<FeaturePlan> make_feature_plan(const FeatureDescriptor &feature, const PlanContext &context,
                                      std::span<const OptionSet> option_sets) {
    FeatureNeeds together = needs_of(feature, context.format, option_sets.front());
    for (const OptionSet &options : option_sets) {
        TRY(check_needs(feature, context.format, options));
        const FeatureNeeds needs = needs_of(feature, context.format, options);
        together.planes = both_uses(together.planes, needs.planes);
        together.sides = both_uses(together.sides, needs.sides);
    }
    FeaturePlan plan = TRY(feature.plan(context, option_sets));
    plan.planes = together.planes;
    plan.sides = together.sides;
    return plan;
}

std::string request_text(const FeatureDescriptor &feature, std::string_view options) {
    return fmt::format("{}{}{}", feature.name, options.empty() ? "" : ":", options);
}

} // namespace isovmaf
