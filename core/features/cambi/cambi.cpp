// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/cambi/cambi.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view eotfs[] = {"bt1886", "pq"};

const OptionSpec options[] = {
    {"cambi_max_val", "cmxv", "largest score reported", 1000.0, 0, 1000},
    {"enc_width", "encw", "width that was encoded, before upscaling; by default the video's", 0, 180, 7680},
    {"enc_height", "ench", "height that was encoded", 0, 150, 7680},
    {"enc_bitdepth", "encbd", "bit depth that was encoded; by default the video's", 0, 6, 16},
    {"src_width", "srcw", "width of the source; by default the video's", 0, 320, 7680},
    {"src_height", "srch", "height of the source", 0, 200, 4320},
    {"window_size", "ws", "side of the square that is searched for bands, in samples at 3840x2160", 65, 15, 127},
    {"topk", "", "share of the pixels that make the score, the most banded ones", 0.6, 0.0001, 1},
    {"cambi_topk", "ctpk", "the same, where topk has its default", 0.6, 0.0001, 1},
    {"tvi_threshold", "tvit", "share of the luminance that a visible step has", 0.019, 0.0001, 1},
    {"cambi_vis_lum_threshold", "vlt", "luminance in cd/m2 below which bands are not seen", 0.0, 0, 300},
    {"max_log_contrast", "mlc", "steps of up to 2^this codes of 10 bits count as bands", 2, 0, 5},
    {"eotf", "", "how a display turns codes into light", std::string("bt1886"), 0, 0, Naming::in_name, eotfs},
    {"cambi_eotf", "ceot", "the same, in place of eotf", std::string("bt1886"), 0, 0, Naming::in_name, eotfs},
    {"cambi_high_res_speedup", "hrs", "halve pictures from 1080, 1440 or 2160 lines; 0 for never", 0, 0, 2160},
    {"heatmaps_path", "", "folder for pictures of where the bands are", std::string(), 0, 0, Naming::plain},
    {"full_ref", "", "report the reference's bands and the difference too", false, 0, 0, Naming::plain},
};

constexpr std::string_view compared_options[] = {
    "cambi_high_res_speedup=1080:cambi_vis_lum_threshold=0.06",
    "full_ref=true:enc_width=240:enc_height=180:enc_bitdepth=8:max_log_contrast=4:topk=0.05",
};

constexpr NamedOptions golden_options[] = {
    {"cambi", ""},
    {"cambi_v1", "cambi_high_res_speedup=1080:cambi_max_val=17:cambi_vis_lum_threshold=0.06"},
};

constexpr OutputSpec outputs[] = {
    {"Cambi_feature_cambi_score", "cambi"},
    // with full_ref alone
    {"cambi_source", "", false, Naming::plain},
    {"cambi_full_reference", "", false, Naming::plain},
};

std::vector<OutputSpec> used_outputs(const CambiSettings &settings) {
    return {std::begin(outputs), settings.full_ref ? std::end(outputs) : std::begin(outputs) + 1};
}

/// Names what belongs to a picture of a demand. Several pictures of one video, which option sets may ask for, are
/// numbered from the second on.
class CambiNames {
  public:
    std::string name(bool is_source, const std::string &what) {
        const int number = ++numbers_[what][is_source];
        return fmt::format("{}{}{}", is_source ? "source, " : "", what,
                           number == 1 ? "" : fmt::format(" ({})", number));
    }

  private:
    std::map<std::string, std::array<int, 2>> numbers_;
};

std::string scale_name(std::size_t scale, std::string_view what) { return fmt::format("scale {}: {}", scale, what); }

std::vector<WordSpec> describe_words(const CambiDemand &demand) {
    CambiNames names;
    std::vector<WordSpec> words;
    for (const CambiSums &sums : demand.sums)
        for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++)
            words.push_back({names.name(demand.pictures[demand.counts[sums.counts].picture].is_source,
                                        scale_name(scale, "sum of the largest c-values")),
                             WordKind::f64});
    return words;
}

std::vector<Stage> describe_stages(const CambiDemand &demand) {
    CambiNames names;
    std::vector<Stage> stages;
    const auto describe = [&](const CambiPicture &picture, const std::string &what, const CambiSize &size,
                              WordKind kind = WordKind::i64) {
        stages.push_back(
            {.name = names.name(picture.is_source, what), .width = size.width, .height = size.height, .kind = kind});
    };
    for (const CambiPicture &picture : demand.pictures) {
        const auto sizes = cambi_scale_sizes(picture);
        describe(picture, "preprocessed picture", {picture.width, picture.height});
        describe(picture, "mask", sizes[0]);
        for (std::size_t scale = 0; scale < sizes.size(); scale++)
            describe(picture, scale_name(scale, "filtered picture"), sizes[scale]);
    }
    for (const CambiCounts &counts : demand.counts) {
        const CambiPicture &picture = demand.pictures[counts.picture];
        const auto sizes = cambi_scale_sizes(picture);
        for (std::size_t scale = 0; scale < sizes.size(); scale++)
            describe(picture, scale_name(scale, "c-values"), sizes[scale], WordKind::f32);
    }
    return stages;
}

/// The heat maps of an option set (docs/spec/maps.md), one for each scale of the distorted picture, whose c-values are
/// those of number `counts` in the demand.
std::vector<StageMap> describe_maps(const CambiSettings &settings, const CambiStages &stages, std::size_t counts) {
    std::vector<StageMap> maps;
    CambiSize named{settings.distorted.width, settings.distorted.height}; // also where scale 0 is halved
    for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++) {
        maps.push_back({fmt::format("cambi_heatmap_scale_{}_{}x{}_16b.gray", scale, named.width, named.height),
                        static_cast<std::size_t>(stages.c_values(counts, scale)),
                        static_cast<double>(cambi_heat_map_maximum(settings.distorted_contrast))});
        named = {(named.width + 1) / 2, (named.height + 1) / 2};
    }
    return maps;
}

FeatureNeeds cambi_needs(const VideoFormat &format, const OptionSet &set) {
    const Result<CambiSettings> settings = cambi_settings(format, set);
    return {.longer_side = CAMBI_SMALLEST_LONGER_SIDE,
            .sides = set.flag("full_ref") ? SideUse::both : SideUse::distorted,
            .encoded_depth_option =
                format.bit_depth < CAMBI_SAMPLE_BITS && set.integer("enc_bitdepth") == 0 ? "enc_bitdepth" : "",
            .refusal = settings ? "" : settings.error().message};
}

/// Drops the flag word, which is the last one.
class CambiCompletion final : public Completion {
  public:
    void complete(ConstWords extracted, Words kept) const override {
        std::ranges::copy(extracted.first(kept.size()), kept.begin());
    }
};

CambiSumsUsed demand_sums(CambiDemand &demand, const CambiSettings &settings) {
    CambiSumsUsed used;
    used.distorted = demand.add(settings.distorted, settings.distorted_contrast, settings.topk);
    if (settings.full_ref)
        used.source = demand.add(settings.source, settings.source_contrast, settings.topk);
    return used;
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    CambiDemand demand;
    FeaturePlan plan;
    std::vector<CambiSettings> settings;
    std::vector<CambiSumsUsed> used;
    for (const OptionSet &set : option_sets) {
        settings.push_back(TRY(cambi_settings(context.format, set)));
        used.push_back(demand_sums(demand, settings.back()));
    }
    for (std::size_t v = 0; v < settings.size(); v++)
        plan.variants.push_back(
            {used_outputs(settings[v]), make_cambi_finisher(settings[v], used[v]),
             describe_maps(settings[v], cambi_stages(demand), demand.sums[used[v].distorted].counts)});
    plan.words = describe_words(demand);
    plan.extracted_words = plan.words;
    plan.extracted_words.push_back({"flag: a sum's rounding depends on its order"});
    plan.flag_word = demand.word_count();
    plan.completion = std::make_unique<CambiCompletion>();
    plan.stages = describe_stages(demand);
    plan.cpu = make_cambi_cpu(context.format, demand, context.cpu_level);
    plan.gpu = make_cambi_gpu(context.format, demand);
    plan.definition = make_cambi_reference(context.format, demand);
    return plan;
}

/// Index of an element that is equal, which is added unless it is there.
template <class T>
std::size_t find_or_add(std::vector<T> &all, const T &wanted) {
    const auto found = std::ranges::find(all, wanted);
    const auto index = static_cast<std::size_t>(found - all.begin());
    if (found == all.end())
        all.push_back(wanted);
    return index;
}

} // namespace

std::size_t CambiDemand::add(const CambiPicture &picture, const CambiContrast &contrast, double topk) {
    return find_or_add(sums, {find_or_add(counts, {find_or_add(pictures, picture), contrast}), topk});
}

CambiStages cambi_stages(const CambiDemand &demand) { return {static_cast<int>(demand.pictures.size())}; }

const FeatureDescriptor cambi_feature{
    .name = "cambi",
    .summary = "visible bands in flat parts of the distorted luma",
    .options = options,
    .outputs = outputs,
    .needs = cambi_needs,
    .maps_option = "heatmaps_path",
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf
