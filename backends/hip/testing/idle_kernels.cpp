// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels that do nothing, but for the one that stands for copies.
#include <cstring>

#include "gpu_layer/copy_pair_params.h"
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

Launch prepare(const Image &, std::string_view kernel, const std::array<std::uint32_t, 3> &groups,
               const std::array<std::uint32_t, 3> &, void *const *arguments) {
    if (kernel != "copy_pair")
        return [](const void *) { return true; };
    const auto place = [&](std::size_t i) { return *static_cast<void *const *>(arguments[i]); };
    const std::array<void *, 2> from{place(0), place(2)}, to{place(1), place(3)};
    const auto bytes = static_cast<std::size_t>(static_cast<const CopyPairParams *>(arguments[4])->bytes);
    return [=](const void *) {
        for (std::size_t i = 0; i < groups[1]; i++)
            std::memcpy(to[i], from[i], bytes);
        return true;
    };
}

} // namespace fake_kernels
