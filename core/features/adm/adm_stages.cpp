// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm_stages.hpp"

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr const char *band_names[] = {"h", "v", "d"};
constexpr const char *part_names[] = {"restored", "added"};
constexpr const char *picture_names[] = {"the reference", "the distorted picture"};
constexpr int picture_count = 2;

int masked_parts(const AdmMasking &masking) { return masking.aim ? 2 : 1; }

/// Fills in the stages of one scale.
class ScaleDescription {
  public:
    ScaleDescription(int index, const AdmScale &size, std::vector<Stage> &stages)
        : prefix_(fmt::format("scale {}: ", index)), size_(size), stages_(stages) {}

    void add_approximations(int first) {
        for (int picture = 0; picture < picture_count; picture++)
            wavelet(first + picture, fmt::format("approximation of {}", picture_names[picture]));
    }
    void add_details(int first) {
        for (int picture = 0; picture < picture_count; picture++)
            for (int band = 0; band < ADM_BAND_COUNT; band++)
                wavelet(first + picture * ADM_BAND_COUNT + band,
                        fmt::format("{} band of {}", band_names[band], picture_names[picture]));
    }
    void add_reference(const AdmReferenceStages &which) {
        for (int band = 0; band < ADM_BAND_COUNT; band++)
            pixels(adm_reference_cube_stage(which, band),
                   fmt::format("cubed {} band of the reference", band_names[band]));
        row_sums(adm_reference_row_sums_stage(which), "row sums of the cubed reference");
    }
    void add_masking(const AdmMaskingStages &which, int masked_parts, const std::string &suffix) {
        for (int part = 0; part < 2; part++)
            for (int band = 0; band < ADM_BAND_COUNT; band++)
                pixels(adm_picture_stage(which, part, band),
                       fmt::format("{} {} band{}", part_names[part], band_names[band], suffix));
        for (int part = 0; part < masked_parts; part++) {
            const char *const signal = part_names[part], *const mask = part_names[1 - part];
            for (int band = 0; band < ADM_BAND_COUNT; band++) {
                pixels(adm_weighted_mask_stage(which, part, band),
                       fmt::format("contrast-weighted {} {} band{}", mask, band_names[band], suffix));
                pixels(adm_visible_cube_stage(which, part, band),
                       fmt::format("cubed visible {} {} band{}", signal, band_names[band], suffix));
            }
            pixels(adm_threshold_stage(which, part), fmt::format("threshold of the {} picture{}", signal, suffix));
            row_sums(adm_visible_row_sums_stage(which, part),
                     fmt::format("row sums of the {} picture{}", signal, suffix));
        }
    }

  private:
    Stage &add(int number, const std::string &name, int width) {
        Stage &stage = stages_[static_cast<std::size_t>(number)];
        stage.name = prefix_ + name;
        stage.width = width;
        stage.height = size_.height;
        return stage;
    }
    void wavelet(int number, const std::string &name) {
        Stage &stage = add(number, name, size_.width);
        stage.tile_width = ADM_WAVELET_TILE_WIDTH;
        stage.tile_height = ADM_WAVELET_TILE_HEIGHT;
    }
    void pixels(int number, const std::string &name) {
        Stage &stage = add(number, name, size_.width);
        stage.tile_width = ADM_MASKING_TILE_WIDTH;
        stage.tile_left = adm_masking_left(size_);
        masking_rows(stage);
    }
    /// A column for each band.
    void row_sums(int number, const std::string &name) { masking_rows(add(number, name, ADM_BAND_COUNT)); }
    void masking_rows(Stage &stage) {
        stage.tile_height = ADM_MASKING_TILE_HEIGHT;
        stage.tile_top = size_.core.top;
    }

    std::string prefix_;
    const AdmScale &size_;
    std::vector<Stage> &stages_;
};

/// Distinguishes the stages and words of several maskings; empty for one.
std::string suffix_of(const AdmDemand &demand, std::size_t masking) {
    if (demand.maskings.size() == 1)
        return {};
    return fmt::format(" (masking {}, gain limit {})", masking + 1, demand.gain_limits[demand.maskings[masking].gain]);
}

} // namespace

AdmStages adm_stages(const AdmDemand &demand) {
    AdmStages stages;
    int &end = stages.count;
    for (int i = 0; i < ADM_SCALE_COUNT; i++) {
        AdmScaleStages &scale = stages.scale[static_cast<std::size_t>(i)];
        const bool summed = i > 0 || demand.scale0();
        scale.approximation = end;
        end += i < ADM_SCALE_COUNT - 1 ? picture_count : 0;
        scale.detail = end;
        end += summed ? picture_count * ADM_BAND_COUNT : 0;
        scale.reference = {end};
        end = summed ? adm_reference_stages_end(scale.reference) : end;
        for (const AdmMasking &masking : demand.maskings) {
            scale.maskings.push_back({end});
            if (i > 0 || masking.scale0)
                end = adm_masking_stages_end(scale.maskings.back(), masked_parts(masking));
        }
    }
    return stages;
}

std::vector<WordSpec> describe_adm_words(const AdmDemand &demand) {
    std::vector<WordSpec> words(AdmSums::count(demand.maskings.size()));
    const auto describe = [&](std::size_t first, const std::string &part) {
        for (int scale = 0; scale < ADM_SCALE_COUNT; scale++)
            for (int band = 0; band < ADM_BAND_COUNT; band++)
                words[first + AdmSums::at(scale, band)].name =
                    fmt::format("scale {}: {}, {} band", scale, part, band_names[band]);
    };
    describe(AdmSums::denominator, "denominator");
    for (std::size_t m = 0; m < demand.maskings.size(); m++) {
        describe(AdmSums::restored(m), "restored part" + suffix_of(demand, m));
        describe(AdmSums::added(m), "added part" + suffix_of(demand, m));
    }
    return words;
}

std::vector<Stage> describe_adm_stages(const VideoFormat &format, const AdmDemand &demand) {
    const AdmGeometry geometry = adm_geometry(format);
    const AdmStages which = adm_stages(demand);
    std::vector<Stage> stages(static_cast<std::size_t>(which.count));
    for (int i = 0; i < ADM_SCALE_COUNT; i++) {
        const AdmScaleStages &scale = which.scale[static_cast<std::size_t>(i)];
        ScaleDescription description(i, geometry[static_cast<std::size_t>(i)], stages);
        if (i < ADM_SCALE_COUNT - 1)
            description.add_approximations(scale.approximation);
        if (i == 0 && !demand.scale0())
            continue;
        description.add_details(scale.detail);
        description.add_reference(scale.reference);
        for (std::size_t m = 0; m < demand.maskings.size(); m++)
            if (i > 0 || demand.maskings[m].scale0)
                description.add_masking(scale.maskings[m], masked_parts(demand.maskings[m]), suffix_of(demand, m));
    }
    return stages;
}

} // namespace isovmaf
