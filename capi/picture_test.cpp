// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/picture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <gmock/gmock.h>

#include "capi/status.hpp"
#include "capi/testing/captured.hpp"

namespace isovmaf::capi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A picture that is released at the end, unless a test has done so.
struct Picture : VmafPicture {
    Picture(VmafPixelFormat format, unsigned depth, unsigned width, unsigned height) : VmafPicture{} {
        EXPECT_EQ(vmaf_picture_alloc(this, format, depth, width, height), 0);
    }
    ~Picture() { release(*this); }
    Picture(const Picture &) = delete;
    Picture &operator=(const Picture &) = delete;

    [[nodiscard]] std::ptrdiff_t offset(std::size_t plane) const {
        return static_cast<const char *>(data[plane]) - static_cast<const char *>(data[0]);
    }
};

TEST(Picture, IsLaidOutAsLibvmafDoes) {
    const Picture narrow(VMAF_PIX_FMT_YUV420P, 8, 577, 325);
    EXPECT_THAT(narrow.w, ElementsAre(577, 288, 288));
    EXPECT_THAT(narrow.h, ElementsAre(325, 162, 162));
    EXPECT_THAT(narrow.stride, ElementsAre(608, 288, 288));
    EXPECT_EQ(narrow.offset(1), 197600);
    EXPECT_EQ(narrow.offset(2), 244256);
    const Picture wide(VMAF_PIX_FMT_YUV420P, 10, 577, 325);
    EXPECT_THAT(wide.stride, ElementsAre(1216, 576, 576));
    EXPECT_EQ(wide.offset(2), 2 * 244256);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.data[0]) % 64, 0U);
}

TEST(Picture, ChromaHasTheSizeOfTheFormat) {
    EXPECT_THAT(Picture(VMAF_PIX_FMT_YUV422P, 8, 7, 5).w, ElementsAre(7, 3, 3));
    EXPECT_THAT(Picture(VMAF_PIX_FMT_YUV422P, 8, 7, 5).h, ElementsAre(5, 5, 5));
    EXPECT_THAT(Picture(VMAF_PIX_FMT_YUV444P, 16, 7, 5).w, ElementsAre(7, 7, 7));
    const Picture grey(VMAF_PIX_FMT_YUV400P, 12, 7, 5);
    EXPECT_THAT(grey.w, ElementsAre(7, 0, 0));
    EXPECT_THAT(grey.stride, ElementsAre(64, 0, 0));
    EXPECT_THAT(grey.data, ElementsAre(grey.data[0], nullptr, nullptr));
}

TEST(Picture, ItsSamplesAreZero) {
    for (int turn = 0; turn < 2; turn++) { // memory is used again
        const Picture picture(VMAF_PIX_FMT_YUV420P, 8, 100, 50);
        auto *const bytes = static_cast<unsigned char *>(picture.data[0]);
        constexpr std::size_t count = 128 * 50 + 2 * 64 * 25;
        EXPECT_TRUE(std::all_of(bytes, bytes + count, [](unsigned char byte) { return byte == 0; }));
        std::memset(bytes, 0xff, count);
    }
}

TEST(Picture, MayHaveNoSamples) {
    const Picture picture(VMAF_PIX_FMT_YUV420P, 8, 0, 0);
    EXPECT_TRUE(is_allocated(picture));
    EXPECT_THAT(format_of(picture).error().message, HasSubstr("a picture of 0x0 samples cannot be scored"));
}

TEST(Picture, WhatIsNotPossibleIsRefused) {
    struct Case {
        unsigned format, depth, width, height;
        const char *message;
    };
    for (const Case &c :
         {Case{0, 8, 64, 64, "pixel format 0"}, Case{5, 8, 64, 64, "pixel format 5"},
          Case{~0U, 8, 64, 64, "pixel format 4294967295"}, Case{1, 7, 64, 64, "7 bits"}, Case{1, 17, 64, 64, "17 bits"},
          Case{1, 8, 32769, 64, "32769x64"}, Case{1, 8, 64, ~0U, "64x4294967295"}}) {
        VmafPicture picture{};
        picture.bpc = 99;
        EXPECT_THAT(printed_by([&] {
                        EXPECT_EQ(vmaf_picture_alloc(&picture, static_cast<VmafPixelFormat>(c.format), c.depth, c.width,
                                                     c.height),
                                  status_invalid);
                    }),
                    HasSubstr(c.message));
        EXPECT_EQ(picture.bpc, 99U);
    }
    printed_by([] { EXPECT_EQ(vmaf_picture_alloc(nullptr, VMAF_PIX_FMT_YUV420P, 8, 64, 64), status_invalid); });
}

TEST(Picture, IsReleasedOnce) {
    Picture picture(VMAF_PIX_FMT_YUV420P, 8, 64, 64);
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(picture.w[0], 0U);
    EXPECT_EQ(picture.data[0], nullptr);
    EXPECT_THAT(printed_by([&] { EXPECT_EQ(vmaf_picture_unref(&picture), status_invalid); }),
                HasSubstr("the picture owns no memory"));
    printed_by([] { EXPECT_EQ(vmaf_picture_unref(nullptr), status_invalid); });
}

TEST(Picture, AFrameSharesItsMemory) {
    Picture picture(VMAF_PIX_FMT_YUV422P, 10, 64, 4);
    const std::weak_ptr<std::byte> memory = picture.ref->memory;
    static_cast<std::uint16_t *>(picture.data[2])[5] = 1023;
    Frame frame = share(picture, format_of(picture).value());
    EXPECT_EQ(frame.stride_bytes(1), 64);
    release(picture);
    EXPECT_EQ(frame.plane(2).row<std::uint16_t>(0)[5], 1023);
    EXPECT_FALSE(memory.expired());
    frame = {};
    EXPECT_TRUE(memory.expired());
}

TEST(Picture, HasAFormat) {
    const Picture picture(VMAF_PIX_FMT_YUV400P, 12, 7, 5);
    EXPECT_EQ(format_of(picture).value(), (VideoFormat{7, 5, Chroma::k400, 12}));
    const Picture full(VMAF_PIX_FMT_YUV444P, 8, 32768, 1);
    EXPECT_EQ(format_of(full).value(), (VideoFormat{32768, 1, Chroma::k444, 8}));
}

TEST(Picture, AStructThatWasChangedIsChecked) {
    const Picture picture(VMAF_PIX_FMT_YUV420P, 10, 64, 48);
    const auto refused = [&](auto change) {
        VmafPicture changed = picture;
        change(changed);
        const auto format = format_of(changed);
        return format ? "" : format.error().message;
    };
    EXPECT_EQ(refused([](VmafPicture &) {}), "");
    EXPECT_THAT(refused([](VmafPicture &p) { p.bpc = 17; }), HasSubstr("17 bits"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.pix_fmt = VMAF_PIX_FMT_UNKNOWN; }), HasSubstr("pixel format 0"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.w[1] = 33; }),
                HasSubstr("plane Cb of a picture has 33x24 samples, but its format makes it 32x24"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.h[2] = 23; }), HasSubstr("plane Cr of a picture has 32x23"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.data[1] = nullptr; }),
                HasSubstr("plane Cb of a picture cannot be read"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.stride[0] = 127; }), HasSubstr("127 bytes apart"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.stride[0] = 126; }), HasSubstr("126 bytes apart"));
    EXPECT_THAT(refused([](VmafPicture &p) { p.data[0] = static_cast<char *>(p.data[0]) + 1; }),
                HasSubstr("cannot be read"));
    EXPECT_EQ(refused([](VmafPicture &p) { p.stride[0] = -128; }), "");
    const VmafPicture by_hand = [&] {
        VmafPicture copy = picture;
        copy.priv = nullptr;
        return copy;
    }();
    EXPECT_FALSE(is_allocated(by_hand));
    EXPECT_FALSE(is_allocated(VmafPicture{}));
}

} // namespace
} // namespace isovmaf::capi
