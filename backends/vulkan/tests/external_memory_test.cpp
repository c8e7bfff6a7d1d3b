// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores frames that another user of the GPU exported, with the backend that ISOVMAF_TEST_PLUGIN names: Vulkan's, or
// one that imports Vulkan's memory. The program needs no file but the plugin.
#include <cstdlib>
#include <optional>

#include <unistd.h>

#include "device/testing/test_device.hpp"
#include "engine/testing/external_frames.hpp"
#include "vulkan/tests/exporter.hpp"

namespace isovmaf {
namespace {

using namespace testing;

std::string kind_name(const ::testing::TestParamInfo<ExternalKind> &kind) {
    return kind.param == ExternalKind::dmabuf ? "dmabuf" : "opaque_fd";
}

class ExportedFrames : public ::testing::TestWithParam<ExternalKind> {
  protected:
    /// The device stays open between tests: to compile its kernels takes longer than most tests.
    static void SetUpTestSuite() { device_.emplace(open_test_device()); }
    static void TearDownTestSuite() { device_.reset(); }

    /// Skips the test if the machine's driver cannot export or import this kind of memory.
    void SetUp() override {
        Result<Session> session = Session::create(on_device(external_format(8)));
        if (!session && session.error().code == ErrorCode::unsupported)
            GTEST_SKIP() << session.error().message;
        ASSERT_TRUE(session) << session.error().message;
        exporter_.emplace(session->execution().device);
        if (const std::string missing = exporter_->missing(GetParam()); !missing.empty())
            GTEST_SKIP() << missing;
        const Result<ImportedMemory> memory = session->import_memory(allocate_(65536)->external());
        if (!memory && memory.error().code == ErrorCode::unsupported)
            GTEST_SKIP() << memory.error().message;
    }

    static inline std::optional<Device> device_;
    std::optional<Exporter> exporter_;
    Allocate allocate_ = [this](std::uint64_t bytes) { return exporter_->allocate(GetParam(), bytes); };
};

TEST_P(ExportedFrames, AClipGivesTheCpusScores) {
    for (const int bits : {8, 12})
        expect_imported_clip_scores(allocate_, bits);
}

TEST_P(ExportedFrames, FramesThatAreRefilledAreReadAgain) { expect_refilled_frames_score(allocate_); }

TEST_P(ExportedFrames, MemoryOutlivesItsSession) { expect_memory_outlives_its_session(allocate_); }

TEST_P(ExportedFrames, WrongDescriptorsAreRefused) {
    const auto exported = allocate_(65536);
    ExternalMemory none = exported->external(), empty = none, unknown = none;
    none.fd = -1;
    empty.bytes = 0;
    unknown.kind = static_cast<ExternalKind>(77);
    std::vector<ExternalMemory> wrong{none, empty, unknown};
    if (on_device(external_format(8)).execution.backend == "vulkan" && GetParam() == ExternalKind::opaque_fd) {
        wrong.push_back(exported->external());
        wrong.back().memory_type = VK_MAX_MEMORY_TYPES - 1;
    }
    expect_refusals(wrong);
}

TEST(ExternalMemory, AnAbsentExtensionIsNamed) {
    if (on_device(external_format(8)).execution.backend != "vulkan")
        GTEST_SKIP() << "only the Vulkan plugin has extensions";
    const char *const before = std::getenv("ISOVMAF_VULKAN_WITHOUT");
    const std::string kept = before ? before : "";
    setenv("ISOVMAF_VULKAN_WITHOUT", "VK_KHR_external_memory_fd", 1);
    Result<Session> session = Session::create(on_device(external_format(8)));
    setenv("ISOVMAF_VULKAN_WITHOUT", kept.c_str(), 1);
    if (!session && session.error().code == ErrorCode::unsupported)
        GTEST_SKIP() << session.error().message;
    ASSERT_TRUE(session) << session.error().message;
    const Result<ImportedMemory> memory = session->import_memory({.fd = STDIN_FILENO, .bytes = 4096});
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().code, ErrorCode::unsupported);
    EXPECT_NE(memory.error().message.find("VK_KHR_external_memory_fd"), std::string::npos) << memory.error().message;
}

INSTANTIATE_TEST_SUITE_P(Of, ExportedFrames, ::testing::Values(ExternalKind::opaque_fd, ExternalKind::dmabuf),
                         kind_name);

} // namespace
} // namespace isovmaf
