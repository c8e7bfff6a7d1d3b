// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// A set of bit depths from 8 to 16.
class BitDepths {
  public:
    /// All of them.
    constexpr BitDepths() = default;

    [[nodiscard]] static constexpr BitDepths of(std::initializer_list<int> depths) {
        std::uint32_t bits = 0;
        for (const int depth : depths)
            bits |= 1u << depth;
        return BitDepths(bits);
    }

    /// 8 to `most`.
    [[nodiscard]] static constexpr BitDepths up_to(int most) { return BitDepths(every & ((2u << most) - 1)); }

    [[nodiscard]] constexpr bool contains(int depth) const { return (bits_ >> depth & 1) != 0; }

    /// "8, 10, 12 and 16"; "8 to 12"
    [[nodiscard]] std::string text() const;

    static constexpr int least = 8, greatest = 16;

  private:
    explicit constexpr BitDepths(std::uint32_t bits) : bits_(bits) {}

    static constexpr std::uint32_t every = (2u << greatest) - (1u << least);
    std::uint32_t bits_ = every;
};

/// Which planes of a picture a feature reads.
enum class PlaneUse : std::uint8_t { luma, chroma, all };

/// What two features read together.
[[nodiscard]] constexpr PlaneUse both_uses(PlaneUse a, PlaneUse b) { return a == b ? a : PlaneUse::all; }

/// Whose pictures a feature reads. What reads references alone has the same words beside every distorted video.
enum class SideUse : std::uint8_t { both, reference, distorted };
[[nodiscard]] constexpr SideUse both_uses(SideUse a, SideUse b) { return a == b ? a : SideUse::both; }

/// What a feature asks of a video, for one option set.
struct FeatureNeeds {
    int width = 1, height = 1;        ///< of the smallest picture
    int longer_side = 1;              ///< the larger of width and height has at least that many samples
    BitDepths depths = {};            ///< that the feature is defined at
    bool chroma = false;              ///< 4:0:0 is refused
    PlaneUse planes = PlaneUse::luma; ///< that it reads
    SideUse sides = SideUse::both;    ///< that it reads
    /// The option that says at which depth the video was encoded, where that is not given and a higher depth of the
    /// format would change the scores; else empty.
    std::string_view encoded_depth_option = {};
    /// Where a picture of one size needs more than the smallest of all: what its shape has to be, for people: "no side
    /// 500 times as long as the other". Empty: `width` and `height` are the same for all sizes.
    std::string_view shape = {};
    std::string advice = {};  ///< what to do about pictures that are too small, if something can be done
    std::string refusal = {}; ///< why the options have no meaning in the format; empty when they have one
};

/// For a feature whose option enable_chroma is on: it reads all planes, each of at least one sample.
void need_all_planes(FeatureNeeds &needs, const VideoFormat &format);

/// Fails when a video of `format` lacks what `needs` says. `subject` begins the sentence: "feature psnr".
[[nodiscard]] Result<void> check_needs(const FeatureNeeds &needs, const std::string &subject,
                                       const VideoFormat &format);

} // namespace isovmaf
