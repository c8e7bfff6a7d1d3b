// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

/// What execute_vector and execute_dual do in strict waves: lane by lane, with undefined bits.
void execute_strict_vector(Wave &wave, const Instruction &instruction);
void execute_strict_dual(Wave &wave, const Instruction &first);

/// Writes the flags of the lanes to the mask or to EXEC, wherever the instruction has them.
inline void write_flags(Wave &wave, const Instruction &instruction, Value flags) {
    if (instruction.operation->writes_exec)
        wave.set_mask(scalar::exec, flags);
    else if (instruction.operation->writes_flag)
        wave.set_mask(instruction.mask.index, flags);
}

} // namespace isovmaf::amd
