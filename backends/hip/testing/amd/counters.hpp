// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hip/testing/amd/executor.hpp"
#include "hip/testing/amd/instruction_tables.hpp"

namespace isovmaf::amd {

/// What instructions cost depends on their class.
enum class InstructionClass : std::uint8_t {
    vector_32,
    vector_64,          ///< integers of 64 bits, in a source or in the result
    vector_f64,         ///< f64, in a source or in the result
    multiplication,     ///< of 32 bits, with the low, the high or both halves of the product
    transcendental,     ///< reciprocals, roots, exponentials, logarithms, sines and cosines
    transcendental_f64, ///< reciprocals and roots
    dual,               ///< two vector instructions of 32 bits in one
    scalar,
    scalar_memory,
    local_memory,
    global_memory,
    control, ///< branches, barriers, waits and hints
};

constexpr std::array<std::string_view, 12> instruction_class_names = {
    "vector_32", "vector_64", "vector_f64",    "multiplication", "transcendental", "transcendental_f64",
    "dual",      "scalar",    "scalar_memory", "local_memory",   "global_memory",  "control"};

/// What the launches of a kernel did, summed up.
struct KernelCounts {
    std::uint64_t launches = 0, groups = 0, waves = 0;
    std::array<std::uint64_t, instruction_class_names.size()> instructions{}; ///< of waves, by class

    /// LDS has 32 banks of a word. A pass serves as many lanes as have 32 words together, in their order. It takes as
    /// many cycles as different words of one bank are asked for; the second and later ones are conflicts.
    std::uint64_t local_passes = 0, local_conflicts = 0;

    std::uint64_t global_bytes = 0; ///< that active lanes ask for
    std::uint64_t global_lines = 0; ///< of 64 bytes, different ones of each instruction
    std::uint64_t launch_lines = 0; ///< of 64 bytes, different ones of each launch

    /// Accesses of lanes that are not aligned: in LDS to their size, in global memory to their size or to 4 bytes.
    std::uint64_t local_misaligned = 0, global_misaligned = 0;

    [[nodiscard]] std::uint64_t of(InstructionClass wanted) const {
        return instructions[static_cast<std::size_t>(wanted)];
    }
};

/// Lines of memory, by their number.
class LineSet {
  public:
    /// False if the line is in the set already.
    bool add(std::uint64_t line);
    void clear() { pages_.clear(), last_ = nullptr; }

  private:
    static constexpr std::uint64_t page_lines = 4096;

    std::unordered_map<std::uint64_t, std::bitset<page_lines>> pages_;
    std::uint64_t last_number_ = 0;
    std::bitset<page_lines> *last_ = nullptr; ///< that `add` used last
};

/// Counts what the kernels of one program do.
class Counters final : public Observer {
  public:
    /// The program must outlive the counters.
    explicit Counters(const Program &program);

    /// What is seen from now on belongs to this launch.
    void begin(const Launch &launch);
    void before(const Wave &wave, const Instruction &instruction, std::uint32_t index) override;

    [[nodiscard]] const std::map<const Kernel *, KernelCounts> &kernels() const { return kernels_; }

  private:
    struct Cost {
        InstructionClass kind = InstructionClass::vector_32;
        LaneAccess access;
    };

    void count_local(const Wave &wave, const Instruction &instruction, const LaneAccess &access);
    void count_global(const Wave &wave, const Instruction &instruction, const LaneAccess &access);

    std::vector<Cost> costs_; ///< of each instruction
    std::map<const Kernel *, KernelCounts> kernels_;
    KernelCounts *current_ = nullptr;
    LineSet lines_; ///< of the launch
};

} // namespace isovmaf::amd
