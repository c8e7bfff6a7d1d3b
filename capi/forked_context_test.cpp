// SPDX-License-Identifier: BSD-2-Clause-Patent
// Contexts that a process inherits when it is forked.
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/forked.hpp"
#include "capi/status.hpp"
#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::forked_context_test {
namespace {

using isovmaf::testing::in_forked_process;
using ::testing::HasSubstr;

std::string code_text(int code) { return "code " + std::to_string(code); }
const std::string refused = code_text(status_invalid);

constexpr VideoFormat large{.width = 640, .height = 360}; ///< so that frames are in flight during a fork

/// A context that prints errors, with features, which has read four pairs.
VmafContext *context_with_frames(unsigned threads) {
    VmafContext *context = nullptr;
    EXPECT_EQ(vmaf_init(&context, {VMAF_LOG_LEVEL_ERROR, threads, 1, 0, 0}), 0);
    for (const char *const feature : {"vif", "motion"})
        EXPECT_EQ(vmaf_use_feature(context, feature, nullptr), 0);
    EXPECT_EQ(vmaf_preallocate_pictures(context, {{64, 48, 8, VMAF_PIX_FMT_YUV420P}, 4}), 0);
    for (unsigned n = 0; n < 4; n++) {
        auto [reference, distorted] = pictures(n, large);
        EXPECT_EQ(vmaf_read_pictures(context, &reference, &distorted, n), 0);
    }
    return context;
}

class ForkedContext : public ::testing::TestWithParam<unsigned> {
  protected:
    /// What `function` returns and prints in a forked process.
    template <class Function>
    std::string in_child(const Function &function) {
        return in_forked_process([&] {
            ::testing::internal::CaptureStderr();
            const int code = function();
            return code_text(code) + "\n" + ::testing::internal::GetCapturedStderr();
        });
    }

    VmafContext *context_ = context_with_frames(GetParam());
    void TearDown() override { EXPECT_EQ(vmaf_close(context_), 0); }
};

TEST_P(ForkedContext, FailsAtOnceWithASentence) {
    const auto says_so = [](const std::string &text) {
        EXPECT_THAT(text, ::testing::StartsWith(refused + "\n"));
        EXPECT_THAT(text, HasSubstr("libvmaf ERROR process "));
        EXPECT_THAT(text, HasSubstr(" cannot use the context, which process "));
    };
    double score = 0;
    says_so(in_child([&] { return vmaf_read_pictures(context_, nullptr, nullptr, 0); }));
    says_so(in_child([&] { return vmaf_feature_score_at_index(context_, motion_sad, &score, 0); }));
    says_so(in_child([&] { return vmaf_use_feature(context_, "psnr", nullptr); }));
    says_so(in_child([&] {
        VmafPicture picture{};
        return vmaf_fetch_preallocated_picture(context_, &picture);
    }));
    says_so(in_child([&] {
        auto [reference, distorted] = pictures(4, large);
        const int code = vmaf_read_pictures(context_, &reference, &distorted, 4);
        EXPECT_EQ(vmaf_picture_unref(&reference), 0);
        EXPECT_EQ(vmaf_picture_unref(&distorted), 0);
        return code;
    }));
    EXPECT_EQ(vmaf_read_pictures(context_, nullptr, nullptr, 0), 0) << "the parent goes on";
}

TEST_P(ForkedContext, IsClosedWithoutItsThreads) {
    EXPECT_EQ(in_child([&] { return vmaf_close(context_); }), code_text(0) + "\n");
}

TEST_P(ForkedContext, LeavesNewContextsAlone) {
    if (!isovmaf::testing::forked_may_start_threads)
        GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
    EXPECT_EQ(in_child([&] {
                  VmafContext *const fresh = context_with_frames(GetParam());
                  return vmaf_read_pictures(fresh, nullptr, nullptr, 0) + vmaf_close(fresh);
              }),
              code_text(0) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Threads, ForkedContext, ::testing::Values(0u, 2u));

} // namespace
} // namespace isovmaf::capi::testing::forked_context_test
