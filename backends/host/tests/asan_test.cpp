// SPDX-License-Identifier: BSD-2-Clause-Patent
// AddressSanitizer reports accesses of a kernel beyond a buffer.
#include "host/tests/fault_runner.hpp"

namespace isovmaf {
namespace {

using namespace testing;

class AsanDeathTest : public ::testing::Test {
  protected:
    AsanDeathTest() { ::testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

TEST_F(AsanDeathTest, AReadBeyondABuffer) {
    EXPECT_EXIT((void)run_block(open_host("32", "forward"), "reads_beyond"), [](int status) { return status != 0; },
                "READ of size 4");
}

TEST_F(AsanDeathTest, AWriteBeyondABuffer) {
    EXPECT_EXIT((void)run_block(open_host("32", "forward"), "writes_beyond"), [](int status) { return status != 0; },
                "WRITE of size 4");
}

} // namespace
} // namespace isovmaf
