// SPDX-License-Identifier: BSD-2-Clause-Patent
// Failures that ISOVMAF_HOST_FAIL asks for. Operations are counted per process, so each test needs a process of its
// own: backends/host/tests/meson.build runs each with the setting that the test's name describes.
#include <gmock/gmock.h>

#include "host/tests/fault_runner.hpp"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

class InjectedFailure : public ::testing::Test {
  protected:
    Result<Buffer> allocate() { return device_.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024); }

    /// One submission of two copies with a launch between them.
    Commands copy_launch_copy() {
        Recorder recorder(device_);
        recorder.copy(a_.at(0), b_.at(0), 1024);
        recorder.dispatch("neighbours", {1, 1, 1}, {fault_threads, 1, 1}, {b_.at(0), a_.at(0)});
        recorder.copy(a_.at(0), b_.at(0), 1024);
        return value_of(recorder.finish());
    }

    Result<void> submit_and_wait(Queue &queue, const Commands &commands) {
        const Result<isovmaf_ticket> ticket = queue.submit(commands);
        return ticket ? queue.wait(ticket->value) : tl::unexpected(ticket.error());
    }

    void expect_failure(const Result<void> &result, ErrorCode code, const std::string &what) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, code);
        EXPECT_THAT(result.error().message, HasSubstr(what));
        EXPECT_THAT(result.error().message, HasSubstr("ISOVMAF_HOST_FAIL"));
    }

    Device device_ = open_test_device();
    Buffer a_ = value_of(allocate()), b_ = value_of(allocate());
    Queue queue_ = value_of(device_.create_queue());
};

TEST_F(InjectedFailure, TheThirdAllocation) {
    const Result<Buffer> third = allocate();
    expect_failure(third ? Result<void>() : tl::unexpected(third.error()), ErrorCode::out_of_memory, "1024 bytes");
    EXPECT_TRUE(allocate()) << "the fourth";
}

TEST_F(InjectedFailure, TheThirdCopy) {
    const Commands commands = copy_launch_copy();
    EXPECT_TRUE(submit_and_wait(queue_, commands));
    expect_failure(submit_and_wait(queue_, commands), ErrorCode::device_failed, "copy");
    // The queue executes nothing more.
    expect_failure(submit_and_wait(queue_, commands), ErrorCode::device_failed, "copy");
    Queue other = value_of(device_.create_queue());
    EXPECT_TRUE(submit_and_wait(other, commands)) << "but the device does";
}

TEST_F(InjectedFailure, TheSecondLaunchAndWhatWaitsForIt) {
    const Commands commands = copy_launch_copy(), more = copy_launch_copy(), dependent = copy_launch_copy();
    EXPECT_TRUE(submit_and_wait(queue_, commands));
    const isovmaf_ticket ticket = value_of(queue_.submit(more));
    Queue other = value_of(device_.create_queue());
    const isovmaf_ticket later = value_of(other.submit(dependent, {{ticket}}));
    expect_failure(other.wait(later.value), ErrorCode::device_failed, "neighbours");
    expect_failure(queue_.wait(ticket.value), ErrorCode::device_failed, "neighbours");
}

TEST_F(InjectedFailure, TheDeviceIsLostAtTheFifthOperation) {
    const Commands commands = copy_launch_copy();
    EXPECT_TRUE(submit_and_wait(queue_, commands));
    expect_failure(submit_and_wait(queue_, commands), ErrorCode::device_lost, "lost");
    expect_failure(submit_and_wait(queue_, commands), ErrorCode::device_lost, "lost");
    const Result<Buffer> buffer = allocate();
    expect_failure(buffer ? Result<void>() : tl::unexpected(buffer.error()), ErrorCode::device_lost, "lost");
    const Result<Queue> queue = device_.create_queue();
    expect_failure(queue ? Result<void>() : tl::unexpected(queue.error()), ErrorCode::device_lost, "lost");
    EXPECT_TRUE(Device::open(value_of(Plugin::open(device_.plugin().path())), 0)) << "another one";
}

} // namespace
} // namespace isovmaf
