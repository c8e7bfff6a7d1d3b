// SPDX-License-Identifier: BSD-2-Clause-Patent
// Contrast sensitivity factors: features.md §4.4.
#include "features/adm/adm_csf.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr int mode_watson = 0, mode_barten = 1, mode_blend = 2, mode_blend_mae = 3;

/// distance x display height that the sensitivities start at: 1080 lines seen from three heights.
constexpr double nearest_viewing = 3.0 * 1080;

/// Wavelet quantisation thresholds of Watson et al. (1997), as f32: basis amplitudes per scale, and the parabola.
constexpr AdmBandFactors<float> watson_amplitude{{0.67234F, 0.41317F, 0.22727F, 0.11792F},
                                                 {0.72709F, 0.49428F, 0.28688F, 0.15214F}};
constexpr float watson_a = 0.495F, watson_k = 0.466F, watson_f0 = 0.401F;
constexpr float watson_g_hv = 1.0F, watson_g_diagonal = 0.534F;

/// Fixed-point factors of scale 0 at the nearest viewing, which libvmaf does not derive from the formula.
constexpr std::uint32_t watson_fixed_hv = 36453, watson_fixed_diagonal = 49417;

struct BlendRow {
    int display_height;
    double distance;
    AdmBandFactors<float> blend, blend_mae;
};

/// Barten's and Watson's sensitivities blended. The rows of the reference that are nearer than it accepts are left out.
constexpr AdmBandFactors<float> blend_1080_at_3{{.01183F, .025026F, .04295F, .058621F},
                                                {.004302F, .011778F, .023918F, .035901F}};
constexpr AdmBandFactors<float> blend_mae_1080_at_3{{.011249F, .022606F, .03593F, .045673F},
                                                    {.004097F, .010921F, .02143F, .031313F}};
constexpr BlendRow blend_rows[] = {
    {1080, 3, blend_1080_at_3, blend_mae_1080_at_3},
    {1080,
     5,
     {{.004212F, .014809F, .029642F, .047464F}, {.000984F, .005852F, .0146F, .027574F}},
     {{.004052F, .013939F, .026298F, .038833F}, {.000927F, .005544F, .013415F, .024515F}}},
    {2160, 1.5, blend_1080_at_3, blend_mae_1080_at_3},
    {2160,
     3,
     {{.00226F, .01183F, .025026F, .04295F}, {.000479F, .004302F, .011778F, .023918F}},
     {{.002166F, .011249F, .022606F, .03593F}, {.000447F, .004097F, .010921F, .02143F}}},
    {2160,
     5,
     {{.000092F, .004212F, .014809F, .029642F}, {.00005F, .000984F, .005852F, .0146F}},
     {{.000077F, .004052F, .013939F, .026298F}, {.000045F, .000927F, .005544F, .013415F}}},
    {720,
     5,
     {{.010144F, .022561F, .040309F, .05672F}, {.003463F, .010282F, .021839F, .034641F}},
     {{.009689F, .020577F, .034162F, .044523F}, {.003302F, .009579F, .019661F, .030318F}}},
};

double viewing_lines(const AdmViewing &viewing) { return viewing.distance * viewing.display_height; }

float watson_factor(const AdmViewing &viewing, int scale, float g, float amplitude) {
    const auto r = static_cast<float>(viewing_lines(viewing) * std::numbers::pi / 180.0);
    const double cycles = static_cast<double>(1 << (scale + 1)) * double{watson_f0} * double{g} / double{r};
    const auto tmp = static_cast<float>(math::log10(cycles));
    const float exponent = watson_k * tmp * tmp;
    const auto q = static_cast<float>(2.0 * double{watson_a} * math::pow(10.0, double{exponent}) / double{amplitude});
    return 1.0F / q;
}

AdmBandFactors<float> watson_factors(const AdmViewing &viewing) {
    AdmBandFactors<float> factors;
    for (int scale = 0; scale < ADM_SCALE_COUNT; scale++) {
        const auto s = static_cast<std::size_t>(scale);
        factors.hv[s] = watson_factor(viewing, scale, watson_g_hv, watson_amplitude.hv[s]);
        factors.diagonal[s] = watson_factor(viewing, scale, watson_g_diagonal, watson_amplitude.diagonal[s]);
    }
    return factors;
}

Result<AdmBandFactors<float>> blend_factors(const AdmViewing &viewing) {
    std::vector<std::string> known;
    for (const BlendRow &row : blend_rows) {
        if (row.display_height == viewing.display_height && row.distance == viewing.distance)
            return viewing.csf_mode == mode_blend ? row.blend : row.blend_mae;
        known.push_back(fmt::format("{} at {:g}", row.display_height, row.distance));
    }
    return fail(ErrorCode::unsupported,
                fmt::format("feature adm has no sensitivities of adm_csf_mode {} for adm_ref_display_height {} at "
                            "adm_norm_view_dist {:g}; it has: {}",
                            viewing.csf_mode, viewing.display_height, viewing.distance, fmt::join(known, ", ")));
}

Result<AdmBandFactors<float>> factors_of_mode(const AdmViewing &viewing) {
    switch (viewing.csf_mode) {
    case mode_watson:
        return watson_factors(viewing);
    case mode_blend:
    case mode_blend_mae:
        return blend_factors(viewing);
    default:
        return fail(ErrorCode::unsupported,
                    fmt::format("adm_csf_mode {} (Barten) of feature adm is not possible in fixed point: its "
                                "sensitivities overflow the 16-bit factors and wrap around in libvmaf; take mode "
                                "{}, {} or {}",
                                mode_barten, mode_watson, mode_blend, mode_blend_mae));
    }
}

std::uint32_t truncated(float factor, int fraction_bits) {
    return static_cast<std::uint32_t>(std::ldexp(double{factor}, fraction_bits));
}

} // namespace

Result<AdmCsf> adm_csf(const AdmViewing &viewing) {
    const double lines = viewing_lines(viewing);
    if (lines < nearest_viewing)
        return fail(
            ErrorCode::unsupported,
            fmt::format("feature adm needs adm_norm_view_dist x adm_ref_display_height of at least {:g}, but {:g} "
                        "x {} is {:g}",
                        nearest_viewing, viewing.distance, viewing.display_height, lines));
    const AdmBandFactors<float> factors = TRY(factors_of_mode(viewing));

    AdmCsf csf{factors, {}};
    csf.fixed.hv[0] = truncated(factors.hv[0], 21);
    csf.fixed.diagonal[0] = truncated(factors.diagonal[0], 23);
    if (viewing.csf_mode == mode_watson && std::abs(lines - nearest_viewing) < 1e-8) {
        csf.fixed.hv[0] = watson_fixed_hv;
        csf.fixed.diagonal[0] = watson_fixed_diagonal;
    }
    for (std::size_t s = 1; s < ADM_SCALE_COUNT; s++) {
        csf.fixed.hv[s] = truncated(factors.hv[s], 32);
        csf.fixed.diagonal[s] = truncated(factors.diagonal[s], 32);
    }
    return csf;
}

} // namespace isovmaf
