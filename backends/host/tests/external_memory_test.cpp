// SPDX-License-Identifier: BSD-2-Clause-Patent
// Imports memory of another API. The stand-in imports files in memory, so this tests the whole path without a GPU.
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/testing/external_frames.hpp"

namespace isovmaf {
namespace {

using namespace testing;

class FileInMemory final : public ExportedMemory {
  public:
    explicit FileInMemory(std::uint64_t bytes) {
        external_.bytes = bytes;
        external_.fd = memfd_create("frames", MFD_CLOEXEC);
        if (external_.fd < 0 || ftruncate(external_.fd, static_cast<off_t>(bytes)) != 0)
            throw std::system_error(errno, std::generic_category(), "memfd_create");
        mapped_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, external_.fd, 0);
        if (mapped_ == MAP_FAILED)
            throw std::system_error(errno, std::generic_category(), "mmap");
    }
    ~FileInMemory() override {
        close();
        munmap(mapped_, external_.bytes);
    }

    const ExternalMemory &external() const override { return external_; }
    void close() override {
        if (external_.fd >= 0)
            ::close(external_.fd);
        external_.fd = -1;
    }
    void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
        std::memcpy(static_cast<std::byte *>(mapped_) + offset, bytes.data(), bytes.size());
    }

  private:
    ExternalMemory external_;
    void *mapped_ = nullptr;
};

std::unique_ptr<ExportedMemory> allocate(std::uint64_t bytes) { return std::make_unique<FileInMemory>(bytes); }

TEST(ExternalMemory, AnImportedClipGivesTheCpusScores) {
    for (const int bits : {8, 12})
        expect_imported_clip_scores(allocate, bits);
}

TEST(ExternalMemory, FramesThatAreRefilledAreReadAgain) { expect_refilled_frames_score(allocate); }

TEST(ExternalMemory, MemoryOutlivesItsSession) { expect_memory_outlives_its_session(allocate); }

TEST(ExternalMemory, WrongDescriptorsAreRefused) {
    const auto exported = allocate(4096);
    ExternalMemory none = exported->external(), empty = none, larger = none, unknown = none, unreadable = none;
    none.fd = -1;
    empty.bytes = 0;
    larger.bytes++;
    unknown.kind = static_cast<ExternalKind>(77);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    unreadable.fd = ends[0];
    expect_refusals({none, empty, larger, unknown, unreadable});
    for (const int end : ends)
        close(end);
}

TEST(ExternalMemory, ASessionWithoutImportsReportsUnsupported) {
    const auto exported = allocate(4096);
    ExternalMemory dmabuf = exported->external();
    dmabuf.kind = ExternalKind::dmabuf;
    Result<Session> device = Session::create(on_device(external_format(8)));
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ(device->import_memory(dmabuf).error().code, ErrorCode::unsupported);
    Result<Session> cpu = Session::create(on_cpu(external_format(8)));
    EXPECT_EQ(cpu->import_memory(exported->external()).error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace isovmaf
