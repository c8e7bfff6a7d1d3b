// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tests of what only the stand-in promises: its settings, and an error sentence for every mistake of the caller.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/tests/fault_runner.hpp"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

class Setting : public ::testing::TestWithParam<std::pair<const char *, const char *>> {};

TEST_P(Setting, AWrongValueIsRefusedByProbe) {
    const Device device = open_test_device();
    const auto plugin = value_of(Plugin::open(device.plugin().path()));
    const auto [name, value] = GetParam();
    setenv(name, value, 1);
    isovmaf_runtime_info info{};
    isovmaf_message message{};
    EXPECT_EQ(plugin->backend().probe(&info, &message), ISOVMAF_UNAVAILABLE);
    EXPECT_THAT(message.text, HasSubstr(std::string(name) + " is '" + value + "' and may be "));
    EXPECT_FALSE(Device::open(plugin, 0));
    unsetenv(name);
    EXPECT_EQ(plugin->backend().probe(&info, &message), ISOVMAF_OK);
}

INSTANTIATE_TEST_SUITE_P(
    Wrong, Setting,
    ::testing::Values(std::pair{"ISOVMAF_HOST_WAVE", "16"}, std::pair{"ISOVMAF_HOST_WAVE", ""},
                      std::pair{"ISOVMAF_HOST_ORDER", "backward"}, std::pair{"ISOVMAF_HOST_THREADS", "0"},
                      std::pair{"ISOVMAF_HOST_THREADS", "257"}, std::pair{"ISOVMAF_HOST_THREADS", "2x"},
                      std::pair{"ISOVMAF_HOST_DEVICES", "0"}, std::pair{"ISOVMAF_HOST_DEVICES", "9"},
                      std::pair{"ISOVMAF_HOST_FAIL", "copy"}, std::pair{"ISOVMAF_HOST_FAIL", "copy:0"},
                      std::pair{"ISOVMAF_HOST_FAIL", "copy:-1"}, std::pair{"ISOVMAF_HOST_FAIL", "upload:1"}));

class Misuse : public ::testing::Test {
  protected:
    Buffer memory(isovmaf_memory kind) { return value_of(device_.create_buffer(kind, 1024)); }

    /// The error sentence of recording the commands.
    template <class Record>
    std::string refusal(const Record &record) {
        Recorder recorder(device_);
        record(recorder);
        const Result<Commands> commands = recorder.finish();
        return commands ? "" : commands.error().message;
    }

    Device device_ = open_test_device();
    Buffer there_ = memory(ISOVMAF_MEMORY_DEVICE), other_ = memory(ISOVMAF_MEMORY_DEVICE);
    Buffer up_ = memory(ISOVMAF_MEMORY_UPLOAD), down_ = memory(ISOVMAF_MEMORY_READBACK);
};

TEST_F(Misuse, TheDeviceDescribesItselfAsACpu) {
    EXPECT_EQ(device_.info().cpu, 1u);
    EXPECT_STREQ(device_.info().name, "host CPU");
}

TEST_F(Misuse, OfCopies) {
    const auto copy = [&](const isovmaf_copy &rows) {
        return refusal([&](Recorder &recorder) { recorder.copy(rows); });
    };
    const auto at = [](const Buffer &buffer, std::uint64_t offset) { return buffer.at(offset); };
    EXPECT_EQ(copy({at(there_, 0), at(other_, 0), 256, 256, 256, 4}), "");
    EXPECT_THAT(copy({at(there_, 4), at(other_, 0), 256, 256, 256, 4}), HasSubstr("does not lie inside"));
    EXPECT_THAT(copy({at(there_, 0), at(other_, 0), 256, 257, 256, 4}), HasSubstr("does not lie inside"));
    EXPECT_THAT(copy({at(there_, 0), at(other_, 0), ~0ull, 256, 256, 4}), HasSubstr("does not lie inside"));
    EXPECT_THAT(copy({at(there_, 0), at(other_, 0), 256, 255, 256, 4}), HasSubstr("bytes apart"));
    EXPECT_THAT(copy({at(up_, 0), at(down_, 0), 256, 256, 256, 4}), HasSubstr("host memory to host memory"));
    EXPECT_THAT(copy({at(there_, 0), at(there_, 255), 0, 0, 256, 1}), HasSubstr("overlap"));
    EXPECT_EQ(copy({at(there_, 0), at(there_, 256), 0, 0, 256, 1}), "");
}

TEST_F(Misuse, OfFills) {
    const auto fill = [&](const Buffer &buffer, std::uint64_t offset, std::uint64_t bytes) {
        return refusal([&](Recorder &recorder) { recorder.fill(buffer.at(offset), bytes, 0); });
    };
    EXPECT_EQ(fill(there_, 4, 1020), "");
    EXPECT_THAT(fill(there_, 4, 1024), HasSubstr("cannot be filled"));
    EXPECT_THAT(fill(there_, 2, 4), HasSubstr("multiples of 4"));
    EXPECT_THAT(fill(there_, 4, 6), HasSubstr("multiples of 4"));
    EXPECT_THAT(fill(up_, 0, 4), HasSubstr("host memory cannot be filled"));
}

TEST_F(Misuse, OfLaunches) {
    const auto launch = [&](Extent3 groups, Extent3 group_size, std::initializer_list<isovmaf_range> ranges) {
        return refusal([&](Recorder &recorder) { recorder.dispatch("neighbours", groups, group_size, ranges); });
    };
    const isovmaf_range in = there_.at(0), out = other_.at(0);
    EXPECT_EQ(launch({1, 1, 1}, {256, 1, 1}, {in, out}), "");
    EXPECT_EQ(launch({1, 1, 1}, {16, 16, 1}, {in, out}), "");
    EXPECT_THAT(launch({1, 1, 1}, {128, 1, 1}, {in, out}), HasSubstr("has blocks of 256 threads, not of 128 x 1 x 1"));
    EXPECT_THAT(launch({1, 0, 1}, {256, 1, 1}, {in, out}), HasSubstr("1 x 0 x 1 blocks"));
    EXPECT_THAT(launch({1, 1, 1}, {256, 1, 1}, {in}), HasSubstr("takes 2 pointers and 0 bytes, not 1 and 0"));
    EXPECT_THAT(launch({1, 1, 1}, {256, 1, 1}, {in, other_.at(128)}), HasSubstr("range 1 starts at 128"));
    EXPECT_THAT(launch({1, 1, 1}, {256, 1, 1}, {in, other_.at(1024)}), HasSubstr("range 1 starts at 1024"));
    EXPECT_THAT(launch({1, 1, 1}, {256, 1, 1}, {up_.at(0), out}), HasSubstr("range 0 is host memory"));
    EXPECT_THAT(refusal([&](Recorder &recorder) {
                    recorder.dispatch("neighbours", {1, 1, 1}, {256, 1, 1}, {in, out}, std::uint32_t{1});
                }),
                HasSubstr("takes 2 pointers and 0 bytes, not 2 and 4"));
}

TEST_F(Misuse, OfQueues) {
    Queue queue = value_of(device_.create_queue());
    Recorder recorder(device_);
    for (int i = 0; i < 20; i++)
        recorder.dispatch("neighbours", {1, 1, 1}, {256, 1, 1}, {there_.at(0), other_.at(0)});
    const Commands commands = value_of(recorder.finish());
    const isovmaf_ticket ticket = value_of(queue.submit(commands));
    value_of(queue.wait(ticket.value));
    EXPECT_FALSE(queue.wait(ticket.value + 1)) << "a ticket that does not exist";
    const isovmaf_ticket none{ticket.queue, ticket.value + 1};
    EXPECT_FALSE(queue.submit(commands, {{none}}));
    int stream = 0;
    EXPECT_FALSE(device_.create_queue(&stream));
}

TEST_F(Misuse, OfCommandsThatHaveNotEnded) {
    Queue queue = value_of(device_.create_queue());
    Recorder recorder(device_);
    for (int i = 0; i < 100; i++)
        recorder.dispatch("neighbours", {1, 1, 1}, {256, 1, 1}, {there_.at(0), other_.at(0)});
    const Commands commands = value_of(recorder.finish());
    // Retries, because the work may end before this thread submits again.
    for (int attempt = 0; attempt < 1000; attempt++) {
        const isovmaf_ticket ticket = value_of(queue.submit(commands));
        const Result<isovmaf_ticket> again = queue.submit(commands);
        value_of(queue.wait(again ? again->value : ticket.value));
        if (again)
            continue;
        EXPECT_THAT(again.error().message, HasSubstr("before they ended"));
        return;
    }
    FAIL() << "commands could always be submitted again";
}

} // namespace
} // namespace isovmaf
