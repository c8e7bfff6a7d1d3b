// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants of CIEDE2000 (features.md §7). They are f64 where their type does not say otherwise.
#ifndef ISOVMAF_CIEDE_MATH_H
#define ISOVMAF_CIEDE_MATH_H

namespace isovmaf {

constexpr double ciede_pi = 3.14159265358979323846;

// 8-bit video levels: black, the middle of Cb and Cr, and the ranges. Other depths have them times 2^(depth - 8).
constexpr double ciede_luma_offset = 16, ciede_luma_range = 219, ciede_chroma_offset = 128, ciede_chroma_range = 224;

// R, G and B of Y'CbCr with the matrix of BT.709, as libvmaf rounds it.
constexpr double ciede_red_of_v = 1.28033, ciede_green_of_u = 0.21482, ciede_green_of_v = 0.38059,
                 ciede_blue_of_u = 2.12798;

// The transfer function of sRGB, inverted.
constexpr double ciede_linear_limit = 10.0 / 255, ciede_linear_slope = 1 / 12.92, ciede_power_offset = 0.055,
                 ciede_power_scale = 1 / 1.055, ciede_power = 2.4;

// X, Y and Z of linear R, G and B.
constexpr double ciede_xyz[3][3] = {{0.4124564390896921, 0.357576077643909, 0.18043748326639894},
                                    {0.21267285140562248, 0.715152155287818, 0.07217499330655958},
                                    {0.019333895582329317, 0.119192025881303, 0.9503040785363677}};

// The white point D65, and the compression of X, Y and Z in CIELAB.
constexpr double ciede_white_x = 0.95047, ciede_white_z = 1.08883;
constexpr double ciede_cube_root_limit = 216.0 / 24389, ciede_below_slope = 24389.0 / 27, ciede_below_offset = 16,
                 ciede_below_scale = 1.0 / 116, ciede_cube_root = 1.0 / 3;

// L, a and b of the compressed X, Y and Z.
constexpr double ciede_lightness_scale = 116, ciede_lightness_offset = 16, ciede_a_scale = 500, ciede_b_scale = 200;

// What differences of lightness, chroma and hue are divided by.
constexpr float ciede_k_lightness = 0.65F, ciede_k_chroma = 1, ciede_k_hue = 4;

// S_L = 1 + slope m² / sqrt(pole + m²), m being the mean lightness beyond the middle. S_C = 1 + slope C. S_H = 1 +
// slope C T.
constexpr double ciede_lightness_slope = 0.015, ciede_lightness_pole = 20, ciede_chroma_slope = 0.045,
                 ciede_hue_slope = 0.015;
constexpr float ciede_middle_lightness = 50;

// T = 1 + the sum of weight cos(multiple H + shift).
struct CiedeCosine {
    double weight, multiple, shift;
};
constexpr CiedeCosine ciede_cosines[4] = {
    {-0.17, 1, -ciede_pi / 6}, {0.24, 2, 0}, {0.32, 3, ciede_pi / 30}, {-0.20, 4, -(7 * ciede_pi / 20)}};

// The rotation of chroma and hue: around a hue in degrees, of a width in degrees, up to twice 60 degrees' sine.
constexpr float ciede_blue_hue = 275;
constexpr double ciede_per_blue_width = 1.0 / 25, ciede_most_degrees = 60;

// 25 to the power of 7
constexpr double ciede_chroma_pole = 6103515625;

// The score of pictures with a mean difference of 1.
constexpr double ciede_decibels_of_1 = 45;

} // namespace isovmaf

#endif
