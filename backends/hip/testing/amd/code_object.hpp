// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hip/testing/amd/lane_operations.hpp"

namespace isovmaf::amd {

/// One explicit argument in the kernel argument segment.
struct KernelArgument {
    std::size_t offset = 0, bytes = 0;
};

/// A kernel descriptor and what the metadata adds to it.
struct Kernel {
    std::string name;
    std::uint64_t entry = 0; ///< of the first instruction, relative to the image
    std::uint32_t lds_bytes = 0;
    std::uint32_t argument_bytes = 0;
    std::uint32_t resources_1 = 0, resources_2 = 0; ///< COMPUTE_PGM_RSRC1 and 2
    std::uint16_t properties = 0;
    std::vector<KernelArgument> arguments;
    unsigned lanes = 64;
    unsigned vector_registers = 0;
    unsigned spilled_registers = 0; ///< vector and scalar registers whose content the compiler keeps elsewhere at times
    unsigned group_threads = 0;     ///< the most threads of a work group
};

/// A loaded ELF file for an AMD GPU. Throws std::runtime_error if the file needs what the executor lacks.
class CodeObject {
  public:
    explicit CodeObject(std::string_view elf);

    [[nodiscard]] Generation generation() const { return generation_; }
    [[nodiscard]] const std::vector<Kernel> &kernels() const { return kernels_; }

    /// The segments at their addresses relative to each other. Kernels find constants there.
    [[nodiscard]] const std::vector<std::byte> &image() const { return image_; }

  private:
    Generation generation_ = Generation::gfx90a;
    std::vector<Kernel> kernels_;
    std::vector<std::byte> image_;
};

} // namespace isovmaf::amd
