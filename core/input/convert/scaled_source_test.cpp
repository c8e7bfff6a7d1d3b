// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/scaled_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/cpu.h>
}

#include "input/testing/clip_files.hpp"

namespace isovmaf::scaled_source_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

Result<std::unique_ptr<FrameSource>> scaled(const TemporaryFolder &folder, const std::vector<Frame> &frames, int width,
                                            int height, const std::string &flags = default_scaler_flags) {
    auto source = open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = frames.front().format()});
    return make_scaled_source(*std::move(source), width, height, flags);
}

/// A frame whose planes are flat, at 1/4, 1/2 and 3/4 of the range.
Frame flat_frame(const VideoFormat &format) {
    return stored_frame(format, [&](int p, int, int) { return (p + 1) << (format.bit_depth - 2); });
}

TEST(ScaledSource, FlatPicturesStayFlat) {
    const TemporaryFolder folder;
    for (const char *flags : {"bilinear", "bicubic", "lanczos+accurate_rnd+bitexact"})
        for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int bits : {8, 9, 10, 12, 14, 16})
                for (const auto &[width, height] : {std::pair{48, 40}, std::pair{31, 21}, std::pair{2, 2}}) {
                    const VideoFormat from{33, 17, chroma, bits}, to{width, height, chroma, bits};
                    const auto source = scaled(folder, {flat_frame(from)}, width, height, flags);
                    ASSERT_TRUE(source) << source.error().message;
                    EXPECT_EQ((*source)->info().format, to);
                    const auto frame = (*source)->read();
                    ASSERT_TRUE(frame && *frame);
                    EXPECT_TRUE(same_frame(**frame, flat_frame(to)))
                        << flags << " " << static_cast<int>(chroma) << " " << bits << " " << width;
                }
}

TEST(ScaledSource, FiltersDiffer) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 64, .height = 48}, 1);
    std::vector<Frame> results;
    for (const char *flags : {"bilinear", "bicubic", "lanczos"})
        results.push_back(**(*scaled(folder, frames, 101, 77, flags))->read());
    EXPECT_FALSE(same_frame(results[0], results[1]));
    EXPECT_FALSE(same_frame(results[1], results[2]));
    EXPECT_TRUE(same_frame(results[1], **(*scaled(folder, frames, 101, 77))->read()));
}

TEST(ScaledSource, ReadsTheChromaThatAnOddSizeAdds) {
    const TemporaryFolder folder;
    std::vector<Frame> frames = clip_frames({.width = 33, .height = 17}, 1), results;
    for (const char edge : {'\1', '\x7f'}) {
        std::string bytes = raw_bytes(frames);
        bytes.back() = edge; // the last sample of the last plane, in a column and a row that are not scored
        auto source = open_source(folder.write("a.yuv", bytes), {.stated = frames.front().format()});
        results.push_back(**(*make_scaled_source(*std::move(source), 64, 40, default_scaler_flags))->read());
    }
    EXPECT_FALSE(same_frame(results[0], results[1]));
}

TEST(ScaledSource, TakesNamesOfFfmpegsFlags) {
    EXPECT_TRUE(check_scaler_flags("lanczos"));
    EXPECT_TRUE(check_scaler_flags("bicubic+accurate_rnd+full_chroma_inp+bitexact"));
    for (const char *flags : {"", "cubic", "bicubic+", "bicubic,accurate_rnd", "4", "bicubic:threads=2"})
        EXPECT_THAT(check_scaler_flags(flags).error().message, HasSubstr("it has fast_bilinear, bilinear, bicubic"));
    EXPECT_TRUE(scales_alike_everywhere("bitexact+lanczos+accurate_rnd"));
    EXPECT_FALSE(scales_alike_everywhere("bicubic+accurate_rnd"));
}

TEST(ScaledSource, ExactStandsForFlagsOfFfmpeg) {
    EXPECT_EQ(expand_scaler_flags("exact"), "bicubic+accurate_rnd+bitexact");
    EXPECT_EQ(expand_scaler_flags("lanczos+exact"), "lanczos+accurate_rnd+bitexact");
    EXPECT_EQ(expand_scaler_flags("exact+area"), "accurate_rnd+bitexact+area");
    EXPECT_EQ(expand_scaler_flags("lanczos"), "lanczos");
    EXPECT_EQ(expand_scaler_flags(""), "");
    EXPECT_TRUE(scales_alike_everywhere(expand_scaler_flags("exact")));
}

/// Lets libswscale use these instructions of the processor alone; -1 at the end: all that it has.
class CpuFlags {
  public:
    explicit CpuFlags(int flags) { av_force_cpu_flags(flags); }
    ~CpuFlags() { av_force_cpu_flags(-1); }
    CpuFlags(const CpuFlags &) = delete;
    CpuFlags &operator=(const CpuFlags &) = delete;
};

/// What the instructions of several processors give. Without any, libswscale runs its C code.
template <class Open>
bool is_alike_on_processors(const Open &open) {
    const int all = av_get_cpu_flags();
    const Frame expected = **(*open())->read();
    std::vector<int> lesser{0};
#if defined(__x86_64__)
    lesser.insert(lesser.end(), {all & ~(AV_CPU_FLAG_AVX2 | AV_CPU_FLAG_AVX512),
                                 all & (AV_CPU_FLAG_MMX | AV_CPU_FLAG_MMXEXT | AV_CPU_FLAG_SSE | AV_CPU_FLAG_SSE2)});
#endif
    return std::ranges::all_of(lesser, [&](int flags) {
        const CpuFlags forced(flags);
        return same_frame(**(*open())->read(), expected);
    });
}

TEST(ScaledSource, ExactSamplesAreTheSameOnEveryProcessor) {
    const TemporaryFolder folder;
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 12, 16}) {
            const auto frames = clip_frames({162, 122, chroma, bits}, 1);
            for (const char *flags : {"exact", "bilinear+exact", "lanczos+exact", "area+exact"})
                for (const auto &[width, height] : {std::pair{324, 244}, std::pair{81, 61}, std::pair{131, 151}})
                    EXPECT_TRUE(is_alike_on_processors([&] {
                        return scaled(folder, frames, width, height, expand_scaler_flags(flags));
                    })) << flags
                        << " " << static_cast<int>(chroma) << " " << bits << " " << width;
        }
#if defined(__x86_64__)
    const auto frames = clip_frames({.width = 162, .height = 122}, 1);
    EXPECT_FALSE(is_alike_on_processors([&] { return scaled(folder, frames, 324, 244, "bicubic"); }))
        << "this libswscale, or this test, no longer tells exact flags from others";
#endif
}

Result<std::unique_ptr<FrameSource>> converted(const TemporaryFolder &folder, const std::vector<Frame> &frames,
                                               const SampleFormat &format) {
    auto source = open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = frames.front().format()});
    return make_format_source(*std::move(source), format);
}

TEST(FormatSource, FlatPicturesStayFlatInEveryFormat) {
    const TemporaryFolder folder;
    for (const Chroma from : {Chroma::k420, Chroma::k422, Chroma::k444})
        for (const Chroma to : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int from_bits : {8, 10, 16})
                for (const int to_bits : {8, 10, 12}) {
                    const auto source = converted(folder, {flat_frame({33, 17, from, from_bits})}, {to, to_bits});
                    ASSERT_TRUE(source) << source.error().message;
                    const VideoFormat expected{33, 17, to, to_bits};
                    EXPECT_EQ((*source)->info().format, expected);
                    EXPECT_TRUE(same_frame(**(*source)->read(), flat_frame(expected)))
                        << static_cast<int>(from) << static_cast<int>(to) << " " << from_bits << " " << to_bits;
                }
}

TEST(FormatSource, LumaOfTheSameDepthStays) {
    const TemporaryFolder folder;
    for (const int bits : {8, 10}) {
        const auto frames = clip_frames({65, 49, Chroma::k422, bits}, 1);
        const Frame frame = **(*converted(folder, frames, {Chroma::k420, bits}))->read();
        for (int y = 0; y < 49; y++)
            ASSERT_EQ(std::memcmp(frame.plane(0).row<std::byte>(y), frames[0].plane(0).row<std::byte>(y),
                                  bits == 8 ? 65 : 130),
                      0);
    }
}

TEST(FormatSource, SamplesAreTheSameOnEveryProcessor) {
    const TemporaryFolder folder;
    for (const Chroma from : {Chroma::k420, Chroma::k422, Chroma::k444})
        for (const Chroma to : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int bits : {8, 10, 12}) {
                const auto frames = clip_frames({162, 122, from, bits}, 1);
                for (const int to_bits : {8, 10})
                    EXPECT_TRUE(is_alike_on_processors([&] {
                        return converted(folder, frames, {to, to_bits});
                    })) << static_cast<int>(from)
                        << static_cast<int>(to) << " " << bits << " " << to_bits;
            }
}

TEST(FormatSource, TellsWhatItDoes) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({64, 48, Chroma::k422, 10}, 1);
    const auto source = converted(folder, frames, {Chroma::k420, 8});
    EXPECT_EQ(conversion_text((*source)->info().conversions.at(0)),
              "422p10 to 420p8 by libswscale, as ffmpeg -vf "
              "scale=flags=bicubic+accurate_rnd+full_chroma_inp+full_chroma_int+bitexact,format=yuv420p");
    EXPECT_THAT((*converted(folder, frames, {Chroma::k422, 10}))->info().conversions, ::testing::IsEmpty());
    EXPECT_THAT((*converted(folder, frames, {Chroma::k422, 12}))->info().conversions, ::testing::SizeIs(1));
    EXPECT_THAT(converted(folder, frames, {Chroma::k420, 13}).error().message,
                HasSubstr("from 64x48 4:2:2 13-bit to 420p13"));
    EXPECT_THAT(converted(folder, clip_frames({64, 48, Chroma::k400}, 1), {Chroma::k420, 8}).error().message,
                HasSubstr("a.yuv to 420p8: it has luma alone"));
}

TEST(ScaledSource, NamesTheFilterThatDoesTheSame) {
    const TemporaryFolder folder;
    const auto source = *scaled(folder, clip_frames({.width = 64, .height = 48}, 1), 32, 20, "area");
    EXPECT_EQ(conversion_text(source->info().conversions.at(0)),
              "scaled from 64x48 to 32x20 by libswscale with flags area, as ffmpeg -vf scale=32:20:flags=area");
}

TEST(ScaledSource, RefusesWhatItCannotScale) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 64, .height = 48}, 1);
    EXPECT_THAT(scaled(folder, frames, 0, 48).error().message, HasSubstr("the frame width has to be from 1"));
    EXPECT_THAT(scaled(folder, frames, 64, 1).error().message, HasSubstr("too small to have chroma"));
    const auto eleven = clip_frames({.width = 64, .height = 48, .bit_depth = 11}, 1);
    EXPECT_THAT(scaled(folder, eleven, 32, 32).error().message, HasSubstr("64x48 4:2:0 11-bit to 32x32"));
    EXPECT_THAT(scaled(folder, frames, 32, 32, "bicubic+lanczos").error().message, HasSubstr("bicubic+lanczos"));
}

} // namespace
} // namespace isovmaf::scaled_source_test
