// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/semantics.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

constexpr SemanticsRow row_3_2{
    .name = "libvmaf-3.2",
    .release = "libvmaf 3.2",
    .title = "libvmaf 3.2.0, plain C path",
    .meaning = "release 3.2.0 on its plain C path",
    .choices = {.motion_blur = MotionBlur::difference,
                .motion_scores = MotionScores::up_to_motion3,
                .adm_share_rounding = AdmShareRounding::minus_half},
};

constexpr SemanticsRow row_3_0{
    .name = "libvmaf-3.0",
    .release = "libvmaf 3.0",
    .title = "libvmaf 3.0.0, plain C path",
    .meaning = "releases 3.0.0 and 3.1.0, where motion blurs each picture, and has no motion3 and fewer options",
    .choices = {.motion_blur = MotionBlur::each_picture,
                .motion_scores = MotionScores::motion_and_motion2,
                .adm_share_rounding = AdmShareRounding::minus_half},
};

constexpr Semantics listed[] = {Semantics(row_3_2), Semantics(row_3_0)};

} // namespace

constinit const Semantics Semantics::libvmaf_3_2(row_3_2);
constinit const Semantics Semantics::libvmaf_3_0(row_3_0);

std::string_view Semantics::name() const { return row_->name; }

std::span<const Semantics> all_semantics() { return listed; }

std::optional<Semantics> find_semantics(std::string_view name) {
    const auto *const found = std::ranges::find(listed, name, &Semantics::name);
    return found == std::end(listed) ? std::nullopt : std::optional(*found);
}

} // namespace isovmaf
