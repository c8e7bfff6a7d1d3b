// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "device/device.hpp"
#include "isovmaf/external_memory.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Lets the device reach memory of another API. The result's owner keeps the device open.
[[nodiscard]] Result<ImportedMemory> import_memory(std::shared_ptr<const Device> device,
                                                   const ExternalMemory &external);

} // namespace isovmaf
