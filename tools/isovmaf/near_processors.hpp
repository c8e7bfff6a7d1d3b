// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::tool {

/// A device near whose processors threads should run.
struct DeviceAddress {
    std::string label;  ///< for sentences
    std::string pci_id; ///< "0000:c1:00.0"; may be empty
};

/// For each device the processors near it that this process may use. Empty where these are all that it may use, and,
/// with a warning, where there are none. Fails when the machine cannot be looked at: see batch::processors_near.
[[nodiscard]] Result<std::vector<std::vector<int>>> choose_processors(std::span<const DeviceAddress> devices,
                                                                      const LogSink &log);

/// "threads are bound: hip:0 to 24 processors near it"; empty where none are.
[[nodiscard]] std::string bound_text(std::span<const DeviceAddress> devices,
                                     std::span<const std::vector<int>> processors);

} // namespace isovmaf::tool
