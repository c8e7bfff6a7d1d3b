// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sizes, words and stages of SpEED: speed.md §2.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "features/speed/speed_options.hpp"
#include "features/speed/speed_taps.hpp"

namespace isovmaf {

namespace {

int scaled_size(int size, double prescale) { return static_cast<int>(size * prescale + 0.5); }

std::string_view source_name(SpeedSource source) {
    switch (source) {
    case SpeedSource::reference_cb:
        return "Cb of the reference";
    case SpeedSource::distorted_cb:
        return "Cb of the distorted picture";
    case SpeedSource::reference_cr:
        return "Cr of the reference";
    case SpeedSource::distorted_cr:
        return "Cr of the distorted picture";
    case SpeedSource::reference_change:
        return "change of the reference";
    case SpeedSource::distorted_change:
        return "change of the distorted picture";
    case SpeedSource::distorted_against_reference:
        return "change from the distorted picture to the reference";
    }
    return "";
}

std::string analysis_name(const SpeedAnalysis &analysis) {
    const auto &[kernelscale, prescale, method] = analysis.preparation;
    return fmt::format("{}{}{}", source_name(analysis.source),
                       kernelscale == 1 ? "" : fmt::format(", kernelscale {}", kernelscale),
                       prescale == 1 ? ""
                                     : fmt::format(", prescale {} {}", prescale,
                                                   speed_method_names[static_cast<std::size_t>(method)]));
}

std::vector<WordSpec> describe_extracted(const SpeedDemand &demand) {
    std::vector<WordSpec> specs;
    for (std::size_t i = 0; i < demand.analyses.size(); i++) {
        const std::string name = analysis_name(demand.analyses[i]);
        for (int k = 0; k < SPEED_VALUES; k++)
            specs.push_back({fmt::format("{}: eigenvalue {}", name, k), WordKind::f32, SumOrder::raster});
        for (int b = 0; b < demand.geometry(i).block_count(); b++)
            specs.push_back({fmt::format("{}: variance of block {}", name, b), WordKind::f32, SumOrder::raster});
        specs.push_back({fmt::format("{}: singular", name)});
    }
    return specs;
}

std::vector<WordSpec> describe_kept(const SpeedDemand &demand) {
    std::vector<WordSpec> specs;
    for (const SpeedComparison &comparison : demand.comparisons) {
        const SpeedAnalysis &distorted = demand.analyses[comparison.distorted];
        const std::string name =
            fmt::format("{}, sigma_nn {}, nn_floor {}, weight mode {}", analysis_name(distorted),
                        comparison.scoring.sigma_nn, comparison.scoring.nn_floor, comparison.scoring.weight_mode);
        specs.push_back({fmt::format("{}: score", name), WordKind::f32, SumOrder::raster});
        specs.push_back({fmt::format("{}: singular", name)});
    }
    return specs;
}

std::vector<Stage> describe_stages(const SpeedDemand &demand) {
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < demand.analyses.size(); i++) {
        const SpeedGeometry sizes = demand.geometry(i);
        const auto add = [&, name = analysis_name(demand.analyses[i])](const char *what, int width, int height) {
            stages.push_back({fmt::format("{}: {}", name, what), width, height, 0, 0, 0, 0, WordKind::f32});
        };
        add("decimated samples", sizes.kept_width, sizes.kept_height);
        add("samples without local mean", sizes.kept_width, sizes.kept_height);
        add("means", SPEED_VALUES, 1);
        add("covariances", SPEED_VALUES, SPEED_VALUES);
        add("eigenvalues", SPEED_VALUES, 1);
        add("variances of blocks", sizes.blocks_across, sizes.blocks_down);
    }
    return stages;
}

template <class T>
std::size_t place_of(std::vector<T> &list, const T &value) {
    const auto found = std::ranges::find(list, value);
    const auto place = static_cast<std::size_t>(found - list.begin());
    if (found == list.end())
        list.push_back(value);
    return place;
}

} // namespace

SpeedGeometry speed_geometry(int width, int height, double prescale) {
    SpeedGeometry sizes{.width = width, .height = height};
    sizes.scaled_width = scaled_size(width, prescale);
    sizes.scaled_height = scaled_size(height, prescale);
    sizes.resampled = !(std::abs(prescale - 1) < SPEED_SAME_SCALE) && // of equal sizes, it is a copy
                      (sizes.scaled_width != width || sizes.scaled_height != height);
    sizes.kept_width = sizes.scaled_width / SPEED_DECIMATION;
    sizes.kept_height = sizes.scaled_height / SPEED_DECIMATION;
    sizes.blocks_across = sizes.kept_width / SPEED_BLOCK;
    sizes.blocks_down = sizes.kept_height / SPEED_BLOCK;
    return sizes;
}

std::size_t SpeedDemand::add(SpeedSource reference, SpeedSource distorted, const SpeedPreparation &preparation,
                             const SpeedScoring &scoring) {
    const std::size_t r = place_of(analyses, {reference, preparation});
    const std::size_t d = place_of(analyses, {distorted, preparation});
    return place_of(comparisons, {r, d, scoring});
}

SpeedGeometry SpeedDemand::geometry(std::size_t analysis) const {
    const auto &[source, preparation] = analyses[analysis];
    const int plane = source < SpeedSource::reference_change ? 1 : 0; // both chroma planes have one size
    return speed_geometry(format.plane_width(plane), format.plane_height(plane), preparation.prescale);
}

std::vector<SpeedWords> SpeedDemand::words() const {
    std::vector<SpeedWords> places;
    std::size_t end = 0;
    for (std::size_t i = 0; i < analyses.size(); i++) {
        SpeedWords at{.eigenvalues = end, .variances = end + SPEED_VALUES};
        at.bad = at.variances + static_cast<std::size_t>(geometry(i).block_count());
        end = at.bad + 1;
        places.push_back(at);
    }
    return places;
}

std::int64_t speed_word(float value) {
    return word_of(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value);
}

SpeedInput speed_input(SpeedSource source, const PictureWindow &frames) {
    const auto change = [](const std::optional<HostPicture> &earlier, const HostPicture &current) {
        return earlier ? SpeedInput{&earlier->plane(0), &current.plane(0)} : SpeedInput{};
    };
    switch (source) {
    case SpeedSource::reference_cb:
        return {&frames.reference->plane(1)};
    case SpeedSource::distorted_cb:
        return {&frames.distorted->plane(1)};
    case SpeedSource::reference_cr:
        return {&frames.reference->plane(2)};
    case SpeedSource::distorted_cr:
        return {&frames.distorted->plane(2)};
    case SpeedSource::reference_change:
        return change(frames.earlier_reference[0], *frames.reference);
    case SpeedSource::distorted_change:
        return change(frames.earlier_distorted[0], *frames.distorted);
    case SpeedSource::distorted_against_reference:
        return change(frames.earlier_distorted[0], *frames.reference);
    }
    return {};
}

FeaturePlan speed_plan(const SpeedDemand &demand, std::vector<FeatureVariant> variants, CpuLevel cap) {
    FeaturePlan plan;
    plan.variants = std::move(variants);
    plan.definition = make_speed_reference(demand);
    plan.cpu = make_speed_cpu(demand, cap);
    plan.gpu = make_speed_gpu(demand);
    plan.words = describe_kept(demand);
    plan.completion = make_speed_completion(demand, cap);
    plan.extracted_words = describe_extracted(demand);
    plan.stages = describe_stages(demand);
    return plan;
}

} // namespace isovmaf
