// SPDX-License-Identifier: BSD-2-Clause-Patent
// Import of memory of another API into the HIP plugin. The fake runtime maps a file in memory in its place.
#include <cerrno>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hip/testing/hip_plugin.hpp"

namespace isovmaf {
namespace {

using ::testing::HasSubstr;

class HipExternalMemory : public HipPlugin {
  protected:
    HipExternalMemory() : fd_(memfd_create("frames", MFD_CLOEXEC)) {
        if (fd_ < 0 || ftruncate(fd_, bytes) != 0)
            throw std::runtime_error("memfd_create");
    }
    ~HipExternalMemory() override { close(fd_); }

    void SetUp() override {
        if (!dlsym(fake_library(), "hipImportExternalMemory"))
            GTEST_SKIP() << "this runtime has no external memory";
    }

    isovmaf_external_memory external(isovmaf_external kind = ISOVMAF_EXTERNAL_OPAQUE_FD) const {
        return {static_cast<std::uint32_t>(kind), fd_, bytes, 0, 0};
    }

    static constexpr int bytes = 8192;
    int fd_;
};

// AMD's runtime imports dma-bufs as opaque descriptors.
TEST_F(HipExternalMemory, IsReadWhereItLies) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    for (const isovmaf_external kind : {ISOVMAF_EXTERNAL_OPAQUE_FD, ISOVMAF_EXTERNAL_DMABUF}) {
        const Buffer memory = value_of(device.import_memory(external(kind)));
        const Buffer part = value_of(device.import_buffer(memory.address() + 5000, 3));
        const Buffer readback = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, 3));
        ASSERT_EQ(pwrite(fd_, "abc", 3, 5000), 3);
        Recorder recorder(device);
        recorder.copy(part.at(0), readback.at(0), 3);
        const Commands commands = value_of(recorder.finish());
        value_of(queue.run(commands));
        EXPECT_EQ(std::memcmp(readback.host(), "abc", 3), 0);
    }
}

TEST_F(HipExternalMemory, LeavesNothingBehindAndTheDescriptorOpen) {
    const Device device = open();
    const int live = fake().live_objects;
    value_of(device.import_memory(external()));
    EXPECT_EQ(fake().live_objects, live);
    EXPECT_GE(fcntl(fd_, F_GETFD), 0);
}

TEST_F(HipExternalMemory, FailuresNameTheAttemptAndLeaveNothingBehind) {
    const Device device = open();
    const int live = fake().live_objects;
    const std::pair<int, ErrorCode> meanings[] = {{gpu::hipErrorInvalidValue, ErrorCode::invalid_argument},
                                                  {gpu::hipErrorOperatingSystem, ErrorCode::invalid_argument},
                                                  {gpu::hipErrorOutOfMemory, ErrorCode::out_of_memory},
                                                  {gpu::hipErrorUnknown, ErrorCode::device_failed}};
    for (const char *const call : {"hipImportExternalMemory", "hipExternalMemoryGetMappedBuffer"})
        for (const auto &[error, code] : meanings) {
            fake().errors = {{call, error}};
            const Result<Buffer> memory = device.import_memory(external());
            ASSERT_FALSE(memory);
            EXPECT_EQ(memory.error().code, code) << memory.error().message;
            EXPECT_THAT(memory.error().message, HasSubstr("importing 8192 bytes of descriptor"));
            EXPECT_EQ(fake().live_objects, live);
        }
    fake().errors.clear();
    EXPECT_TRUE(device.import_memory(external()));
}

TEST_F(HipPlugin, ARuntimeWithoutExternalMemorySaysSo) {
    if (dlsym(fake_library(), "hipImportExternalMemory"))
        GTEST_SKIP() << "this runtime has it";
    const Result<Buffer> memory = open().import_memory({ISOVMAF_EXTERNAL_OPAQUE_FD, STDIN_FILENO, 4096, 0, 0});
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().code, ErrorCode::unsupported);
    EXPECT_THAT(memory.error().message, HasSubstr("hipImportExternalMemory"));
}

} // namespace
} // namespace isovmaf
