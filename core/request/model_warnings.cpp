// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/model_warnings.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/model.hpp"
#include "model/model_choice.hpp"

namespace isovmaf {

namespace {

constexpr int rows_of_4k = 2160;
constexpr double least_high_rate = 40; ///< models are for about 24 to 30, or for about 50 or 60 frames per second
constexpr std::string_view high_rate_mark = "hfr_"; ///< in versions of models for high rates

/// The first of these that is a built-in model and not `version` itself; else `version`.
std::string twin_of(const std::string &version, const std::vector<std::string> &twins) {
    const auto versions = builtin_model_versions();
    for (const std::string &twin : twins)
        if (twin != version && std::ranges::find(versions, twin) != versions.end())
            return twin;
    return version;
}

/// The model that was trained for 4K screens as `version` was for smaller ones.
std::string made_for_4k(const std::string &version) {
    return twin_of(version, {replace_all(version, "vmaf_v0", "vmaf_4k_v0"), version + "_2160"});
}

bool is_for_high_rates(const std::string &version) { return version.find(high_rate_mark) != std::string::npos; }

/// The model that is for high rates if `version` is not, and the other way round.
std::string made_for_other_rates(const std::string &version) {
    if (is_for_high_rates(version))
        return twin_of(version, {replace_all(version, high_rate_mark, "")});
    std::vector<std::string> twins;
    for (const std::string_view other : builtin_model_versions())
        if (replace_all(std::string(other), high_rate_mark, "") == version)
            twins.emplace_back(other);
    return twin_of(version, twins);
}

std::string sentence(const std::string &version, const std::string &twin, const VideoFormat &format, double rate,
                     bool other_rate) {
    const bool other_rows = format.height >= rows_of_4k && made_for_4k(version) != version;
    const std::string_view own_rate = is_for_high_rates(version) ? "about 50 or 60" : "about 25";
    if (!other_rows)
        return fmt::format("the videos have {:.5g} frames per second, and {} is for {}: score with -m version={}", rate,
                           version, own_rate, twin);
    return fmt::format("the pictures have {} rows{}, and {} was trained for 1080 rows{}: for viewers of a 4K screen, "
                       "score with -m version={}",
                       format.height, other_rate ? fmt::format(" at {:.5g} frames per second", rate) : "", version,
                       other_rate ? fmt::format(" at {}", own_rate) : "", twin);
}

} // namespace

std::vector<PairWarning> model_warnings(const std::vector<ModelRequest> &models, const VideoFormat &format,
                                        double rate) {
    std::vector<std::string> versions;
    for (const ModelRequest &model : models)
        if (model.path.empty())
            versions.push_back(chosen_request(model, format.height).version);
    std::vector<PairWarning> warnings;
    for (const std::string &version : versions) {
        std::string twin = format.height >= rows_of_4k ? made_for_4k(version) : version;
        const bool other_rate =
            rate > 0 && is_for_high_rates(version) != (rate >= least_high_rate) && made_for_other_rates(twin) != twin;
        if (other_rate)
            twin = made_for_other_rates(twin);
        PairWarning warning{PairWarning::model, sentence(version, twin, format, rate, other_rate)};
        if (std::ranges::find(versions, twin) == versions.end() &&
            std::ranges::find(warnings, warning) == warnings.end())
            warnings.push_back(std::move(warning));
    }
    return warnings;
}

} // namespace isovmaf
