# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What AMD and LLVM publish of AMD GPUs, and bounds of the time of kernels that follow from it.

docs/research/amd-speed.md names the sources.
"""

import dataclasses

FULL_WIDTH, FULL_HEIGHT = 1920, 1080
LINE_BYTES = 64  # of the counters


@dataclasses.dataclass(frozen=True)
class Architecture:
    lanes: int  # of a wave
    simd_lanes: int  # that a SIMD computes in a cycle
    registers: int  # of a lane and SIMD
    register_block: int  # registers are allocated in blocks
    most_waves: int  # of a SIMD
    simds: int  # that share LDS
    lds_bytes: int
    units: int  # compute units that share LDS: a cycle is a pass of LDS and a line of the first cache
    passes: dict  # by class of vector instructions: 1 is full rate


CDNA = Architecture(lanes=64, simd_lanes=16, registers=512, register_block=8, most_waves=8, simds=4,
                    lds_bytes=64 << 10, units=1,
                    passes={"vector_32": 1, "vector_64": 1, "multiplication": 1, "transcendental": 4, "dual": 1})
RDNA = Architecture(lanes=32, simd_lanes=32, registers=1536, register_block=24, most_waves=16, simds=4,
                    lds_bytes=128 << 10, units=2,
                    passes={"vector_32": 1, "vector_64": 2, "multiplication": 4, "transcendental": 4, "dual": 1})
LDS_BLOCK = 512  # bytes; LDS is allocated in blocks


@dataclasses.dataclass(frozen=True)
class Gpu:
    name: str
    architecture: Architecture
    units: int  # compute units
    clock: float  # the highest, in Hz
    bandwidth: float  # of memory, in bytes/s


# By the target of the code. gfx90a: one of the two dies (GCD) of an MI250X, each with its own memory.
GPUS = {
    "gfx90a": Gpu("MI250X, one GCD", CDNA, 110, 1.7e9, 1.6384e12),
    "gfx942": Gpu("MI300X", CDNA, 304, 2.1e9, 5.3e12),
    "gfx1100": Gpu("RX 7900 XTX", RDNA, 96, 2.5e9, 0.96e12),
    "gfx1201": Gpu("RX 9070 XT", RDNA, 64, 2.97e9, 0.64e12),
}


def rounded_up(value, block):
    return -(-value // block) * block


def waves_by_registers(kernel, architecture):
    """Waves that a SIMD has registers for."""
    used = rounded_up(max(kernel["vector_registers"], 1), architecture.register_block)
    return min(architecture.most_waves, architecture.registers // used)


def waves_of_group(kernel):
    return -(-kernel["group_threads"] // kernel["lanes"])


def waves_by_lds(kernel, architecture):
    """Waves per SIMD that LDS has room for, on the average."""
    if not kernel["lds_bytes"]:
        return architecture.most_waves
    groups = architecture.lds_bytes // rounded_up(kernel["lds_bytes"], LDS_BLOCK)
    return min(architecture.most_waves, groups * waves_of_group(kernel) / architecture.simds)


def waves_per_simd(kernel, architecture):
    return min(waves_by_registers(kernel, architecture), waves_by_lds(kernel, architecture))


def vector_passes(kernel, passes):
    """Passes of waves through the vector units."""
    return sum(kernel["instructions"][name] * count for name, count in passes.items())


def lds_cycles(kernel):
    return kernel["local_passes"] + kernel["local_conflicts"]


def bounds(kernel, gpu, passes, pixels):
    """The least seconds that the kernel takes for a picture of 1920x1080, by what limits it."""
    architecture = gpu.architecture
    frames = FULL_WIDTH * FULL_HEIGHT / pixels  # of 1920x1080
    cycles = gpu.units * gpu.clock / frames  # of all units, in a second
    passes_per_cycle = architecture.simds / architecture.units * architecture.simd_lanes / architecture.lanes
    line_bytes = kernel["launch_lines"] * LINE_BYTES
    return {"vector": vector_passes(kernel, passes) / (passes_per_cycle * cycles),
            "lds": lds_cycles(kernel) / cycles,
            "cache": kernel["global_lines"] / cycles,
            "memory": line_bytes / gpu.bandwidth * frames}
