// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels that do nothing.
#include "hip/testing/fake_kernels.hpp"

namespace fake_kernels {

void add_memory(void *, std::size_t, bool) {}
void remove_memory(void *) {}
void memory_written(const void *, const void *, std::size_t) {}

Launch prepare(std::string_view, std::string_view, const std::array<std::uint32_t, 3> &,
               const std::array<std::uint32_t, 3> &, void *const *) {
    return [] { return true; };
}

} // namespace fake_kernels
