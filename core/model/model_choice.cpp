// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_choice.hpp"

#include <algorithm>
#include <iterator>

namespace isovmaf {

namespace {

/// A version that stands for one model up to most_rows_of_hd, and for another one above.
struct VersionChoice {
    std::string_view version, of_hd, of_uhd;
};

constexpr VersionChoice version_choices[] = {{"v1", "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_3d0h_2160"}};

constexpr ModelPurpose purposes[] = {
    {"vmaf_v0.6.1", "1080 rows, seen from 3 times the height of the screen; the default"},
    {"vmaf_v0.6.1neg", "the same; what an enhancement such as sharpening adds does not count"},
    {"vmaf_4k_v0.6.1", "2160 rows, from 1.5 heights"},
    {"vmaf_4k_v0.6.1neg", "the same; what an enhancement adds does not count"},
    {"vmaf_b_v0.6.3", "1080 rows, from 3 heights, with confidence intervals"},
    {"vmaf_v1.0.16_3d0h", "1080 rows, from 3 heights"},
    {"vmaf_v1.0.16_hfr_3d0h", "the same, at about 50 or 60 frames per second"},
    {"vmaf_v1.0.16_5d0h", "1080 rows, from 5 heights: phones"},
    {"vmaf_v1.0.16_hfr_5d0h", "the same, at about 50 or 60 frames per second"},
    {"vmaf_v1.0.16_3d0h_2160", "2160 rows, from 3 heights; scores up to 110"},
    {"vmaf_v1.0.16_hfr_3d0h_2160", "the same, at about 50 or 60 frames per second"},
    {"vmaf_v1.0.16_1d5h_2160", "2160 rows, from 1.5 heights"},
    {"vmaf_v1.0.16_hfr_1d5h_2160", "the same, at about 50 or 60 frames per second"},
    {"v1", "vmaf_v1.0.16_3d0h, and above 1440 rows vmaf_v1.0.16_3d0h_2160"},
};

const VersionChoice *choice_of(const ModelRequest &request) {
    const auto *const choice = std::ranges::find(version_choices, request.version, &VersionChoice::version);
    return request.path.empty() && choice != std::end(version_choices) ? choice : nullptr;
}

} // namespace

std::span<const ModelPurpose> model_purposes() { return purposes; }

ModelRequest chosen_request(ModelRequest request, int rows) {
    if (const VersionChoice *const choice = choice_of(request))
        request.version = rows > most_rows_of_hd ? choice->of_uhd : choice->of_hd;
    return request;
}

bool depends_on_rows(const ModelRequest &request) { return choice_of(request) != nullptr; }

} // namespace isovmaf
