// SPDX-License-Identifier: BSD-2-Clause-Patent
// ThreadSanitizer reports threads of a block, and queues, that do not wait for each other.
#include "host/tests/fault_runner.hpp"

namespace isovmaf {
namespace {

using namespace testing;

class TsanDeathTest : public ::testing::Test {
  protected:
    TsanDeathTest() { ::testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

bool failed(int status) { return status != 0; }

/// Two queues access one buffer. `waits` says whether the second waits for the first.
void share_a_buffer(bool with_wait) {
    const Device device = open_host("32", "forward");
    Queue first = value_of(device.create_queue()), second = value_of(device.create_queue());
    const Buffer shared = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    const Buffer copied = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 1024));
    Recorder fill(device), copy(device);
    fill.fill(shared.at(0), 1024, 1);
    copy.copy(shared.at(0), copied.at(0), 1024);
    const Commands fills = value_of(fill.finish()), copies = value_of(copy.finish());
    std::vector<isovmaf_ticket> waits{value_of(first.submit(fills))};
    const isovmaf_ticket ticket = waits[0];
    if (!with_wait)
        waits.clear();
    value_of(second.wait(value_of(second.submit(copies, waits)).value));
    value_of(first.wait(ticket.value));
}

TEST_F(TsanDeathTest, AMissingBarrier) {
    for (const char *const order : {"forward", "reverse", "shuffle"}) {
        (void)run_block(open_host("32", order), "neighbours");
        EXPECT_EXIT((void)run_block(open_host("32", order), "neighbours_without_barrier");
                    std::exit(0), failed, "data race.*\n.*faults.cu");
    }
}

TEST_F(TsanDeathTest, AMissingWaitBetweenQueues) {
    share_a_buffer(true);
    EXPECT_EXIT(share_a_buffer(false); std::exit(0), failed, "data race");
}

} // namespace
} // namespace isovmaf
