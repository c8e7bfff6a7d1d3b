// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/vmaf/presets.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/registry.hpp"

namespace isovmaf::vmaf {

namespace {

constexpr std::string_view preset_models[] = {"version=vmaf_v0.6.1:name=vmaf", "version=vmaf_v0.6.1neg:name=vmaf_neg"};

constexpr std::string_view psnr = "psnr:reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5";
constexpr std::string_view ssim = "float_ssim:enable_db=true:clip_db=true";
constexpr std::string_view ms_ssim = "float_ms_ssim:enable_db=true:clip_db=true";

/// The AOM common test conditions before and from version 3, and those of Netflix.
constexpr std::string_view aom_features[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs"};
constexpr std::string_view aom_features_with_cambi[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs", "cambi"};
constexpr std::string_view netflix_features[] = {psnr, ssim, "cambi"};

struct Preset {
    std::string_view name;
    std::string_view version;
    std::span<const std::string_view> features;
};

constexpr Preset presets[] = {
    {"aom_ctc", "v1.0", aom_features},
    {"aom_ctc", "v2.0", aom_features},
    {"aom_ctc", "v3.0", aom_features_with_cambi},
    {"aom_ctc", "v4.0", aom_features_with_cambi},
    {"aom_ctc", "v5.0", aom_features_with_cambi},
    {"aom_ctc", "v6.0", aom_features_with_cambi},
    {"aom_ctc", "v7.0", aom_features_with_cambi},
    {"nflx_ctc", "v1.0", netflix_features},
};

std::vector<std::string_view> versions_of(std::string_view name) {
    std::vector<std::string_view> versions;
    for (const Preset &preset : presets)
        if (preset.name == name)
            versions.push_back(preset.version);
    return versions;
}

} // namespace

Result<void> add_preset(Options &options, std::string_view name, const std::string &version) {
    const auto *const preset = std::ranges::find_if(
        presets, [&](const Preset &known) { return known.name == name && known.version == version; });
    if (preset == std::end(presets))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--{} takes {}, not {}", name, fmt::join(versions_of(name), ", "), quote(version)));
    for (const std::string_view model : preset_models)
        options.models.push_back(TRY(ModelRequest::parse(model)));
    for (const std::string_view text : preset->features) {
        FeatureRequest request = TRY(FeatureRequest::parse(text));
        if (find_feature(request.name) == nullptr)
            options.missing_features.push_back(request.name);
        options.features.push_back(std::move(request));
    }
    return {};
}

} // namespace isovmaf::vmaf
