// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels that do nothing.
#include "hip/testing/fake_kernels.hpp"

namespace fake_kernels {

void add_memory(void *, std::size_t, bool) {}
void remove_memory(void *) {}
bool memory_written(const void *, const void *, const void *, std::size_t) { return true; }
void work_submitted(const void *) {}
void event_recorded(const void *, const void *) {}
void stream_waited(const void *, const void *) {}
void host_waited(const void *) {}

Image load(std::string_view) { return {}; }

Launch prepare(const Image &, std::string_view, const std::array<std::uint32_t, 3> &,
               const std::array<std::uint32_t, 3> &, void *const *) {
    return [](const void *) { return true; };
}

} // namespace fake_kernels
