// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace isovmaf::capi::capi_fuzz {

/// The bytes of a fuzzed input, read from the front. Beyond the end there are zeros.
class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool empty() const { return bytes_.empty(); }

    [[nodiscard]] unsigned next() {
        if (bytes_.empty())
            return 0;
        const unsigned byte = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return byte;
    }

    /// Small numbers mostly; those at a border now and then.
    [[nodiscard]] unsigned number() {
        constexpr std::array<unsigned, 4> borders = {1U << 31, ~0U, ~0U - 1, 1U << 16};
        const unsigned byte = next();
        return byte < 240 ? byte % 12 : borders[byte % borders.size()];
    }

    /// Up to 255 bytes. The first byte is their number.
    [[nodiscard]] std::string text() { return take(next()); }

    /// Up to 65,535 bytes. The first two bytes are their number.
    [[nodiscard]] std::string long_text() {
        const unsigned high = next();
        return take(high << 8 | next());
    }

  private:
    [[nodiscard]] std::string take(std::size_t most) {
        const auto taken = bytes_.first(std::min(most, bytes_.size()));
        bytes_ = bytes_.subspan(taken.size());
        return {taken.begin(), taken.end()};
    }

    std::span<const std::uint8_t> bytes_;
};

/// One of the names that mean something, or any text.
inline std::string name_from(Bytes &bytes, std::span<const char *const> names) {
    const unsigned choice = bytes.next();
    return choice < 250 ? names[choice % names.size()] : bytes.text();
}

inline constexpr std::array extractors = {"psnr", "motion", "vif", "adm", "cambi", "", "integer_vif"};
inline constexpr std::array options = {"enable_chroma",
                                       "enable_mse",
                                       "enable_apsnr",
                                       "reduced_hbd_peak",
                                       "debug",
                                       "vif_enhn_gain_limit",
                                       "adm_enhn_gain_limit",
                                       "adm_norm_view_dist",
                                       "adm_ref_display_height",
                                       "min_sse",
                                       "motion_force_zero",
                                       "motion_five_frame_window",
                                       ""};
inline constexpr std::array values = {"true", "false", "1", "0", "1.5", "1e9", "nan", "-1", "", "0x10"};
inline constexpr std::array features = {"psnr_y",
                                        "psnr_cb",
                                        "VMAF_integer_feature_motion2_score",
                                        "VMAF_integer_feature_motion3_score",
                                        "VMAF_integer_feature_vif_scale0_score",
                                        "VMAF_integer_feature_vif_scale1_score",
                                        "VMAF_integer_feature_vif_scale2_score",
                                        "VMAF_integer_feature_vif_scale3_score",
                                        "VMAF_integer_feature_adm2_score",
                                        "integer_adm2_egl_1",
                                        "vmaf",
                                        "b_bagging",
                                        ""};
inline constexpr std::array versions = {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "nothing", ""};

} // namespace isovmaf::capi::capi_fuzz
