// SPDX-License-Identifier: BSD-2-Clause-Patent
// The list of kernels for tests of parts that use none.
#include "vulkan/shaders/kernels.hpp"

namespace isovmaf::vulkan {

std::span<const KernelTable *const> kernel_tables() { return {}; }

} // namespace isovmaf::vulkan
