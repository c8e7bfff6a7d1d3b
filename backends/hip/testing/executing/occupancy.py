# SPDX-License-Identifier: BSD-2-Clause-Patent
"""How many waves AMD's processors hold, from the registers and LDS of a kernel.

Sizes are those of LLVM's AMDGPU backend, for code of clang: RDNA with waves of 32 lanes and groups on a whole
work group processor.
"""

import dataclasses

LDS_BLOCK = 512  # bytes; LDS is allocated in blocks


@dataclasses.dataclass(frozen=True)
class Processor:
    """A compute unit of CDNA, or a work group processor of RDNA, which has two."""
    registers: int  # of a lane and SIMD
    register_block: int  # registers are allocated in blocks
    most_waves: int  # of a SIMD
    lds_bytes: int
    simds: int = 4


CDNA = Processor(registers=512, register_block=8, most_waves=8, lds_bytes=64 << 10)
RDNA_2 = Processor(registers=1024, register_block=16, most_waves=16, lds_bytes=128 << 10)
RDNA = Processor(registers=1536, register_block=24, most_waves=16, lds_bytes=128 << 10)
PROCESSORS = {"gfx90a": CDNA, "gfx942": CDNA, "gfx1030": RDNA_2, "gfx1100": RDNA, "gfx1201": RDNA}


def rounded_up(value, block):
    return -(-value // block) * block


def waves_of_group(kernel):
    return -(-kernel["group_threads"] // kernel["lanes"])


def waves_by_registers(kernel, processor):
    """Waves that a SIMD has registers for."""
    used = rounded_up(max(kernel["vector_registers"], 1), processor.register_block)
    return min(processor.most_waves, processor.registers // used)


def waves_by_lds(kernel, processor):
    """Waves per SIMD that LDS has room for, on the average."""
    if not kernel["lds_bytes"]:
        return processor.most_waves
    groups = processor.lds_bytes // rounded_up(kernel["lds_bytes"], LDS_BLOCK)
    return min(processor.most_waves, groups * waves_of_group(kernel) / processor.simds)


def waves_per_simd(kernel, processor):
    return min(waves_by_registers(kernel, processor), waves_by_lds(kernel, processor))
