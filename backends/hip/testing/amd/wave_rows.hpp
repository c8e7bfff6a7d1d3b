// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hip/testing/amd/lane_operations.hpp"

namespace isovmaf::amd {

/// Rows of registers for `Operation::wave`: every source and the result have two, for numbers of up to 64 bits.
class WaveRows {
  public:
    explicit WaveRows(unsigned lanes) { operands_.lanes = lanes; }

    /// `sources` as for `Operation::function`, of which the condition goes to the mask.
    void set(const Operation &operation, unsigned lane, std::span<const std::uint64_t> sources) {
        const std::size_t numbers = sources.size() - operation.takes_condition;
        for (std::size_t i = 0; i < numbers; ++i)
            write(sources_[i], lane, sources[i]);
        if (operation.takes_condition)
            operands_.mask_in |= (sources.back() & 1) << lane;
    }

    void set_result(unsigned lane, std::uint64_t bits) { write(result_, lane, bits); }
    void activate(unsigned lane) { active_[lane] = ~std::uint32_t{0}; }

    void run(const Operation &operation, const Modes &modes) {
        for (std::size_t i = 0; i < sources_.size(); ++i)
            operands_.sources[i] = sources_[i].data();
        operands_.result = result_.data();
        operands_.active = active_.data();
        operation.wave(modes, operands_);
    }

    std::uint64_t result(unsigned lane) const {
        return result_[lane] | std::uint64_t{result_[WaveOperands::row_stride + lane]} << 32;
    }
    std::uint64_t flag(unsigned lane) const { return operands_.mask_out >> lane & 1; }

  private:
    using Rows = std::array<std::uint32_t, 2 * WaveOperands::row_stride>;

    static void write(Rows &rows, unsigned lane, std::uint64_t bits) {
        rows[lane] = static_cast<std::uint32_t>(bits);
        rows[WaveOperands::row_stride + lane] = static_cast<std::uint32_t>(bits >> 32);
    }

    std::array<Rows, 4> sources_{};
    Rows result_{}, active_{};
    WaveOperands operands_;
};

} // namespace isovmaf::amd
