// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/presets.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/registry.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view preset_models[] = {"version=vmaf_v0.6.1:name=vmaf", "version=vmaf_v0.6.1neg:name=vmaf_neg"};

constexpr std::string_view psnr = "psnr:reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5";
constexpr std::string_view ssim = "float_ssim:enable_db=true:clip_db=true";
constexpr std::string_view ms_ssim = "float_ms_ssim:enable_db=true:clip_db=true";

/// The AOM common test conditions before and from version 3, and those of Netflix.
constexpr std::string_view aom_features[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs"};
constexpr std::string_view aom_features_with_cambi[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs", "cambi"};
constexpr std::string_view netflix_features[] = {psnr, ssim, "cambi"};

struct KnownPreset {
    std::string_view name;
    std::string_view version;
    std::span<const std::string_view> features;
};

constexpr KnownPreset presets[] = {
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
    for (const KnownPreset &preset : presets)
        if (preset.name == name)
            versions.push_back(preset.version);
    return versions;
}

} // namespace

Result<Preset> find_preset(std::string_view name, const std::string &version) {
    const auto *const known = std::ranges::find_if(
        presets, [&](const KnownPreset &preset) { return preset.name == name && preset.version == version; });
    if (known == std::end(presets))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--{} takes {}, not {}", name, fmt::join(versions_of(name), ", "), quote(version)));
    Preset preset;
    for (const std::string_view text : preset_models)
        preset.models.push_back(TRY(ModelRequest::parse(text)));
    for (const std::string_view text : known->features)
        preset.features.push_back(TRY(FeatureRequest::parse(text)));
    return preset;
}

Result<void> check_features(const Preset &preset) {
    std::vector<std::string> missing;
    for (const FeatureRequest &request : preset.features)
        if (find_feature(request.name) == nullptr)
            missing.push_back(request.name);
    if (missing.empty())
        return {};
    return fail(ErrorCode::unsupported,
                fmt::format("the preset needs features that this version does not have: {}", fmt::join(missing, ", ")));
}

} // namespace isovmaf
