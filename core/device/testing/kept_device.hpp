// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>

#include <gtest/gtest.h>

#include "device/testing/test_device.hpp"

namespace isovmaf::testing {

/// Keeps the test device open from the first to the last test of a program. Compiling kernels takes longer than most
/// tests, and a Vulkan device that nobody has open forgets them when validation is on.
class KeptDevice final : public ::testing::Environment {
  public:
    /// Called once, before the program's tests run. GoogleTest owns the result.
    [[nodiscard]] static const KeptDevice &add() {
        auto *const kept = new KeptDevice;
        ::testing::AddGlobalTestEnvironment(kept);
        return *kept;
    }

    [[nodiscard]] const Device &get() const { return *device_; }

    void SetUp() override { device_.emplace(open_test_device()); }
    void TearDown() override { device_.reset(); } // before drivers tidy up at the process's end

  private:
    std::optional<Device> device_;
};

} // namespace isovmaf::testing
