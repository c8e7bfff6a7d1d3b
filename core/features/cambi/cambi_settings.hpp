// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>

#include "features/cambi/cambi_math.h"
#include "features/option.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// A picture that is analysed: its size, and how it is made of the luma of a frame (cambi.md §3 to §5).
struct CambiPicture {
    bool is_source = false; ///< of the reference, for full_ref; else of the distorted video
    int width = 0, height = 0;
    bool anti_dither = false; ///< averages 2x2 samples
    bool halved = false;      ///< scale 0 has half the size, for speed

    friend bool operator==(const CambiPicture &, const CambiPicture &) = default;
};

struct CambiSize {
    int width = 0, height = 0;

    [[nodiscard]] std::size_t pixels() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

/// The sizes of a picture's scales.
[[nodiscard]] std::array<CambiSize, CAMBI_SCALE_COUNT> cambi_scale_sizes(const CambiPicture &picture);

/// What c-values depend on beside the picture (cambi.md §6).
struct CambiContrast {
    int window = 1; ///< side of the square around a pixel that is counted, odd, up to CAMBI_LARGEST_WINDOW
    int steps = 1;  ///< contrasts 1 to this are looked for, up to CAMBI_LARGEST_STEP
    std::array<int, CAMBI_LARGEST_STEP> limits{}; ///< [d - 1]: the largest sample at which step d is visible
    int dark_limit = 0;                           ///< pixels whose value + steps + d is not above are too dark to see

    /// Whether step d counts for pixels of that value.
    [[nodiscard]] bool is_visible(int value, int d) const {
        return value <= limits[static_cast<std::size_t>(d - 1)] && value + steps + d > dark_limit;
    }
    [[nodiscard]] int radius() const { return window / 2; }

    friend bool operator==(const CambiContrast &, const CambiContrast &) = default;
};

/// How many of a scale's `pixels` are summed up: the largest ones (cambi.md §7).
[[nodiscard]] std::size_t cambi_pooled_count(double topk, std::size_t pixels);

/// What an option set means in a format.
struct CambiSettings {
    CambiPicture distorted = {}, source = {};
    CambiContrast distorted_contrast = {}, source_contrast = {};
    double topk = 0;    ///< share of the pixels that are pooled
    double max_val = 0; ///< largest score reported
    bool full_ref = false;
};

/// `options` belong to cambi_feature. Fails where they have no meaning in that format (cambi.md §2).
[[nodiscard]] Result<CambiSettings> cambi_settings(const VideoFormat &format, const OptionSet &options);

/// Largest c-value that heat maps show: (the largest weight of the steps) * window^2 / 4, rounded down (cambi.md §9).
[[nodiscard]] std::uint32_t cambi_heat_map_maximum(const CambiContrast &contrast);

} // namespace isovmaf
