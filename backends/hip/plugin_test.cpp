// SPDX-License-Identifier: BSD-2-Clause-Patent
// The HIP plugin over a fake runtime, whose state the test reads and sets. ISOVMAF_TEST_PLUGIN names the plugin, which
// finds the fake runtime as it would find ROCm's. Meson runs this test with a complete runtime, and with one that lacks
// all functions that a runtime may lack.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hip/testing/hip_plugin.hpp"

namespace isovmaf {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Waits until a call has failed because of set_error.
void wait_for_failure() {
    for (bool failed = false; !failed; std::this_thread::yield()) {
        const std::lock_guard lock(fake().mutex);
        failed = fake().failed_calls > 0;
    }
}

TEST_F(HipPlugin, DescribesTheDevice) {
    const Device device = open();
    EXPECT_THAT(std::string(device.info().name), ::testing::AnyOf("Fake GPU", fake_arch() + " GPU"));
    EXPECT_THAT(device.info().arch, ::testing::StartsWith(fake_arch()));
    EXPECT_EQ(device.info().wave_width, fake_arch().starts_with("gfx1") ? 32u : 64u);
    EXPECT_EQ(device.info().compute_units, 110u);
    isovmaf_runtime_info info{};
    isovmaf_message message{};
    EXPECT_EQ(plugin()->backend().probe(&info, &message), ISOVMAF_OK);
    EXPECT_STREQ(info.runtime, "libamdhip64.so.7");
    EXPECT_EQ(info.device_count, 1u);
}

TEST_F(HipPlugin, AnArchitectureWithoutKernelsIsRefusedByName) {
    fake().arch = "gfx803";
    const Result<Device> device = Device::open(plugin(), 0);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, ErrorCode::unsupported);
    EXPECT_THAT(device.error().message, HasSubstr(fake_arch()));
    if (dlsym(fake_library(), "hipGetDevicePropertiesR0600"))
        EXPECT_THAT(device.error().message,
                    AllOf(HasSubstr("the device is gfx803"), HasSubstr("build isovmaf with -Dhip_archs=gfx803"),
                          Not(HasSubstr("refused"))));
    else
        EXPECT_THAT(device.error().message, HasSubstr("refused"));
}

TEST_F(HipPlugin, AnIndexBeyondTheLastIsRefused) {
    const Result<Device> device = Device::open(plugin(), 1);
    ASSERT_FALSE(device);
    EXPECT_THAT(device.error().message, HasSubstr("there is no device 1"));
}

TEST_F(HipPlugin, CommandsRunInOrderAndCopiesMoveTheirBytes) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer upload = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 64));
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    const Buffer readback = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, 64));
    for (int i = 0; i < 64; i++)
        upload.host()[i] = static_cast<std::byte>(i);
    Recorder recorder(device);
    recorder.fill(memory.at(0), 1024, 0x04040404);
    recorder.copy({upload.at(0), memory.at(256), 16, 32, 8, 4});
    dispatch(recorder, memory);
    recorder.copy({memory.at(256), readback.at(0), 32, 16, 12, 4});
    const Commands commands = value_of(recorder.finish());
    EXPECT_THAT(fake().log, ElementsAre()) << "recording runs nothing";
    value_of(queue.submit(commands));
    EXPECT_THAT(fake().log, ElementsAre("fill", "copy rows 1", "launch motion_sad_8 2x1x1 of 256x1x1", "copy rows 2"));
    EXPECT_EQ(fake().graph_launches, 0) << "what is submitted once needs no graph";
    for (int row = 0; row < 4; row++) {
        EXPECT_EQ(std::memcmp(readback.host() + 16 * row, upload.host() + 16 * row, 8), 0) << row;
        EXPECT_EQ(readback.host()[16 * row + 8], std::byte{4}) << "filled, not copied";
    }
}

TEST_F(HipPlugin, CommandsAreReplayed) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    dispatch(recorder, memory);
    const Commands commands = value_of(recorder.finish());
    for (std::uint64_t i = 1; i <= 3; i++)
        EXPECT_EQ(value_of(queue.submit(commands)).value, i);
    EXPECT_EQ(fake().log.size(), 6u);
    EXPECT_EQ(fake().graph_launches, device.info().replays ? 2 : 0) << "the first submission is direct";
}

TEST_F(HipPlugin, RowsThatFollowEachOtherAreOneCopy) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer upload = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 64));
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 64));
    Recorder recorder(device);
    recorder.copy({upload.at(0), memory.at(0), 16, 16, 16, 4});
    const Commands commands = value_of(recorder.finish());
    value_of(queue.submit(commands));
    EXPECT_THAT(fake().log, ElementsAre("copy 1"));
    EXPECT_EQ(fake().graph_launches, 0) << "one operation needs no graph";
}

TEST_F(HipPlugin, AQueueWaitsForAnothersTicket) {
    fake().eager = false;
    const Device device = open();
    Queue late = value_of(device.create_queue()), early = value_of(device.create_queue());
    const Buffer upload = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 512));
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder first(device), second(device);
    first.copy(upload.at(0), memory.at(0), 512);
    dispatch(second, memory);
    const Commands copy = value_of(first.finish()), launch = value_of(second.finish());
    const isovmaf_ticket copied = value_of(early.submit(copy));
    const isovmaf_ticket launched = value_of(late.submit(launch, {&copied, 1}));
    EXPECT_FALSE(value_of(late.done(launched.value)));
    EXPECT_TRUE(late.wait(launched.value).has_value());
    EXPECT_TRUE(value_of(early.done(copied.value)));
    EXPECT_THAT(fake().log, ElementsAre("copy 1", "launch motion_sad_8 2x1x1 of 256x1x1"));
}

TEST_F(HipPlugin, AnOldTicketIsDoneWhateverCameAfterIt) {
    fake().eager = false;
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    const Commands commands = value_of(recorder.finish());
    const std::uint64_t first = value_of(queue.submit(commands)).value;
    fake().run();
    std::uint64_t last = 0;
    for (int i = 0; i < 100; i++)
        last = value_of(queue.submit(commands)).value;
    EXPECT_TRUE(value_of(queue.done(first)));
    EXPECT_FALSE(value_of(queue.done(last - 1)));
    EXPECT_FALSE(value_of(queue.done(last)));
    fake().run();
    EXPECT_TRUE(value_of(queue.done(last)));
}

TEST_F(HipPlugin, AnEventThatAThreadWaitsForIsNotUsedAgain) {
    fake().eager = false;
    const Device device = open();
    const isovmaf_backend &backend = device.plugin().backend();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    const Commands commands = value_of(recorder.finish());
    const isovmaf_ticket first = value_of(queue.submit(commands));
    set_error("hipEventQuery", gpu::hipErrorNotReady); // keeps the thread looking
    isovmaf_status waited = ISOVMAF_INVALID;
    std::jthread waiter([&] {
        isovmaf_message message{};
        waited = backend.queue_wait(first.queue, first.value, 3'600'000'000'000, &message);
    });
    wait_for_failure();
    value_of(queue.wait(first.value));
    value_of(queue.submit(commands));
    set_error("hipEventQuery", 0);
    waiter.join();
    EXPECT_EQ(waited, ISOVMAF_OK);
}

TEST_F(HipPlugin, WaitingBesideSubmittingIsSafe) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    const Commands commands = value_of(recorder.finish());
    std::atomic<std::uint64_t> submitted = 0;
    std::jthread waiter([&] {
        for (std::uint64_t ticket = 1; ticket <= 300; ticket++) {
            while (submitted < ticket)
                std::this_thread::yield();
            EXPECT_TRUE(queue.wait(ticket).has_value());
        }
    });
    for (int i = 0; i < 300; i++)
        submitted = value_of(queue.submit(commands)).value;
}

TEST_F(HipPlugin, AWaitWithALimitEnds) {
    fake().eager = false;
    const Device device = open();
    const isovmaf_backend &backend = device.plugin().backend();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    const Commands commands = value_of(recorder.finish());
    const isovmaf_ticket ticket = value_of(queue.submit(commands));
    isovmaf_message message{};
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(backend.queue_wait(ticket.queue, ticket.value, 2'000'000, &message), ISOVMAF_NOT_READY);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2));
    EXPECT_EQ(backend.queue_wait(ticket.queue, ticket.value + 1, 0, &message), ISOVMAF_INVALID);
    fake().run();
    EXPECT_EQ(backend.queue_wait(ticket.queue, ticket.value, 0, &message), ISOVMAF_OK);
}

TEST_F(HipPlugin, QueuesGiveNoHandlesToDecoders) {
    const Device device = open();
    const Queue queue = value_of(device.create_queue());
    const Result<isovmaf_native_queue> native = queue.native();
    ASSERT_FALSE(native);
    EXPECT_EQ(native.error().code, ErrorCode::unsupported);
    EXPECT_THAT(native.error().message, HasSubstr("decoders of other libraries cannot use the queues"));
}

TEST_F(HipPlugin, MarksAreMeasured) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device, true);
    recorder.mark();
    recorder.fill(memory.at(0), 8, 0x01010101);
    dispatch(recorder, memory);
    recorder.mark();
    recorder.mark();
    const Commands commands = value_of(recorder.finish());
    EXPECT_FALSE(commands.times()) << "nothing was submitted yet";
    value_of(queue.run(commands));
    EXPECT_THAT(value_of(commands.times()), ElementsAre(0.5, 0.5));
    EXPECT_EQ(fake().log.size(), 2u);
}

TEST_F(HipPlugin, RunningOutOfMemorySaysSoAndLeavesTheDeviceUsable) {
    const Device device = open();
    fake().memory_bytes = fake().allocated_bytes + 4096;
    const Result<Buffer> buffer = device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1'000'000);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::out_of_memory);
    EXPECT_THAT(buffer.error().message, AllOf(HasSubstr("device 0"), HasSubstr("bytes of device memory")));
    EXPECT_TRUE(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
}

TEST_F(HipPlugin, BuffersAreReusedAndTrimmed) {
    const Device device = open();
    for (int i = 0; i < 3; i++)
        (void)value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 10'000));
    EXPECT_EQ(fake().mallocs, 1);
    EXPECT_GT(device.memory().reserved_bytes, 0u);
    EXPECT_EQ(device.memory().allocated_bytes, 0u);
    device.trim_memory();
    EXPECT_EQ(device.memory().reserved_bytes, 0u);
    EXPECT_EQ(fake().allocated_bytes, 0u);
}

TEST_F(HipPlugin, HostMemoryHasNoDeviceAddress) {
    const Device device = open();
    EXPECT_EQ(value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 100)).address(), 0u);
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 100));
    EXPECT_NE(memory.address(), 0u);
    EXPECT_EQ(memory.host(), nullptr);
    const Buffer imported = value_of(device.import_buffer(memory.address(), 100));
    EXPECT_EQ(imported.address(), memory.address());
}

/// Such as an MI300A.
TEST_F(HipPlugin, AnIntegratedDeviceSharesMemory) {
    EXPECT_EQ(open().info().shares_memory, 0u);
    fake().integrated = true;
    const Device device = open();
    EXPECT_EQ(device.info().shares_memory, 1u);
    Queue queue = value_of(device.create_queue());
    const Buffer shared = value_of(device.create_buffer(ISOVMAF_MEMORY_SHARED, 1024));
    ASSERT_NE(shared.host(), nullptr);
    EXPECT_EQ(shared.address(), reinterpret_cast<std::uintptr_t>(shared.host())) << "the runtime's addresses are one";
    const Buffer readback = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, 256));
    std::memset(shared.host(), 7, 1024);
    Recorder recorder(device);
    dispatch(recorder, shared);
    recorder.copy(shared.at(768), readback.at(0), 256);
    const Commands commands = value_of(recorder.finish());
    value_of(queue.submit(commands));
    EXPECT_THAT(fake().log, ElementsAre("launch motion_sad_8 2x1x1 of 256x1x1", "copy 4"));
    EXPECT_EQ(std::memcmp(readback.host(), shared.host() + 768, 256), 0);
}

TEST_F(HipPlugin, WrongCallsAreInvalid) {
    const Device device = open();
    const Buffer upload = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 1024));
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    const auto refused = [&](const auto &record) {
        Recorder recorder(device);
        record(recorder);
        const Result<Commands> commands = recorder.finish();
        return commands ? std::string("taken") : commands.error().message;
    };
    EXPECT_THAT(refused([&](Recorder &r) { r.fill(memory.at(8), 1020, 0); }), HasSubstr("1020 bytes from 8"));
    EXPECT_THAT(refused([&](Recorder &r) { r.fill(memory.at(0), 6, 0); }), HasSubstr("whole 32-bit words"));
    EXPECT_THAT(refused([&](Recorder &r) { r.fill(upload.at(0), 8, 0); }), HasSubstr("device memory"));
    EXPECT_THAT(refused([&](Recorder &r) { r.copy(upload.at(0), upload.at(512), 8); }), HasSubstr("device memory"));
    EXPECT_THAT(refused([&](Recorder &r) { r.copy({upload.at(0), memory.at(0), 4, 4, 8, 2}); }), HasSubstr("overlap"));
    EXPECT_THAT(refused([&](Recorder &r) {
                    r.copy({upload.at(0), memory.at(0), 1u << 20, 8, 8, 2});
                }),
                HasSubstr("source"));
    EXPECT_THAT(refused([&](Recorder &r) { dispatch(r, upload); }), HasSubstr("host memory"));
    EXPECT_THAT(refused([&](Recorder &r) {
                    r.dispatch(kernel, {1, 1, 1}, {64, 1, 1}, {memory.at(4)}, Words{});
                }),
                HasSubstr("multiples of 256"));
    EXPECT_THAT(refused([&](Recorder &r) {
                    r.dispatch(kernel, {0, 1, 1}, {64, 1, 1}, {memory.at(0)}, Words{});
                }),
                HasSubstr("no threads"));
    EXPECT_THAT(refused([&](Recorder &r) { dispatch(r, memory, "no_such_kernel"); }), HasSubstr("no_such_kernel"));
    EXPECT_FALSE(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 0));
}

TEST_F(HipPlugin, AnErrorOfTheRuntimeNamesTheAttempt) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder recorder(device);
    recorder.fill(memory.at(0), 8, 0x01010101);
    const Commands commands = value_of(recorder.finish());
    fake().errors = {{"hipMemsetD32Async", gpu::hipErrorUnknown}, {"hipMemsetAsync", gpu::hipErrorUnknown}};
    const Result<isovmaf_ticket> ticket = queue.submit(commands);
    ASSERT_FALSE(ticket);
    EXPECT_EQ(ticket.error().code, ErrorCode::device_failed);
    EXPECT_THAT(ticket.error().message, AllOf(HasSubstr("filling device memory failed"), HasSubstr("(999)")));
    fake().errors.clear();
    EXPECT_TRUE(queue.submit(commands)) << "this error passes";
}

TEST_F(HipPlugin, CommandsRunWithoutAGraphWhenThereCanBeNone) {
    const Device device = open();
    Queue queue = value_of(device.create_queue());
    const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    const auto submit_twice = [&](const char *failing) {
        Recorder recorder(device);
        recorder.fill(memory.at(0), 8, 0x01010101);
        dispatch(recorder, memory);
        const Commands commands = value_of(recorder.finish());
        fake().log.clear();
        value_of(queue.submit(commands));
        fake().errors = {{failing, gpu::hipErrorStreamCaptureInvalidated}};
        value_of(queue.submit(commands));
        fake().errors.clear();
        EXPECT_EQ(fake().log.size(), 4u) << failing;
    };
    for (const char *const call : {"hipStreamBeginCapture", "hipStreamEndCapture", "hipGraphInstantiate"}) {
        submit_twice(call);
        EXPECT_EQ(fake().graph_launches, 0) << call;
    }
    submit_twice("");
    EXPECT_EQ(fake().graph_launches, device.info().replays ? 1 : 0) << "the next one has its graph again";
}

TEST_F(HipPlugin, NothingIsLeftBehind) {
    const int before = fake().live_objects;
    {
        const Device device = open();
        Queue queue = value_of(device.create_queue());
        const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
        const Buffer upload = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 1024));
        Recorder recorder(device, true);
        recorder.mark();
        recorder.copy(upload.at(0), memory.at(0), 1024);
        dispatch(recorder, memory);
        dispatch(recorder, memory, "motion_sad_8_taps");
        recorder.mark();
        const Commands commands = value_of(recorder.finish());
        value_of(queue.submit(commands));
        EXPECT_GT(fake().live_objects, before);
    }
    EXPECT_EQ(fake().live_objects, before);
}

/// Runs in a process of its own, because a lost device stays lost.
TEST_F(HipPlugin, ALostDeviceStaysLost) {
    const auto lose = [] {
        fake().eager = false;
        fake().faulting_kernel = kernel;
        const Device device = open();
        Queue queue = value_of(device.create_queue());
        const Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
        Recorder recorder(device);
        dispatch(recorder, memory);
        const Commands commands = value_of(recorder.finish());
        const isovmaf_ticket ticket = value_of(queue.submit(commands));
        const Result<void> waited = queue.wait(ticket.value);
        const Result<Buffer> buffer = device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 8);
        const Result<Queue> another = device.create_queue();
        const bool sticky = !waited && !buffer && !another && waited.error().code == ErrorCode::device_lost &&
                            buffer.error().code == ErrorCode::device_lost &&
                            buffer.error().message == waited.error().message;
        std::fprintf(stderr, "%s: %s\n", sticky ? "sticky" : "not sticky",
                     waited ? "no failure" : waited.error().message.c_str());
    };
    EXPECT_EXIT((lose(), std::exit(0)), ::testing::ExitedWithCode(0),
                AllOf(HasSubstr("sticky: device 0"), HasSubstr("the device is lost"), Not(HasSubstr("not"))));
}

} // namespace
} // namespace isovmaf
