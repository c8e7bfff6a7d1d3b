// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/vif/vif.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "portable/edges.h"

namespace isovmaf::vif_test {
namespace {

using testing::generated_clip;
using testing::run_feature;
using Values = std::vector<double>;

const OptionTexts neg{{"egl", "1"}}, debug{{"debug", "true"}}, skip_scale0{{"ssclz", "true"}};

std::string scale_name(int scale) { return "VMAF_integer_feature_vif_scale" + std::to_string(scale) + "_score"; }
std::string neg_name(int scale) { return "integer_vif_scale" + std::to_string(scale) + "_egl_1"; }

/// VIF's sums once more, from features.md §3.1 to §3.4 as they are written there: whole planes, one pixel at a time,
/// in 64-bit integers.
class SlowVif {
  public:
    SlowVif(const FramePair &pair, double gain_limit) : limit_(gain_limit) {
        const int bits = pair.reference.format().bit_depth;
        Image r = luma(pair.reference), d = luma(pair.distorted);
        for (int s = 0; s < VIF_SCALE_COUNT; s++) {
            taps_ = filters[static_cast<std::size_t>(s)];
            if (s > 0) {
                r = decimate(r, s == 1 ? bits : 16);
                d = decimate(d, s == 1 ? bits : 16);
            }
            add_scale(r, d, s == 0 ? bits : 16, s == 0 ? 2 * (bits - 8) : 16);
        }
    }

    std::vector<std::int64_t> sums; ///< den_log, num_non, den_non, num_log of each scale, as VifDemand orders them

  private:
    struct Image {
        int width, height;
        std::function<std::uint64_t(int, int)> at; ///< column, row
    };

    static constexpr std::span<const std::uint16_t> filters[] = {vif_taps_0, vif_taps_1, vif_taps_2, vif_taps_3};

    static std::uint64_t round(std::uint64_t x, int shift) {
        return shift == 0 ? x : (x + (std::uint64_t{1} << (shift - 1))) >> shift;
    }

    /// Keeps the samples of an image that is costly to ask.
    static Image store(const Image &image) {
        std::vector<std::uint64_t> samples;
        for (int y = 0; y < image.height; y++)
            for (int x = 0; x < image.width; x++)
                samples.push_back(image.at(x, y));
        return {image.width, image.height, [samples = std::move(samples), w = image.width](int x, int y) {
                    return samples[static_cast<std::size_t>(y * w + x)];
                }};
    }

    static Image luma(const Frame &frame) {
        const Plane &p = frame.plane(0);
        const bool bytes = frame.format().bytes_per_sample() == 1;
        return store({p.width, p.height, [&, bytes](int x, int y) -> std::uint64_t {
                          return bytes ? p.row<std::uint8_t>(y)[x] : p.row<std::uint16_t>(y)[x];
                      }});
    }

    Image vertical(const Image &image, int shift) const {
        return store({image.width, image.height, [&, shift](int x, int y) {
                          std::uint64_t sum = 0;
                          for (int k = 0; k < count(); k++)
                              sum += tap(k) * image.at(x, mirror_101(y - count() / 2 + k, image.height));
                          return round(sum, shift);
                      }});
    }

    std::uint64_t horizontal(const Image &image, int x, int y) const {
        std::uint64_t sum = 0;
        for (int k = 0; k < count(); k++)
            sum += tap(k) * image.at(mirror_101(x - count() / 2 + k, image.width), y);
        return sum;
    }

    Image decimate(const Image &image, int shift) const {
        const Image columns = vertical(image, shift);
        return store({image.width / 2, image.height / 2,
                      [&](int x, int y) { return round(horizontal(columns, 2 * x, 2 * y), 16); }});
    }

    void add_scale(const Image &r, const Image &d, int mean_shift, int product_shift) {
        const auto product = [&](const Image &u, const Image &v) {
            return vertical({u.width, u.height, [&](int x, int y) { return u.at(x, y) * v.at(x, y); }}, product_shift);
        };
        const Image m1 = vertical(r, mean_shift), m2 = vertical(d, mean_shift);
        const Image xx = product(r, r), yy = product(d, d), xy = product(r, d);
        const std::size_t block = sums.size();
        sums.resize(block + 4);
        for (int y = 0; y < r.height; y++)
            for (int x = 0; x < r.width; x++) {
                const std::uint64_t a = horizontal(m1, x, y), b = horizontal(m2, x, y);
                const auto sigma = [&](const Image &products, std::uint64_t u, std::uint64_t v) {
                    return static_cast<std::int32_t>(
                        static_cast<std::uint32_t>(round(horizontal(products, x, y), 16) - round(u * v, 32)));
                };
                add_pixel(sigma(xx, a, a), std::max(0, sigma(yy, b, b)), sigma(xy, a, b), &sums[block]);
            }
    }

    void add_pixel(std::int32_t s1, std::int32_t s2, std::int32_t s12, std::int64_t *out) const {
        if (s1 < 131072) {
            out[1] += s2;
            out[2]++;
            return;
        }
        out[0] += log(static_cast<std::uint64_t>(131072 + s1)) - 34816;
        if (s12 <= 0 || s2 <= 0)
            return;
        double g = s12 / (s1 + 65536 * 1.0e-10);
        const double product = g * s12;
        const auto sv = static_cast<std::int64_t>(s2 - product);
        const auto n1 = static_cast<std::uint64_t>(std::max<std::int64_t>(sv, 0) + 131072);
        g = std::min(g, limit_);
        const double squared = g * g;
        out[3] += log(static_cast<std::uint64_t>(squared * s1) + n1) - log(n1);
    }

    static std::int64_t log(std::uint64_t v) {
        int k = 0;
        while (v >> k > 65535)
            k++;
        return vif_log_table()[(v >> k) - 32768] + 2048 * k;
    }

    [[nodiscard]] int count() const { return static_cast<int>(taps_.size()); }
    [[nodiscard]] std::uint64_t tap(int k) const { return taps_[static_cast<std::size_t>(k)]; }

    double limit_;
    std::span<const std::uint16_t> taps_;
};

std::vector<std::int64_t> reference_sums(const FramePair &pair, double gain_limit) {
    const VifDemand demand{.scale0 = true, .gain_limits = {gain_limit}};
    const auto extractor = make_vif_reference(pair.reference.format(), demand);
    std::vector<std::int64_t> sums(demand.word_count());
    Workspace workspace;
    extractor->extract({HostPicture(pair.reference), HostPicture(pair.distorted)}, workspace, sums);
    return sums;
}

TEST(Vif, LogTableIsTheOneOfTheSpecification) {
    std::uint64_t hash =
        1469598103934665603; // the specification's FNV-1a starts here, a digit short of the usual basis
    const auto add = [&](std::uint16_t value) {
        for (const int shift : {0, 8})
            hash = (hash ^ (std::uint64_t{value} >> shift & 255)) * 0x100000001b3;
    };
    add(30720); // the specification's table starts one entry earlier
    for (const std::uint16_t value : vif_log_table())
        add(value);
    EXPECT_EQ(hash, 0x2b7f97e5ae1c3fcbu);
}

struct Golden {
    VideoFormat format;
    Values scales, neg_scales; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 176, .height = 144},
     {0x1.acc5a4p-2, 0x1.e3984p-1, 0x1.f56b9p-1, 0x1.fb4f8ep-1},
     {0x1.ac988ep-2, 0x1.e34e18p-1, 0x1.f51afep-1, 0x1.faebcap-1}},
    {{.width = 321, .height = 183},
     {0x1.aa690ap-2, 0x1.e2b36ep-1, 0x1.f514ep-1, 0x1.fb5fecp-1},
     {0x1.aa3ff8p-2, 0x1.e275c4p-1, 0x1.f4cf34p-1, 0x1.fae888p-1}},
    {{.width = 322, .height = 242, .chroma = Chroma::k444},
     {0x1.a855c2p-2, 0x1.e2435cp-1, 0x1.f4eedcp-1, 0x1.fb339p-1},
     {0x1.a82fa4p-2, 0x1.e20844p-1, 0x1.f4aa04p-1, 0x1.faca28p-1}},
    {{.width = 352, .height = 288, .bit_depth = 10},
     {0x1.a3bfa6p-2, 0x1.e1d66ap-1, 0x1.f4da5p-1, 0x1.fb1886p-1},
     {0x1.a3a7d4p-2, 0x1.e18e1cp-1, 0x1.f4845ep-1, 0x1.faa3ep-1}},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12},
     {0x1.a3e262p-2, 0x1.e1bbp-1, 0x1.f4deeep-1, 0x1.fb3cdep-1},
     {0x1.a3c914p-2, 0x1.e17698p-1, 0x1.f49174p-1, 0x1.fac5b6p-1}},
    {{.width = 256, .height = 256, .bit_depth = 16},
     {0x1.a34308p-2, 0x1.e225d8p-1, 0x1.f52444p-1, 0x1.fb524cp-1},
     {0x1.a329aep-2, 0x1.e1da58p-1, 0x1.f4d0acp-1, 0x1.fad45ap-1}},
};

TEST(Vif, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden) {
        const auto scores = run_feature("vif", {{}, neg}, {GeneratedClip(want.format).frame(1)});
        for (int s = 0; s < VIF_SCALE_COUNT; s++) {
            const auto i = static_cast<std::size_t>(s);
            EXPECT_EQ(scores[0].frames.at(scale_name(s)), Values{want.scales[i]}) << want.format.width << " " << s;
            EXPECT_EQ(scores[1].frames.at(neg_name(s)), Values{want.neg_scales[i]}) << want.format.width << " " << s;
        }
    }
}

TEST(Vif, DebugReportsNumeratorsAndDenominators) {
    const auto scores = run_feature("vif", {debug}, generated_clip({.width = 176, .height = 144}, 1)).front();
    EXPECT_EQ(scores.frames.at("integer_vif_num_scale0"), Values{0x1.ac6fe2p+15});
    EXPECT_EQ(scores.frames.at("integer_vif_den_scale0"), Values{0x1.fc700cp+16});
    EXPECT_EQ(scores.frames.at("integer_vif_num_scale3"), Values{0x1.b11f2ep+10});
    EXPECT_EQ(scores.frames.at("integer_vif_den_scale3"), Values{0x1.b3cac8p+10});
    EXPECT_EQ(scores.frames.at("integer_vif"), Values{0x1.12d961a09fefap-1});
    EXPECT_EQ(scores.frames.at("integer_vif_num")[0] / scores.frames.at("integer_vif_den")[0], 0x1.12d961a09fefap-1);
}

TEST(Vif, SkippedScaleCountsForNothing) {
    const auto clip = generated_clip({.width = 64, .height = 48}, 1);
    const auto scores = run_feature("vif", {{{"ssclz", "true"}, {"debug", "true"}}}, clip).front();
    const auto at = [&](const std::string &name) { return scores.frames.at(name + "_ssclz")[0]; };
    EXPECT_EQ(at("integer_vif_scale0"), 0);
    EXPECT_EQ(at("integer_vif_num_scale0"), 0);
    EXPECT_EQ(at("integer_vif_den_scale0"), -1);
    EXPECT_EQ(at("integer_vif_den"),
              at("integer_vif_den_scale1") + at("integer_vif_den_scale2") + at("integer_vif_den_scale3"));
    EXPECT_EQ(at("integer_vif_scale1"), run_feature("vif", {{}}, clip)[0].frames.at(scale_name(1))[0]);
}

TEST(Vif, SumsEqualTheSlowDefinition) {
    for (const int bits : {8, 9, 10, 12, 16})
        for (const auto &[width, height] : {std::pair{16, 16}, {17, 31}, {47, 18}}) {
            const VideoFormat format{.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = bits};
            const Frame noise = noise_frame(format, 9), grain = grain_frame(format, 10),
                        white = constant_frame(format, largest_sample(format));
            const FramePair pairs[] = {noise_pair(format, 7),
                                       identical_pair(format, 8),
                                       black_and_white(format),
                                       GeneratedClip(format).frame(3),
                                       {white, noise},
                                       {noise, white},
                                       {noise, grain},
                                       {grain, noise},
                                       {grain, grain_frame(format, 11)}};
            for (const FramePair &pair : pairs)
                for (const double limit : {1.0, 100.0})
                    EXPECT_EQ(reference_sums(pair, limit), SlowVif(pair, limit).sums)
                        << bits << " bit " << width << "x" << height << ", pair " << &pair - pairs;
        }
}

TEST(Vif, FlatPicturesLoseNothing) {
    for (const int bits : {8, 16}) {
        const VideoFormat format{.width = 33, .height = 20, .bit_depth = bits};
        const Frame black = constant_frame(format, 0);
        const Frame white = constant_frame(format, largest_sample(format));
        const auto scores = run_feature("vif", {{}}, {{black, black}, {white, white}, {black, white}}).front();
        for (const auto &[name, values] : scores.frames)
            EXPECT_EQ(values, (Values{1, 1, 1})) << name << " " << bits;
    }
}

TEST(Vif, FlatCopyOfNoiseKeepsNothing) {
    const VideoFormat format{.width = 64, .height = 64, .bit_depth = 10};
    const FramePair pair{noise_frame(format, 3), constant_frame(format, 512)};
    const auto scores = run_feature("vif", {{}}, {pair}).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, Values{0}) << name;
}

/// Pixels of a flat reference count 1 each, less the noise that the distorted picture added.
TEST(Vif, NoiseOnAFlatReferenceIsCountedAsLoss) {
    const VideoFormat format{.width = 64, .height = 64};
    const FramePair pair{constant_frame(format, 128), noise_frame(format, 4)};
    const auto sums = reference_sums(pair, 100);
    ASSERT_EQ(sums[VifDemand::den_non_sum], 64 * 64);
    ASSERT_GT(sums[VifDemand::num_non_sum], 0);
    const auto num = static_cast<float>(4096 - static_cast<double>(sums[VifDemand::num_non_sum]) / 16384.0 / 65025.0);
    const auto scores = run_feature("vif", {{}}, {pair}).front();
    EXPECT_EQ(scores.frames.at(scale_name(0)), Values{double{num / 4096.0f}});
}

TEST(Vif, EqualPicturesKeepNearlyAll) {
    const auto scores = run_feature("vif", {{}}, {identical_pair({.width = 64, .height = 64}, 5)}).front();
    for (const auto &[name, values] : scores.frames) {
        EXPECT_LE(values[0], 1) << name;
        EXPECT_GT(values[0], 0.9999) << name; // the gain's epsilon and the table's rounding take the rest
    }
}

TEST(Vif, BytesBetweenRowsAreNotRead) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 33, .height = 17, .bit_depth = bits};
        EXPECT_EQ(reference_sums(noise_pair(format, 1, 0x00), 100), reference_sums(noise_pair(format, 1, 0xff), 100));
    }
}

TEST(Vif, OptionSetsThatShareAnExtractionEqualEachAlone) {
    const std::vector<OptionTexts> sets{{}, neg, debug, {{"egl", "1.2"}, {"ssclz", "true"}}, skip_scale0};
    const auto clip = generated_clip({.width = 48, .height = 40, .bit_depth = 10}, 2);
    const auto shared = run_feature("vif", sets, clip);
    for (std::size_t i = 0; i < sets.size(); i++)
        EXPECT_EQ(shared[i].frames, run_feature("vif", {sets[i]}, clip).front().frames) << i;
}

TEST(Vif, OneGainLimitIsCountedOnce) {
    std::vector<OptionSet> sets;
    for (const OptionTexts &texts : {OptionTexts{}, neg, debug, skip_scale0})
        sets.push_back(*OptionSet::parse("vif", vif_feature.options, texts));
    const auto plan = vif_feature.plan({.format = {.width = 16, .height = 16}}, sets);
    ASSERT_EQ(plan->words.size(), (3u + 2u) * VIF_SCALE_COUNT);
    EXPECT_EQ(plan->words[5 + VifDemand::num_log_sums + 1].name, "scale 1: numerator, logarithms, gain limit 1");
}

/// What an extraction for both gain limits computes: its sums, and its stages by name.
struct Stages {
    std::vector<std::int64_t> sums;
    std::map<std::string, std::vector<std::int64_t>> planes;

    explicit Stages(const FramePair &pair) {
        std::vector<OptionSet> sets;
        for (const OptionTexts &texts : {OptionTexts{}, neg})
            sets.push_back(*OptionSet::parse("vif", vif_feature.options, texts));
        const auto plan = vif_feature.plan({.format = pair.reference.format()}, sets);
        sums.resize(plan->words.size());
        StageMemory memory(plan->stages);
        Workspace workspace;
        plan->definition->extract({HostPicture(pair.reference), HostPicture(pair.distorted)}, workspace, sums,
                                  memory.taps());
        for (std::size_t s = 0; s < plan->stages.size(); s++) {
            const auto plane = memory.plane(s);
            planes[plan->stages[s].name] = {plane.begin(), plane.end()};
        }
    }

    [[nodiscard]] const std::vector<std::int64_t> &at(int scale, const std::string &name) const {
        return planes.at("scale " + std::to_string(scale) + ": " + name);
    }
};

TEST(Vif, StagesAddUpToTheSums) {
    for (const int bits : {8, 10}) {
        const Stages stages(GeneratedClip({.width = 131, .height = 77, .bit_depth = bits}).frame(1));
        for (int s = 0; s < VIF_SCALE_COUNT; s++) {
            const std::int64_t *const sums = &stages.sums[static_cast<std::size_t>(s) * 5];
            const auto total = [&](const std::string &name) {
                const auto &plane = stages.at(s, name);
                return std::accumulate(plane.begin(), plane.end(), std::int64_t{0});
            };
            EXPECT_EQ(total("logarithm of the denominator"), sums[VifDemand::den_log_sum]) << s;
            EXPECT_EQ(total("logarithm of the numerator, gain limit 100"), sums[VifDemand::num_log_sums]) << s;
            EXPECT_EQ(total("logarithm of the numerator, gain limit 1"), sums[VifDemand::num_log_sums + 1]) << s;
            EXPECT_EQ(std::ranges::count(stages.at(s, "logarithm of the denominator"), 0), sums[VifDemand::den_non_sum])
                << s;
        }
    }
}

TEST(Vif, StagesShowWhatTheirNamesSay) {
    const VideoFormat format{.width = 37, .height = 26};
    const Frame flat = constant_frame(format, 0x40), noise = noise_frame(format, 1);
    const Stages levels({flat, constant_frame(format, 0x90)}), noisy({flat, noise}), equal({noise, noise});
    for (int s = 0; s < VIF_SCALE_COUNT; s++) {
        const auto size = static_cast<std::size_t>((37 >> s) * (26 >> s));
        if (s > 0) {
            EXPECT_EQ(levels.at(s, "decimated reference"), std::vector<std::int64_t>(size, 0x4000)) << s;
            EXPECT_EQ(levels.at(s, "decimated distorted picture"), std::vector<std::int64_t>(size, 0x9000)) << s;
        }
        EXPECT_LE(std::ranges::max(noisy.at(s, "variance of the reference")), 0) << s;
        EXPECT_GT(std::ranges::min(noisy.at(s, "variance of the distorted picture")), 0) << s;
        EXPECT_EQ(equal.at(s, "covariance"), equal.at(s, "variance of the reference")) << s;
        EXPECT_GT(std::ranges::min(equal.at(s, "covariance")), 0) << s;
    }
    EXPECT_EQ(levels.planes.size(), 4u * 6 + 3 * 2);
}

TEST(Vif, SkippedScaleHasNoStages) {
    const std::vector<OptionSet> sets{*OptionSet::parse("vif", vif_feature.options, skip_scale0)};
    const auto plan = vif_feature.plan({.format = {.width = 64, .height = 48}}, sets);
    ASSERT_EQ(plan->stages.size(), 3u * (2 + 5));
    EXPECT_EQ(plan->stages.front().name, "scale 1: decimated reference");
    EXPECT_EQ(plan->stages.back().name, "scale 3: logarithm of the numerator, gain limit 100");
}

TEST(Vif, SmallPicturesAreRefused) {
    const OptionSet defaults(vif_feature.options);
    EXPECT_TRUE(check_needs(vif_feature, {.width = 16, .height = 16}, defaults));
    for (const auto &[width, height] : {std::pair{15, 16}, {16, 15}}) {
        const auto checked = check_needs(vif_feature, {.width = width, .height = height}, defaults);
        ASSERT_FALSE(checked);
        EXPECT_NE(checked.error().message.find("16x16"), std::string::npos) << checked.error().message;
    }
}

} // namespace
} // namespace isovmaf::vif_test
