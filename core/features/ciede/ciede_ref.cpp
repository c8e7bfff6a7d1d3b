// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of CIEDE2000: the colours of pixels and their differences (features.md §7).
#include "features/ciede/ciede.hpp"

#include <cmath>

#include "features/ciede/ciede_chroma.hpp"
#include "features/ciede/ciede_functions.hpp"
#include "features/ciede/ciede_math.h"
#include "math/math.hpp"

namespace isovmaf {

namespace {

double ciede_linear(double c) {
    return c > ciede_linear_limit ? math::pow((c + ciede_power_offset) * ciede_power_scale, ciede_power)
                                  : c * ciede_linear_slope;
}

float ciede_compressed(double c) {
    return static_cast<float>(c > ciede_cube_root_limit
                                  ? math::pow(c, ciede_cube_root)
                                  : (ciede_below_slope * c + ciede_below_offset) * ciede_below_scale);
}

double ciede_sum(const double (&weights)[3], double red, double green, double blue) {
    return red * weights[0] + green * weights[1] + blue * weights[2];
}

double square(float x) { return double{x} * x; }

float hypotenuse(float a, float b) { return static_cast<float>(std::sqrt(square(a) + square(b))); }

/// What stretches a: half of 1 - sqrt(C^7 / (C^7 + 25^7)).
double ciede_stretch(float mean_chroma) {
    const double power = math::pow(mean_chroma, 7);
    return 1 - std::sqrt(power / (power + ciede_chroma_pole));
}

/// In [0, 2π]
float ciede_hue(float a, float b) {
    if (a == 0 && b == 0)
        return 0;
    const auto hue = static_cast<float>(math::atan2(b, a));
    return hue < 0 ? static_cast<float>(hue + 2 * ciede_pi) : hue;
}

struct Hues {
    float difference, mean;
};

Hues ciede_hues(float hue_1, float hue_2) {
    const float difference = hue_2 - hue_1, sum = hue_1 + hue_2;
    if (std::fabs(hue_1 - hue_2) <= ciede_pi)
        return {difference, static_cast<float>(sum / 2.0)};
    const double turn = hue_2 <= hue_1 ? 2 * ciede_pi : -2 * ciede_pi;
    return {static_cast<float>(difference + turn), static_cast<float>((sum + 2 * ciede_pi) / 2)};
}

float ciede_hue_weight(float hue, float mean_chroma) {
    double t = 1;
    for (const CiedeCosine &cosine : ciede_cosines)
        t += cosine.weight * math::cos(cosine.multiple * hue + cosine.shift);
    return static_cast<float>(1 + ciede_hue_slope * mean_chroma * static_cast<float>(t));
}

/// The rotation, which couples chroma and hue where colours are blue.
float ciede_rotation(float hue, float mean_chroma) {
    const float from_blue = static_cast<float>(hue * (180 / ciede_pi)) - ciede_blue_hue;
    const auto steps = static_cast<float>(from_blue * ciede_per_blue_width);
    const auto degrees = static_cast<float>(ciede_most_degrees * math::exp(-double{steps * steps}));
    const auto angle = static_cast<float>(degrees * (ciede_pi / 180));
    const float power = math::powf(mean_chroma, 7);
    const float ratio = power / (power + static_cast<float>(ciede_chroma_pole));
    return static_cast<float>(-2 * std::sqrt(double{ratio}) * math::sin(angle));
}

template <class Sample>
class CiedeReference final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words sums, Taps taps) const override {
        const HostPicture *const pictures[2] = {&*frames.reference, &*frames.distorted};
        const CiedeChroma<Sample> u[2] = {{*pictures[0], 1}, {*pictures[1], 1}};
        const CiedeChroma<Sample> v[2] = {{*pictures[0], 2}, {*pictures[1], 2}};
        const VideoFormat &format = pictures[0]->format();
        double sum = 0;
        for (int y = 0; y < format.height; y++)
            for (int x = 0; x < format.width; x++) {
                CiedeColour colours[2];
                for (int side = 0; side < 2; side++) {
                    colours[side] = ciede_colour(pictures[side]->plane(0).template row<Sample>(y)[x], u[side].at(y, x),
                                                 v[side].at(y, x), format.bit_depth);
                    if (taps.memory)
                        put(taps, side * ciede_distorted_stage, x, y, colours[side]);
                }
                const float difference = ciede_difference(colours[0], colours[1]);
                if (taps.memory)
                    taps.put(ciede_difference_stage, x, y, word_of(difference));
                sum += difference;
            }
        sums[0] = word_of(sum);
    }

  private:
    static void put(Taps taps, int stage, int x, int y, const CiedeColour &colour) {
        taps.put(stage, x, y, word_of(colour.lightness));
        taps.put(stage + 1, x, y, word_of(colour.a));
        taps.put(stage + 2, x, y, word_of(colour.b));
    }
};

} // namespace

CiedeColour ciede_colour(int y_sample, int u_sample, int v_sample, int depth) {
    const double scale = 1 << (depth - 8);
    const double y = (y_sample - ciede_luma_offset * scale) * (1 / (ciede_luma_range * scale));
    const double u = (u_sample - ciede_chroma_offset * scale) * (1 / (ciede_chroma_range * scale));
    const double v = (v_sample - ciede_chroma_offset * scale) * (1 / (ciede_chroma_range * scale));
    const double red = ciede_linear(y + ciede_red_of_v * v);
    const double green = ciede_linear(y - ciede_green_of_u * u - ciede_green_of_v * v);
    const double blue = ciede_linear(y + ciede_blue_of_u * u);
    const double x_root = ciede_compressed(ciede_sum(ciede_xyz[0], red, green, blue) * (1 / ciede_white_x));
    const double y_root = ciede_compressed(ciede_sum(ciede_xyz[1], red, green, blue));
    const double z_root = ciede_compressed(ciede_sum(ciede_xyz[2], red, green, blue) * (1 / ciede_white_z));
    return {static_cast<float>(ciede_lightness_scale * y_root - ciede_lightness_offset),
            static_cast<float>(ciede_a_scale * (x_root - y_root)),
            static_cast<float>(ciede_b_scale * (y_root - z_root))};
}

float ciede_difference(const CiedeColour &first, const CiedeColour &second) {
    const float chroma_1 = hypotenuse(first.a, first.b), chroma_2 = hypotenuse(second.a, second.b);
    const double stretch = ciede_stretch((chroma_1 + chroma_2) / 2);
    const auto a_1 = static_cast<float>(first.a + first.a / 2 * stretch);
    const auto a_2 = static_cast<float>(second.a + second.a / 2 * stretch);
    const float stretched_1 = hypotenuse(a_1, first.b), stretched_2 = hypotenuse(a_2, second.b);
    const float mean_chroma = (stretched_1 + stretched_2) / 2;

    const float hue_1 = ciede_hue(a_1, first.b), hue_2 = ciede_hue(a_2, second.b);
    const Hues hues = ciede_hues(hue_1, hue_2);
    const float hue_turn = chroma_1 == 0 || chroma_2 == 0 ? 0 : hues.difference;
    const auto hue_difference =
        static_cast<float>(2 * std::sqrt(double{stretched_1 * stretched_2}) * math::sin(hue_turn / 2.0));

    const float from_middle = (first.lightness + second.lightness) / 2 - ciede_middle_lightness;
    const auto lightness_weight = static_cast<float>(1 + ciede_lightness_slope * square(from_middle) /
                                                             std::sqrt(ciede_lightness_pole + square(from_middle)));
    const auto chroma_weight = static_cast<float>(1 + ciede_chroma_slope * mean_chroma);
    const float hue_weight = ciede_hue_weight(hues.mean, mean_chroma);
    const float rotation = ciede_rotation(hues.mean, mean_chroma);

    const float lightness = (second.lightness - first.lightness) / (ciede_k_lightness * lightness_weight);
    const float chroma = (stretched_2 - stretched_1) / (ciede_k_chroma * chroma_weight);
    const float hue = hue_difference / (ciede_k_hue * hue_weight);
    return static_cast<float>(std::sqrt(square(lightness) + square(chroma) + square(hue) + rotation * chroma * hue));
}

std::unique_ptr<Extractor> make_ciede_reference(const VideoFormat &format) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<CiedeReference<std::uint8_t>>();
    return std::make_unique<CiedeReference<std::uint16_t>>();
}

} // namespace isovmaf
