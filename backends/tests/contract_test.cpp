// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tests of what backend.h promises for every plugin, on the plugin that ISOVMAF_TEST_PLUGIN names.
#include <bit>
#include <chrono>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "device/testing/test_device.hpp"
#include "features/motion/motion_math.h"
#include "features/motion/motion_params.h"

namespace isovmaf {
namespace {

using namespace testing;

class Contract : public ::testing::Test {
  protected:
    /// A buffer of 32-bit words 0, 1, 2, ...
    Buffer counting(std::uint32_t words) {
        std::vector<std::uint32_t> values(words);
        std::iota(values.begin(), values.end(), 0u);
        return upload<std::uint32_t>(device_, queue_, values);
    }

    std::vector<std::uint32_t> words_of(const Buffer &buffer, std::size_t count) {
        return download<std::uint32_t>(device_, queue_, buffer, count);
    }

    Buffer memory(isovmaf_memory kind, std::uint64_t bytes) { return value_of(device_.create_buffer(kind, bytes)); }

    Device device_ = open_test_device();
    Queue queue_ = value_of(device_.create_queue());
};

/// One tile of motion on two grey pictures that differ by one, so that the sum of differences is known.
class MotionTile {
  public:
    MotionTile(const Device &device, Queue &queue)
        : dark_(upload<std::uint8_t>(device, queue, std::vector<std::uint8_t>(stride * height, 100))),
          bright_(upload<std::uint8_t>(device, queue, std::vector<std::uint8_t>(stride * height, 101))) {}

    void record(Recorder &recorder, const Buffer &sums, int sum = 0) const {
        record(recorder, bright_.at(0), dark_.at(0), sums.at(0), sum);
    }

    static void record(Recorder &recorder, isovmaf_range bright, isovmaf_range dark, isovmaf_range sums, int sum = 0) {
        MotionParams params{width, height, stride, 8, sum, 0};
        recorder.dispatch("motion_sad_8", {1, 1, 1}, {MOTION_THREADS, 1, 1}, {bright, dark, sums}, params);
        params = {}; // the recorder has copied it
    }

    static std::int64_t sum() {
        std::int64_t taps = 0;
        for (const auto tap : motion_taps)
            taps += tap;
        return std::int64_t{width} * height *
               motion_round_horizontal(taps * motion_round_vertical(taps * std::int64_t{1}, 8));
    }

    static constexpr int width = MOTION_TILE_WIDTH, height = MOTION_TILE_HEIGHT, stride = 256;
    static constexpr std::uint64_t bytes = std::uint64_t{stride} * height; ///< of a picture

  private:
    Buffer dark_, bright_;
};

TEST_F(Contract, ADeviceDescribesItself) {
    const isovmaf_runtime_info runtime = value_of(device_.plugin().probe());
    EXPECT_GE(runtime.device_count, 1u);
    EXPECT_STRNE(device_.info().name, "");
    EXPECT_STRNE(device_.info().arch, "");
    EXPECT_GT(device_.info().memory_bytes, 0u);
    EXPECT_LE(device_.info().memory_free_bytes, device_.info().memory_bytes);
    EXPECT_TRUE(std::has_single_bit(device_.info().wave_width)) << device_.info().wave_width;
    EXPECT_LE(device_.info().wave_width, 128u);
    EXPECT_NE(device_.plugin().backend().build_id[0], '\0');

    const Result<Device> beyond = Device::open(value_of(Plugin::open(device_.plugin().path())), runtime.device_count);
    ASSERT_FALSE(beyond);
    EXPECT_NE(beyond.error().message, "");
}

TEST_F(Contract, HostMemoryIsMappedAndDeviceMemoryIsNot) {
    for (const isovmaf_memory kind : {ISOVMAF_MEMORY_UPLOAD, ISOVMAF_MEMORY_READBACK}) {
        const Buffer buffer = memory(kind, 1001);
        ASSERT_TRUE(buffer.host());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.host()) % 256, 0u);
        std::memset(buffer.host(), 1, 1001);
    }
    const Buffer buffer = memory(ISOVMAF_MEMORY_DEVICE, 1001);
    EXPECT_FALSE(buffer.host());
    EXPECT_EQ(buffer.address() % 256, 0u);
}

/// Where there is such memory: kernels and copies see what the host wrote, and the host sees what they wrote.
TEST_F(Contract, SharedMemoryIsReachedByHostAndDevice) {
    const Result<Buffer> created = device_.create_buffer(ISOVMAF_MEMORY_SHARED, 1024);
    if (!created) {
        EXPECT_EQ(created.error().code, ErrorCode::unsupported) << created.error().message;
        EXPECT_EQ(device_.info().shares_memory, 0u);
        GTEST_SKIP() << created.error().message;
    }
    const Buffer &shared = *created;
    ASSERT_TRUE(shared.host());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(shared.host()) % 256, 0u);
    EXPECT_NE(shared.address(), 0u);
    EXPECT_EQ(shared.address() % 256, 0u);
    const Buffer target = memory(ISOVMAF_MEMORY_DEVICE, 512);
    Recorder recorder(device_);
    recorder.copy(shared.at(0), target.at(0), 512);
    recorder.fill(shared.at(0), 256, 9);
    recorder.copy(target.at(256), shared.at(512), 256);
    const Commands commands = value_of(recorder.finish());
    for (const std::uint32_t start : {100u, 500u}) { // written again: a submission sees what is there before it
        auto *const words = reinterpret_cast<std::uint32_t *>(shared.host());
        std::iota(words, words + 256, start);
        value_of(queue_.run(commands));
        std::vector<std::uint32_t> expected(256);
        std::iota(expected.begin(), expected.end(), start);
        std::fill_n(expected.begin(), 64, 9u);
        std::iota(expected.begin() + 128, expected.begin() + 192, start + 64);
        EXPECT_EQ(std::vector<std::uint32_t>(words, words + 256), expected);
        EXPECT_EQ(words_of(target, 128).back(), start + 127);
    }
}

TEST_F(Contract, KernelsReadSharedMemory) {
    const Result<Buffer> dark = device_.create_buffer(ISOVMAF_MEMORY_SHARED, MotionTile::bytes),
                         bright = device_.create_buffer(ISOVMAF_MEMORY_SHARED, MotionTile::bytes);
    if (!dark || !bright)
        GTEST_SKIP() << "the device has no such memory";
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 256);
    Recorder recorder(device_);
    recorder.fill(sums.at(0), 256, 0);
    MotionTile::record(recorder, bright->at(0), dark->at(0), sums.at(0));
    const Commands commands = value_of(recorder.finish());
    for (const int difference : {1, 0, 1}) {
        std::memset(dark->host(), 100, MotionTile::bytes);
        std::memset(bright->host(), 100 + difference, MotionTile::bytes);
        value_of(queue_.run(commands));
        EXPECT_EQ((download<std::int64_t>(device_, queue_, sums, 1).front()), difference * MotionTile::sum());
    }
}

/// Launches read other memory until the next call, and what that does not name is as it was recorded.
TEST_F(Contract, LaunchesReadWhereTheyAreMovedTo) {
    if (!device_.moves_ranges())
        GTEST_SKIP() << "the plugin moves no ranges";
    constexpr std::uint64_t picture = MotionTile::bytes;
    static_assert(picture % ISOVMAF_RANGE_ALIGNMENT == 0);
    const auto pictures = [&](std::initializer_list<std::uint8_t> greys) {
        std::vector<std::uint8_t> samples;
        for (const std::uint8_t grey : greys)
            samples.insert(samples.end(), picture, grey);
        return upload<std::uint8_t>(device_, queue_, samples);
    };
    const Buffer recorded = pictures({101, 100}), used = pictures({7, 104, 101});
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 256);
    Recorder recorder(device_);
    recorder.fill(sums.at(0), 256, 0);
    MotionTile::record(recorder, recorded.at(0), recorded.at(picture), sums.at(0));
    Commands commands = value_of(recorder.finish());
    const auto difference = [&](std::initializer_list<isovmaf_move> moves) {
        value_of(commands.move(std::span(moves.begin(), moves.size())));
        value_of(queue_.run(commands));
        return (download<std::int64_t>(device_, queue_, sums, 1).front()) / MotionTile::sum();
    };
    EXPECT_EQ(difference({}), 1);
    EXPECT_EQ(difference({{recorded.at(0), used.at(picture), picture}}), 4);
    EXPECT_EQ(difference({{recorded.at(picture), used.at(2 * picture), picture}}), 0) << "the first is as recorded";
    EXPECT_EQ(difference({{recorded.at(0), used.at(picture), 2 * picture}}), 3) << "both with one move";
    EXPECT_EQ(difference({}), 1);

    const auto refused = [&](const isovmaf_move &move) {
        const Result<void> moved = commands.move(std::span(&move, 1));
        return moved ? "taken" : moved.error().message;
    };
    EXPECT_NE(refused({recorded.at(0), used.at(128), 256}), "taken") << "not aligned";
    EXPECT_NE(refused({recorded.at(0), used.at(2 * picture), 2 * picture}), "taken") << "beyond the end";
    EXPECT_NE(refused({recorded.at(0), memory(ISOVMAF_MEMORY_UPLOAD, picture).at(0), picture}), "taken");
    EXPECT_EQ(difference({}), 1) << "what was refused changed something";
}

TEST_F(Contract, MemoryIsCounted) {
    const isovmaf_memory_statistics before = device_.memory();
    {
        const Buffer on_device = memory(ISOVMAF_MEMORY_DEVICE, 1 << 20), on_host = memory(ISOVMAF_MEMORY_UPLOAD, 4096);
        const isovmaf_memory_statistics during = device_.memory();
        EXPECT_GE(during.allocated_bytes, before.allocated_bytes + (1 << 20));
        EXPECT_GE(during.pinned_bytes, before.pinned_bytes + 4096);
        EXPECT_GE(during.reserved_bytes, during.allocated_bytes);
    }
    device_.trim_memory();
    const isovmaf_memory_statistics after = device_.memory();
    EXPECT_EQ(after.allocated_bytes, before.allocated_bytes);
    EXPECT_EQ(after.reserved_bytes, before.reserved_bytes);
    EXPECT_EQ(after.pinned_bytes, before.pinned_bytes);
    EXPECT_GE(after.allocated_peak_bytes, before.allocated_bytes + (1 << 20));
    EXPECT_GE(after.reserved_peak_bytes, after.allocated_peak_bytes);
    EXPECT_GT(after.allocations, before.allocations);
}

TEST_F(Contract, MoreMemoryThanTheDeviceHasIsRefused) {
    const Result<Buffer> buffer = device_.create_buffer(ISOVMAF_MEMORY_DEVICE, std::uint64_t{1} << 50);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::out_of_memory) << buffer.error().message;
    EXPECT_EQ(words_of(counting(5), 5).back(), 4u) << "the device is of no use after it";
}

TEST_F(Contract, ACopyWritesOnlyItsRows) {
    constexpr std::uint32_t rows = 5, from_words = 16, to_words = 24, row_words = 7;
    const Buffer from = counting(rows * from_words), to = memory(ISOVMAF_MEMORY_DEVICE, rows * to_words * 4);
    Recorder recorder(device_);
    recorder.fill(to.at(0), rows * to_words * 4, 0xcafe);
    recorder.copy({from.at(8), to.at(12), from_words * 4, to_words * 4, row_words * 4, rows});
    run(recorder, queue_);

    std::vector<std::uint32_t> expected(rows * to_words, 0xcafe);
    for (std::uint32_t row = 0; row < rows; row++)
        for (std::uint32_t i = 0; i < row_words; i++)
            expected[row * to_words + 3 + i] = row * from_words + 2 + i;
    EXPECT_EQ(words_of(to, expected.size()), expected);
}

TEST_F(Contract, CopiesInsideTheDeviceTakePlaceInOrder) {
    constexpr std::uint32_t block_words = 4096, blocks = 6;
    struct Step {
        std::uint32_t from, to; ///< blocks
    };
    // Two that have nothing to do with each other; what the one before wrote or read; the same place twice.
    constexpr std::array<Step, 9> steps{{{0, 1}, {2, 3}, {3, 4}, {4, 0}, {5, 3}, {1, 2}, {0, 2}, {4, 5}, {2, 4}}};
    for (const std::uint32_t shift : {0u, 1u}) // to places that are no multiples of 16 bytes
        for (const std::uint32_t words : {1u, 4u, 1025u, 4000u}) {
            const Buffer buffer = counting(blocks * block_words);
            std::vector<std::uint32_t> expected = words_of(buffer, blocks * block_words);
            Recorder recorder(device_);
            for (const auto &[from, to] : steps) {
                const std::uint32_t source = from * block_words, target = to * block_words + shift;
                recorder.copy(buffer.at(4 * source), buffer.at(4 * target), 4 * words);
                std::copy_n(expected.begin() + source, words, expected.begin() + target);
            }
            run(recorder, queue_);
            EXPECT_EQ(words_of(buffer, expected.size()), expected) << shift << " " << words;
        }
}

TEST_F(Contract, RowsAreCopiedToAndFromHostMemory) {
    constexpr std::uint32_t rows = 3, host_bytes = 100, device_bytes = 256, row_bytes = 67;
    const Buffer up = memory(ISOVMAF_MEMORY_UPLOAD, rows * host_bytes);
    const Buffer there = memory(ISOVMAF_MEMORY_DEVICE, rows * device_bytes);
    const Buffer down = memory(ISOVMAF_MEMORY_READBACK, rows * host_bytes);
    for (std::size_t i = 0; i < rows * host_bytes; i++)
        up.host()[i] = static_cast<std::byte>(i * 7);
    std::memset(down.host(), 0, rows * host_bytes);
    Recorder recorder(device_);
    recorder.copy({up.at(0), there.at(0), host_bytes, device_bytes, row_bytes, rows});
    recorder.copy({there.at(0), down.at(0), device_bytes, host_bytes, row_bytes, rows});
    run(recorder, queue_);
    for (std::size_t i = 0; i < rows * host_bytes; i++)
        ASSERT_EQ(down.host()[i], i % host_bytes < row_bytes ? up.host()[i] : std::byte{0}) << i;
}

TEST_F(Contract, AFillWritesOnlyItsWords) {
    const Buffer buffer = counting(12);
    Recorder recorder(device_);
    recorder.fill(buffer.at(8), 16, 0x01020304);
    run(recorder, queue_);
    EXPECT_EQ(words_of(buffer, 12),
              (std::vector<std::uint32_t>{0, 1, 0x01020304, 0x01020304, 0x01020304, 0x01020304, 6, 7, 8, 9, 10, 11}));
}

TEST_F(Contract, CommandsSeeEarlierEffectsAndCanBeSubmittedAgain) {
    const Buffer up = memory(ISOVMAF_MEMORY_UPLOAD, 4), a = memory(ISOVMAF_MEMORY_DEVICE, 8);
    const Buffer b = memory(ISOVMAF_MEMORY_DEVICE, 8), down = memory(ISOVMAF_MEMORY_READBACK, 8);
    Recorder recorder(device_);
    recorder.fill(a.at(0), 8, 1);
    recorder.copy(up.at(0), a.at(4), 4);
    recorder.copy(a.at(0), b.at(0), 8);
    recorder.fill(a.at(0), 8, 2);
    recorder.copy(b.at(0), down.at(0), 8);
    const Commands commands = value_of(recorder.finish());
    for (std::uint32_t n = 10; n < 13; n++) {
        std::memcpy(up.host(), &n, 4);
        value_of(queue_.run(commands));
        std::uint32_t values[2];
        std::memcpy(values, down.host(), 8);
        EXPECT_EQ(values[0], 1u);
        EXPECT_EQ(values[1], n);
    }
}

TEST_F(Contract, AKernelGetsItsRangesAndParameters) {
    const MotionTile tile(device_, queue_);
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 16);
    Recorder recorder(device_);
    recorder.fill(sums.at(0), 16, 0);
    tile.record(recorder, sums, 0);
    tile.record(recorder, sums, 1);
    tile.record(recorder, sums, 1);
    EXPECT_EQ(recorder.launches(), 3);
    run(recorder, queue_);
    EXPECT_EQ(download<std::int64_t>(device_, queue_, sums, 2),
              (std::vector<std::int64_t>{MotionTile::sum(), 2 * MotionTile::sum()}));
}

TEST_F(Contract, AnUnknownKernelIsUnsupported) {
    const Result<isovmaf_kernel *> kernel = device_.find_kernel("no_such_kernel");
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().code, ErrorCode::unsupported);
    EXPECT_NE(kernel.error().message.find("no_such_kernel"), std::string::npos) << kernel.error().message;
}

TEST_F(Contract, AQueueStartsAfterTheTicketsItWaitsFor) {
    constexpr int rounds = 20;
    Queue other = value_of(device_.create_queue());
    const Buffer a = counting(4096), b = memory(ISOVMAF_MEMORY_DEVICE, 4096 * 4);
    std::vector<Commands> list;
    std::vector<isovmaf_ticket> last;
    for (int round = 0; round < rounds; round++) {
        Recorder there(device_), back(device_);
        there.fill(a.at(0), 4, static_cast<std::uint32_t>(round));
        there.copy(a.at(0), b.at(0), 4095 * 4);
        back.copy(b.at(0), a.at(4), 4095 * 4); // all words move up by one
        list.push_back(value_of(there.finish()));
        last = {value_of(queue_.submit(list.back(), last))};
        list.push_back(value_of(back.finish()));
        last = {value_of(other.submit(list.back(), last))};
    }
    value_of(other.wait(last[0].value));
    const std::vector<std::uint32_t> words = words_of(a, rounds + 2);
    for (std::uint32_t i = 1; i <= rounds; i++)
        EXPECT_EQ(words[i], rounds - i) << i;
    EXPECT_EQ(words[rounds + 1], 1u) << "a[0] was 0 before the first round";
}

TEST_F(Contract, ATicketIsNotDoneBeforeItsWork) {
    const MotionTile tile(device_, queue_);
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 8), down = memory(ISOVMAF_MEMORY_READBACK, 8);
    Recorder recorder(device_);
    recorder.fill(sums.at(0), 8, 0);
    for (int i = 0; i < 50; i++)
        tile.record(recorder, sums);
    recorder.copy(sums.at(0), down.at(0), 8);
    const Commands commands = value_of(recorder.finish());
    std::memset(down.host(), 0, 8);
    const isovmaf_ticket ticket = value_of(queue_.submit(commands));
    while (!value_of(queue_.done(ticket.value)))
        std::this_thread::yield();
    std::int64_t sum = 0;
    std::memcpy(&sum, down.host(), 8);
    EXPECT_EQ(sum, 50 * MotionTile::sum());
    EXPECT_TRUE(queue_.wait(ticket.value)) << "a ticket stays done";
}

TEST_F(Contract, TimesLieBetweenMarks) {
    const MotionTile tile(device_, queue_);
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 8);
    Recorder recorder(device_, true);
    recorder.mark();
    recorder.fill(sums.at(0), 8, 0);
    recorder.mark();
    for (int i = 0; i < 20; i++)
        tile.record(recorder, sums);
    recorder.mark();
    const Commands commands = value_of(recorder.finish());
    for (int submission = 0; submission < 2; submission++) {
        const auto begin = std::chrono::steady_clock::now();
        value_of(queue_.run(commands));
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
        const std::vector<double> times = value_of(commands.times());
        ASSERT_EQ(times.size(), 2u);
        EXPECT_GE(times[0], 0.0);
        EXPECT_GT(times[1], 0.0);
        EXPECT_LE(times[0] + times[1], elapsed.count() + 1.0) << "clocks of host and device may differ a little";
    }
}

TEST_F(Contract, MemoryOfTheDeviceCanBeImported) {
    if (!device_.plugin().backend().buffer_import)
        GTEST_SKIP() << "the plugin cannot import memory";
    const Buffer buffer = counting(100);
    ASSERT_NE(buffer.address(), 0u);
    const Buffer imported = value_of(device_.import_buffer(buffer.address(), 400));
    EXPECT_EQ(imported.address(), buffer.address());
    EXPECT_EQ(words_of(imported, 100), words_of(buffer, 100));
    Recorder recorder(device_);
    recorder.fill(imported.at(0), 4, 77);
    run(recorder, queue_);
    EXPECT_EQ(words_of(buffer, 1).front(), 77u);
}

TEST_F(Contract, WrongExternalMemoryIsRefused) {
    const isovmaf_backend &backend = device_.plugin().backend();
    if (!backend.memory_import)
        GTEST_SKIP() << "the plugin cannot import memory of other APIs";
    EXPECT_TRUE(backend.buffer_import) << "imported memory is of use through addresses";
    for (const isovmaf_external_memory &external : {isovmaf_external_memory{ISOVMAF_EXTERNAL_OPAQUE_FD, -1, 4096, 0, 0},
                                                    {ISOVMAF_EXTERNAL_OPAQUE_FD, 0, 0, 0, 0},
                                                    {ISOVMAF_EXTERNAL_DMABUF, -1, 4096, 0, 0},
                                                    {77, 0, 4096, 0, 0}}) {
        const Result<Buffer> buffer = device_.import_memory(external);
        ASSERT_FALSE(buffer) << external.kind;
        const ErrorCode code = buffer.error().code;
        EXPECT_TRUE(code == ErrorCode::invalid_argument || code == ErrorCode::unsupported) << buffer.error().message;
        EXPECT_NE(buffer.error().message, "");
    }
    EXPECT_EQ(words_of(counting(5), 5).back(), 4u) << "the device is of no use after it";
}

TEST_F(Contract, ThreadsShareADevice) {
    std::vector<std::thread> threads;
    std::vector<std::int64_t> sums(4, -1);
    for (std::int64_t &sum : sums)
        threads.emplace_back([this, &sum] {
            Queue queue = value_of(device_.create_queue());
            const MotionTile tile(device_, queue);
            const Buffer on_device = value_of(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, 8));
            Recorder recorder(device_);
            recorder.fill(on_device.at(0), 8, 0);
            for (int i = 0; i < 5; i++)
                tile.record(recorder, on_device);
            run(recorder, queue);
            sum = download<std::int64_t>(device_, queue, on_device, 1).front();
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(sums, std::vector<std::int64_t>(4, 5 * MotionTile::sum()));
}

TEST_F(Contract, DevicesOpenedTwiceAreIndependent) {
    const Device other = value_of(Device::open(value_of(Plugin::open(device_.plugin().path())), 0));
    const isovmaf_memory_statistics before = other.memory();
    const Buffer buffer = memory(ISOVMAF_MEMORY_DEVICE, 4096);
    EXPECT_EQ(other.memory().allocated_bytes, before.allocated_bytes);
}

/// Of the last device, or of this one where there is no other.
TEST_F(Contract, CopiesReadUploadsOfOtherDevicesIfThePluginSaysSo) {
    const auto plugin = value_of(Plugin::open(device_.plugin().path()));
    const Device other = value_of(Device::open(plugin, value_of(plugin->probe()).device_count - 1));
    constexpr std::uint32_t words = 5000;
    const Buffer up = value_of(other.create_buffer(ISOVMAF_MEMORY_UPLOAD, words * sizeof(std::uint32_t)));
    std::vector<std::uint32_t> values(words);
    std::iota(values.begin(), values.end(), 7u);
    std::memcpy(up.host(), values.data(), words * sizeof(std::uint32_t));
    const Buffer there = memory(ISOVMAF_MEMORY_DEVICE, words * sizeof(std::uint32_t));
    Recorder recorder(device_);
    recorder.copy(up.at(0), there.at(0), words * sizeof(std::uint32_t));
    const Result<Commands> copy = recorder.finish();
    ASSERT_EQ(copy.has_value(), device_.reads_uploads_of(other));
    if (copy) {
        value_of(queue_.run(*copy));
        EXPECT_EQ(words_of(there, words), values);
    }
}

} // namespace
} // namespace isovmaf
