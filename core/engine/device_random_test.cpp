// SPDX-License-Identifier: BSD-2-Clause-Patent
// Random clips on the backend that ISOVMAF_TEST_PLUGIN names, against the CPU: every score in every bit.
//
//     device_random_test clips COUNT SEED LARGEST_WIDTH LARGEST_HEIGHT
//     device_random_test repeat COUNT          one clip, again and again
//
// Exit code 0: all equal; 1: something differs or failed.
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/number.hpp"
#include "device/plugin.hpp"
#include "engine/shared_frame.hpp"
#include "frame/patterns.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {
namespace {

constexpr int smallest_side = 33; ///< of the features that are compared

struct RandomClip {
    VideoFormat format;
    std::vector<FramePair> pairs;
    std::string description;
};

std::vector<FramePair> fill(const VideoFormat &format, int kind, std::uint32_t seed, int frames) {
    GeneratedClip generator(format);
    std::vector<FramePair> pairs;
    for (int n = 0; n < frames; n++) {
        const std::uint32_t s = seed + static_cast<std::uint32_t>(n);
        switch (kind) {
        case 0:
            pairs.push_back(generator.frame(s % 64));
            break;
        case 1:
            pairs.push_back(noise_pair(format, s));
            break;
        case 2:
            pairs.push_back(identical_pair(format, s));
            break;
        case 3:
            pairs.push_back(n % 2 ? noise_pair(format, s) : black_and_white(format));
            break;
        case 4:
            pairs.push_back({grain_frame(format, s), noise_frame(format, s)});
            break;
        case 5:
            pairs.push_back({noise_frame(format, s), constant_frame(format, s % (largest_sample(format) + 1))});
            break;
        default:
            pairs.push_back({generator.frame(s % 64).reference, grain_frame(format, s)});
            break;
        }
    }
    return pairs;
}

RandomClip random_clip(std::mt19937 &random, int largest_width, int largest_height) {
    const auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    RandomClip clip;
    clip.format = {.width = pick(smallest_side, largest_width),
                   .height = pick(smallest_side, largest_height),
                   .chroma = static_cast<Chroma>(pick(0, 3)),
                   .bit_depth = std::array{8, 10, 12, 16}[static_cast<std::size_t>(pick(0, 3))]};
    const int kind = pick(0, 6), frames = pick(1, 4);
    const auto seed = static_cast<std::uint32_t>(pick(0, 1 << 20));
    clip.pairs = fill(clip.format, kind, seed, frames);
    clip.description =
        fmt::format("{}x{}, chroma {}, {} bit, fill {} of seed {}, {} frames", clip.format.width, clip.format.height,
                    static_cast<int>(clip.format.chroma), clip.format.bit_depth, kind, seed, frames);
    return clip;
}

/// Every feature with its plain and its special options, and two models that share them.
SessionOptions everything(const VideoFormat &format) {
    SessionOptions options{.format = format};
    options.models = {{.version = "vmaf_v0.6.1", .name = "vmaf"}, {.version = "vmaf_v0.6.1neg", .name = "neg"}};
    options.features = {
        {"motion", {{"motion_five_frame_window", "true"}}},
        {"vif", {{"vif_enhn_gain_limit", "1.5"}, {"vif_skip_scale0", "true"}}},
        {"adm", {{"adm_csf_mode", "2"}, {"adm_norm_view_dist", "5.0"}}},
        {"psnr", {{"enable_chroma", format.chroma == Chroma::k400 ? "false" : "true"}}},
    };
    return options;
}

SessionOptions on_device(SessionOptions options) {
    const char *const file = std::getenv("ISOVMAF_TEST_PLUGIN");
    if (!file)
        throw Failure({ErrorCode::invalid_argument, "ISOVMAF_TEST_PLUGIN has to name a backend plugin"});
    options.backend = value_of(Plugin::open(file))->name();
    options.backend_folders = {std::filesystem::path(file).parent_path().string()};
    return options;
}

std::vector<FrameScores> score(const SessionOptions &options, const RandomClip &clip) {
    Session session = value_of(Session::create(options));
    for (const FramePair &pair : clip.pairs)
        value_of(session.push(share(pair.reference), share(pair.distorted)));
    value_of(session.finish());
    std::vector<FrameScores> all;
    while (std::optional<FrameScores> scores = session.next_result())
        all.push_back(*std::move(scores));
    return all;
}

struct Counts {
    std::int64_t compared = 0, different = 0;
};

void compare(const RandomClip &clip, const std::vector<FrameScores> &found, const std::vector<FrameScores> &expected,
             Counts &counts) {
    for (std::size_t n = 0; n < expected.size(); n++)
        for (std::size_t i = 0; i < expected[n].scores.size(); i++) {
            const double a = found.at(n).scores.at(i), b = expected[n].scores[i];
            counts.compared++;
            if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b))
                continue;
            counts.different++;
            fmt::print("{}: score {} of frame {} is {:a} on the device, {:a} on the CPU\n", clip.description, i, n, a,
                       b);
        }
}

Counts random_clips(int count, std::uint32_t seed, int largest_width, int largest_height) {
    std::mt19937 random(seed);
    Counts counts;
    for (int i = 0; i < count; i++) {
        const RandomClip clip = random_clip(random, largest_width, largest_height);
        const SessionOptions cpu = everything(clip.format);
        compare(clip, score(on_device(cpu), clip), score(cpu, clip), counts);
    }
    return counts;
}

Counts repeats(int count) {
    const VideoFormat format{.width = 352, .height = 288};
    const RandomClip clip{format, fill(format, 0, 1, 6), "a generated clip"};
    const SessionOptions cpu = everything(format);
    const std::vector<FrameScores> expected = score(cpu, clip);
    Counts counts;
    for (int i = 0; i < count; i++)
        compare(clip, score(on_device(cpu), clip), expected, counts);
    return counts;
}

int number(std::string_view text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value)
        throw Failure({ErrorCode::invalid_argument, fmt::format("\"{}\" is no number", text)});
    return static_cast<int>(*value);
}

int run(const std::vector<std::string_view> &arguments) {
    Counts counts;
    if (arguments.size() == 5 && arguments[0] == "clips")
        counts = random_clips(number(arguments[1]), static_cast<std::uint32_t>(number(arguments[2])),
                              number(arguments[3]), number(arguments[4]));
    else if (arguments.size() == 2 && arguments[0] == "repeat")
        counts = repeats(number(arguments[1]));
    else
        throw Failure({ErrorCode::invalid_argument, "see the top of device_random_test.cpp"});
    fmt::print("compared {} values, {} differ\n", counts.compared, counts.different);
    return counts.compared > 0 && counts.different == 0 ? 0 : 1;
}

} // namespace
} // namespace isovmaf

int main(int argc, char **argv) {
    try {
        return isovmaf::run({argv + 1, argv + argc});
    } catch (const std::exception &exception) {
        fmt::print("failed: {}\n", exception.what());
        return 1;
    }
}
