// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sizes, windows and limits of visibility: cambi.md §2.
#include "features/cambi/cambi_settings.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/try.hpp"
#include "math/math.hpp"

namespace isovmaf {

namespace {

// Codes of black and white, of 10 bits in limited range.
constexpr int black_code = 64, white_code = 940;

enum class CambiEotf { bt1886, pq };

/// Candela per square metre that a display emits for a code.
double cambi_luminance(CambiEotf eotf, int code) {
    const double v =
        static_cast<double>(std::clamp(code, black_code, white_code) - black_code) / (white_code - black_code);
    if (eotf == CambiEotf::pq) {
        constexpr double m1 = 0.1593017578125, m2 = 78.84375, c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875;
        const double u = math::pow(v, 1 / m2);
        return 10000 * math::pow(std::max(u - c1, 0.0) / (c2 - c3 * u), 1 / m1);
    }
    constexpr double gamma = 2.4, white_luminance = 300, black_luminance = 0.01;
    const double p = math::pow(white_luminance, 1 / gamma), q = math::pow(black_luminance, 1 / gamma);
    return math::pow(p - q, gamma) * math::pow(std::max(v + q / (p - q), 0.0), gamma);
}

/// The largest code at which a step of d codes is brighter by more than `threshold` of the luminance.
int visibility_limit(CambiEotf eotf, double threshold, int d) {
    const auto is_visible = [&](int code) {
        const double at = cambi_luminance(eotf, code);
        return cambi_luminance(eotf, code + d) - at > threshold * at;
    };
    enum class Code { too_large, right, too_small };
    const auto judge = [&](int code) {
        return !is_visible(code) ? Code::too_large : is_visible(code + 1) ? Code::too_small : Code::right;
    };
    if (const Code first = judge(black_code); first != Code::too_small)
        return first == Code::right ? black_code : 0;
    int low = black_code, high = white_code - d - 1;
    if (const Code last = judge(high); last != Code::too_large)
        return last == Code::right ? high : (1 << CAMBI_SAMPLE_BITS) - 1;
    for (;;) { // ends: the step is visible at low + 1 and not at high
        const int middle = low + (high - low) / 2;
        const Code found = judge(middle);
        if (found == Code::right)
            return middle;
        (found == Code::too_large ? high : low) = middle;
    }
}

/// The smallest code of at least that luminance; 0 if black has it.
int dark_limit(CambiEotf eotf, double least_luminance) {
    int code = black_code;
    while (code < white_code && cambi_luminance(eotf, code) < least_luminance)
        code++;
    return code == black_code ? 0 : code;
}

struct CambiResolution {
    int speedup, width, height;
};
constexpr CambiResolution cambi_speedups[] = {{1080, 1920, 1080}, {1440, 2560, 1440}, {2160, 3840, 2160}};

bool is_cambi_halved(int speedup, const CambiSize &size) {
    return std::ranges::any_of(cambi_speedups, [&](const CambiResolution &least) {
        return least.speedup == speedup &&
               std::int64_t{size.width} * size.height >= std::int64_t{least.width} * least.height;
    });
}

/// The side of the window for a picture of a size, where `window` is that for 3840x2160.
int cambi_window(int window, const CambiSize &size, bool halved) {
    const int scaled = (window * (size.width + size.height) / 375) >> 4;
    return (halved ? (scaled + 1) >> 1 : scaled) | 1;
}

/// The options of one side's size; where one is missing, the video's.
CambiSize cambi_size_option(const VideoFormat &format, const OptionSet &options, std::string_view width,
                            std::string_view height) {
    const CambiSize size{options.integer(width), options.integer(height)};
    return size.width == 0 || size.height == 0 ? CambiSize{format.width, format.height} : size;
}

Result<void> check_cambi_sizes(const CambiSize &encode, const CambiSize &source) {
    for (const CambiSize &size : {encode, source})
        if (std::max(size.width, size.height) < CAMBI_SMALLEST_LONGER_SIDE)
            return fail(ErrorCode::unsupported,
                        fmt::format("pictures need a side of at least {} samples, but the options make {}x{} of them: "
                                    "leave out or change enc_width and enc_height, or src_width and src_height",
                                    CAMBI_SMALLEST_LONGER_SIDE, size.width, size.height));
    if ((source.width > encode.width && source.height < encode.height) ||
        (source.width < encode.width && source.height > encode.height))
        return fail(ErrorCode::unsupported,
                    fmt::format("the source's {}x{} is larger than the encode's {}x{} in one direction "
                                "and smaller in the other: set src_width and src_height to the size of the source",
                                source.width, source.height, encode.width, encode.height));
    return {};
}

CambiEotf cambi_eotf_option(const OptionSet &options) {
    const std::string_view name =
        options.words("cambi_eotf") != "bt1886" ? options.words("cambi_eotf") : options.words("eotf");
    return name == "pq" ? CambiEotf::pq : CambiEotf::bt1886;
}

double cambi_topk_option(const OptionSet &options) {
    constexpr double usual = 0.6;
    return options.number("topk") != usual ? options.number("topk") : options.number("cambi_topk");
}

} // namespace

std::array<CambiSize, CAMBI_SCALE_COUNT> cambi_scale_sizes(const CambiPicture &picture) {
    std::array<CambiSize, CAMBI_SCALE_COUNT> sizes;
    CambiSize size{picture.width, picture.height};
    for (std::size_t scale = 0; scale < sizes.size(); scale++) {
        if (scale > 0 || picture.halved)
            size = {(size.width + 1) / 2, (size.height + 1) / 2};
        sizes[scale] = size;
    }
    return sizes;
}

std::size_t cambi_pooled_count(double topk, std::size_t pixels) {
    return std::clamp(static_cast<std::size_t>(topk * static_cast<double>(pixels)), std::size_t{1}, pixels);
}

Result<CambiSettings> cambi_settings(const VideoFormat &format, const OptionSet &options) {
    CambiSize encode = cambi_size_option(format, options, "enc_width", "enc_height");
    if (encode.width > format.width || encode.height > format.height)
        encode = {format.width, format.height};
    const CambiSize source = cambi_size_option(format, options, "src_width", "src_height");
    TRY(check_cambi_sizes(encode, source));

    CambiSettings settings{.topk = cambi_topk_option(options),
                           .max_val = options.number("cambi_max_val"),
                           .full_ref = options.flag("full_ref")};
    const int depth = options.integer("enc_bitdepth") == 0 ? format.bit_depth : options.integer("enc_bitdepth");
    const bool anti_dither = depth < CAMBI_SAMPLE_BITS;
    const bool halved = is_cambi_halved(options.integer("cambi_high_res_speedup"), encode);
    settings.distorted = {false, encode.width, encode.height, anti_dither, halved};
    settings.source = {true, source.width, source.height, anti_dither, halved};

    CambiContrast &contrast = settings.distorted_contrast;
    contrast.window = cambi_window(options.integer("window_size"), encode, halved);
    const int source_window = cambi_window(options.integer("window_size"), source, halved);
    if (const int larger = std::max(contrast.window, source_window); larger > CAMBI_LARGEST_WINDOW)
        return fail(ErrorCode::unsupported,
                    fmt::format("pictures of {}x{} need a window of {} samples, and {} is the most: set "
                                "a smaller window_size, or cambi_high_res_speedup=1080",
                                format.width, format.height, larger, CAMBI_LARGEST_WINDOW));
    contrast.steps = 1 << options.integer("max_log_contrast");
    const CambiEotf eotf = cambi_eotf_option(options);
    for (int d = 1; d <= contrast.steps; d++)
        contrast.limits[static_cast<std::size_t>(d - 1)] = visibility_limit(eotf, options.number("tvi_threshold"), d);
    contrast.dark_limit = dark_limit(eotf, options.number("cambi_vis_lum_threshold"));
    settings.source_contrast = contrast;
    settings.source_contrast.window = source_window;
    return settings;
}

std::uint32_t cambi_heat_map_maximum(const CambiContrast &contrast) {
    const std::uint32_t weight = *std::max_element(cambi_weights, cambi_weights + contrast.steps);
    const auto window = static_cast<std::uint32_t>(contrast.window);
    return weight * window * window / 4;
}

} // namespace isovmaf
