// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"

/// Which processors are near a device: memory of their NUMA node is reached without crossing to another one.
namespace isovmaf::batch {

/// Whether this isovmaf was built with hwloc, which describes machines.
[[nodiscard]] bool knows_topology();

/// The numbers of the processors near each PCI device, of which each is named as in "0000:c1:00.0"; none for a device
/// that hwloc does not know. HWLOC_XMLFILE takes the place of this machine, as in all programs that use hwloc. Fails
/// without hwloc and when the machine cannot be looked at.
[[nodiscard]] Result<std::vector<std::vector<int>>> processors_near(std::span<const std::string> pci_ids);

} // namespace isovmaf::batch
