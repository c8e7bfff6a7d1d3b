// SPDX-License-Identifier: BSD-2-Clause-Patent
// Pairs of pictures: indices, shapes, the end of the video, threads, pools.
#include <algorithm>
#include <cerrno>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capi/testing/client.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::capi::testing::reading_test {
namespace {

/// Scores of the generated clip as a session gives them, by report name, for frames 0 to `frames` - 1.
std::vector<double> session_scores(const std::string &feature, const std::string &name, unsigned frames) {
    Result<Session> session =
        Session::create({.format = small, .scoring = {.features = {{feature, {}}}}, .execution = {.threads = 1}});
    GeneratedClip clip(small);
    for (unsigned n = 0; n < frames; n++) {
        const FramePair pair = clip.frame(n);
        EXPECT_TRUE(session->push(pair.reference, pair.distorted));
    }
    EXPECT_TRUE(session->finish());
    const auto column = std::ranges::find(session->score_names(), name) - session->score_names().begin();
    std::vector<double> scores;
    while (const std::optional<FrameScores> frame = session->next_result())
        scores.push_back(frame->scores[static_cast<std::size_t>(column)]);
    return scores;
}

std::vector<double> client_scores(const Client &client, const std::string &name, unsigned frames) {
    std::vector<double> scores;
    for (unsigned n = 0; n < frames; n++)
        scores.push_back(client.score(name, n).value_or(-1));
    return scores;
}

TEST(Reading, ScoresAreThoseOfASession) {
    constexpr unsigned frames = 9;
    const std::vector<double> vif = session_scores("vif", "integer_vif_scale0", frames),
                              motion = session_scores("motion", "integer_motion2", frames);
    for (const unsigned threads : {0u, 1u, 3u}) {
        const Client client({"vif", "motion"}, threads);
        for (unsigned n = 0; n < frames; n++)
            ASSERT_EQ(client.read(n), 0);
        ASSERT_EQ(client.flush(), 0);
        EXPECT_EQ(client_scores(client, "VMAF_integer_feature_vif_scale0_score", frames), vif);
        EXPECT_EQ(client_scores(client, motion2, frames), motion);
    }
}

TEST(Reading, ScoresAreThereAtOnceButThoseThatLookAhead) {
    for (const unsigned threads : {0u, 2u}) {
        const Client client({"psnr", "motion"}, threads);
        for (unsigned n = 0; n < 3; n++) {
            ASSERT_EQ(client.read(n), 0);
            EXPECT_TRUE(client.score("psnr_y", n));
            EXPECT_TRUE(client.score(motion_sad, n));
            EXPECT_FALSE(client.score(motion2, 0));
        }
        ASSERT_EQ(client.flush(), 0);
        EXPECT_TRUE(client.score(motion2, 2));
    }
}

TEST(Reading, FramesMayComeInAnyOrder) {
    const Client client({"psnr", "motion"}), in_order({"psnr", "motion"});
    for (const unsigned n : {0u, 2u, 1u, 7u, 4'000'000'000u})
        ASSERT_EQ(client.read(n, n % 5), 0) << n;
    for (const unsigned n : {0u, 1u, 2u, 3u, 4u})
        ASSERT_EQ(in_order.read(n, std::array{0u, 2u, 1u, 2u, 0u}[n]), 0);
    EXPECT_EQ(client.score("psnr_y", 7), in_order.score("psnr_y", 3));
    EXPECT_EQ(client.score(motion_sad, 1), in_order.score(motion_sad, 2)); // against the frame that was read before
    EXPECT_EQ(client.score(motion_sad, 4'000'000'000), in_order.score(motion_sad, 4));
    EXPECT_FALSE(client.score("psnr_y", 3));
    EXPECT_EQ(client.flush(), 0);
}

TEST(Reading, AnIndexIsUsedOnce) {
    for (const unsigned threads : {0u, 2u}) {
        const Client client({"psnr"}, threads);
        ASSERT_EQ(client.read(0), 0);
        ASSERT_EQ(client.read(1), 0);
        const std::optional<double> before = client.score("psnr_y", 1);
        EXPECT_EQ(client.read(1, 5), -EINVAL);
        EXPECT_EQ(client.read(2), 0);
        EXPECT_EQ(client.score("psnr_y", 1), before);
        EXPECT_EQ(client.flush(), 0);
    }
}

TEST(Reading, AVideoThatBeginsLaterHasNoFrameToCompareWith) {
    const Client client({"motion"});
    EXPECT_EQ(client.read(5), -EINVAL);
    EXPECT_EQ(client.read(6), 0);
    EXPECT_FALSE(client.score(motion_sad, 5));
    EXPECT_GT(client.score(motion_sad, 6), 0); // compared with frame 5
    EXPECT_EQ(client.read(5, 7), 0);
    EXPECT_EQ(client.flush(), 0);
    EXPECT_EQ(Client({"psnr"}).read(5), 0);
    EXPECT_EQ(Client({"motion"}, 2).read(5), 0);
}

/// P010 in place of 10 bits: six zeros below them.
TEST(Reading, SamplesAboveTheBitDepthAreRefusedWhereFeaturesReadThem) {
    constexpr VideoFormat deep{.width = 64, .height = 48, .bit_depth = 10};
    const auto read_large = [&](const Client &client, unsigned index, int plane) {
        auto [reference, distorted] = pictures(index, deep);
        static_cast<std::uint16_t *>(distorted.data[plane])[3] = 1023 << 6;
        const int code = vmaf_read_pictures(client, &reference, &distorted, index);
        if (code != 0) { // both stay the caller's
            EXPECT_EQ(vmaf_picture_unref(&reference), 0);
            EXPECT_EQ(vmaf_picture_unref(&distorted), 0);
        }
        return code;
    };
    for (const unsigned threads : {0u, 2u}) {
        const Client luma({"motion"}, threads), all({"psnr"}, threads);
        EXPECT_EQ(read_large(luma, 0, 0), -EINVAL);
        EXPECT_EQ(read_large(luma, 0, 1), 0);
        EXPECT_EQ(read_large(all, 0, 1), -EINVAL);
        EXPECT_EQ(all.read(0, 0, deep), 0) << "the context goes on";
        EXPECT_EQ(luma.flush(), 0);
        EXPECT_EQ(all.flush(), 0);
    }
}

TEST(Reading, PicturesHaveOneShape) {
    const Client client({"psnr"});
    ASSERT_EQ(client.read(0), 0);
    for (const VideoFormat &other : {VideoFormat{66, 48}, VideoFormat{64, 50}, VideoFormat{64, 48, Chroma::k422},
                                     VideoFormat{64, 48, Chroma::k420, 10}}) {
        EXPECT_EQ(client.read(1, 1, other), -EINVAL);
        auto [reference, unused] = pictures(1);
        auto [also_unused, distorted] = pictures(1, other);
        EXPECT_EQ(vmaf_read_pictures(client, &reference, &distorted, 1), -EINVAL);
        for (VmafPicture *const picture : {&reference, &unused, &also_unused, &distorted})
            EXPECT_EQ(vmaf_picture_unref(picture), 0);
    }
    EXPECT_EQ(client.read(1), 0);
    EXPECT_EQ(client.flush(), 0);
}

TEST(Reading, TheFirstPairThatIsAcceptedFixesTheShape) {
    const Client client({"psnr"});
    EXPECT_EQ(client.read(0, 0, {64, 48, Chroma::k420, 9}), -EINVAL); // psnr is not defined for 9 bit
    EXPECT_EQ(client.read(0, 0, {64, 48, Chroma::k420, 10}), 0);
    EXPECT_EQ(client.read(1), -EINVAL);
}

TEST(Reading, PicturesHaveToBeAllocated) {
    const Client client({"psnr"});
    auto [reference, distorted] = pictures(0);
    VmafPicture by_hand = distorted;
    by_hand.priv = nullptr;
    EXPECT_EQ(vmaf_read_pictures(client, &reference, &by_hand, 0), -EINVAL);
    by_hand = {};
    EXPECT_EQ(vmaf_read_pictures(client, &by_hand, &distorted, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(client, &reference, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(client, nullptr, &distorted, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(nullptr, &reference, &distorted, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(client, &reference, &distorted, 0), 0);
}

TEST(Reading, OnePictureMayBeBoth) {
    const Client client({"psnr"});
    for (unsigned n = 0; n < 4; n++) {
        auto [reference, distorted] = pictures(n);
        EXPECT_EQ(vmaf_picture_unref(&distorted), 0);
        VmafPicture copy = reference;
        EXPECT_EQ(vmaf_read_pictures(client, &reference, n % 2 == 0 ? &reference : &copy, n), 0);
        EXPECT_EQ(reference.ref, nullptr);
        EXPECT_GE(client.score("psnr_y", n), 60);
    }
}

TEST(Reading, NothingIsReadAfterTheEnd) {
    const Client client({"psnr"});
    EXPECT_EQ(client.flush(), -EINVAL); // no picture was read
    ASSERT_EQ(client.read(0), 0);
    EXPECT_EQ(client.flush(), 0);
    EXPECT_EQ(client.flush(), -EINVAL);
    EXPECT_EQ(client.read(1), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(client, "vif", nullptr), 0); // without effect
    EXPECT_TRUE(client.score("psnr_y", 0));
    EXPECT_EQ(Client().flush(), 0); // nothing was asked for
}

TEST(Reading, PicturesWithoutFeaturesAreTaken) {
    const Client client;
    EXPECT_EQ(client.read(0), 0);
    EXPECT_EQ(client.read(0), -EINVAL);
    EXPECT_EQ(client.read(1), 0);
    EXPECT_EQ(client.flush(), 0);
}

TEST(Reading, AContextMayBeClosedWithFramesInFlight) {
    const Client client({"vif", "adm"}, 4);
    for (unsigned n = 0; n < 6; n++)
        EXPECT_EQ(client.read(n, n, medium), 0);
}

TEST(Reading, AnInstructionSetNeverChangesAScore) {
    const Client plain(0, 1, ~std::uint64_t{0}), newest(0, 1, 0);
    for (const Client *const client : {&plain, &newest}) {
        EXPECT_EQ(vmaf_use_feature(*client, "adm", nullptr), 0);
        EXPECT_EQ(client->read(0, 3, medium), 0);
    }
    EXPECT_EQ(plain.score("VMAF_integer_feature_adm2_score", 0), newest.score("VMAF_integer_feature_adm2_score", 0));
}

constexpr VmafPictureConfiguration pool_of(unsigned count) { return {{64, 48, 8, VMAF_PIX_FMT_YUV420P}, count}; }

TEST(Pool, FourPicturesAreEnoughForAnyThreads) {
    for (const unsigned threads : {0u, 4u}) {
        const Client client({"motion", "psnr"}, threads);
        ASSERT_EQ(vmaf_preallocate_pictures(client, pool_of(4)), 0);
        for (unsigned n = 0; n < 20; n++) {
            VmafPicture reference{}, distorted{};
            ASSERT_EQ(vmaf_fetch_preallocated_picture(client, &reference), 0);
            ASSERT_EQ(vmaf_fetch_preallocated_picture(client, &distorted), 0);
            ASSERT_EQ(vmaf_read_pictures(client, &reference, &distorted, n), 0);
        }
        EXPECT_EQ(client.flush(), 0);
    }
}

TEST(Pool, AnotherThreadMayFetch) {
    const Client client({"motion"}, 2);
    ASSERT_EQ(vmaf_preallocate_pictures(client, pool_of(4)), 0);
    VmafPicture first{}, second{}, third{}, fourth{};
    for (VmafPicture *const picture : {&first, &second, &third, &fourth})
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client, picture), 0);
    VmafPicture late{};
    std::thread fetching([&] { EXPECT_EQ(vmaf_fetch_preallocated_picture(client, &late), 0); });
    EXPECT_EQ(vmaf_read_pictures(client, &first, &second, 0), 0); // frees one, and keeps the reference
    fetching.join();
    EXPECT_NE(late.ref, nullptr);
    for (VmafPicture *const picture : {&third, &fourth, &late})
        EXPECT_EQ(vmaf_picture_unref(picture), 0);
}

TEST(Pool, ThereIsAHiddenOneWithThreads) {
    VmafPicture picture{};
    const Client without({"psnr"}), with({"psnr"}, 1);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(with, &picture), -EINVAL);
    ASSERT_EQ(without.read(0), 0);
    ASSERT_EQ(with.read(0), 0);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(without, &picture), -EINVAL);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(with, &picture), 0);
    EXPECT_EQ(picture.w[0], 64u);
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST(Pool, OutlivesItsContextAndItsReplacement) {
    VmafPicture picture{}, other{};
    {
        const Client client({"psnr"});
        ASSERT_EQ(vmaf_preallocate_pictures(client, pool_of(1)), 0);
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client, &picture), 0);
        ASSERT_EQ(vmaf_preallocate_pictures(client, pool_of(1)), 0);
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client, &other), 0);
    }
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(vmaf_picture_unref(&other), 0);
}

TEST(Pool, RefusesWhatIsNoPicture) {
    const Client client;
    EXPECT_EQ(vmaf_preallocate_pictures(nullptr, pool_of(4)), -EINVAL);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(client, nullptr), -EINVAL);
    for (const VmafPictureConfiguration &config :
         {pool_of(0), VmafPictureConfiguration{{0, 48, 8, VMAF_PIX_FMT_YUV420P}, 4},
          VmafPictureConfiguration{{64, 0, 8, VMAF_PIX_FMT_YUV420P}, 4},
          VmafPictureConfiguration{{64, 48, 7, VMAF_PIX_FMT_YUV420P}, 4},
          VmafPictureConfiguration{{64, 48, 8, VMAF_PIX_FMT_UNKNOWN}, 4}})
        EXPECT_EQ(vmaf_preallocate_pictures(client, config), -EINVAL);
}

} // namespace
} // namespace isovmaf::capi::testing::reading_test
