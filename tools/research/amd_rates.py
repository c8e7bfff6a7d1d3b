# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Published rates of AMD GPUs, and the least time that kernels take by them.

docs/research/amd-speed.md names the sources.
"""

import dataclasses

from occupancy import PROCESSORS

FULL_WIDTH, FULL_HEIGHT = 1920, 1080
LINE_BYTES = 64  # of the counters

# Passes of a wave through the vector unit, by class of instructions; 1 is full rate.
CDNA_PASSES = {"vector_32": 1, "vector_64": 1, "vector_f64": 1, "multiplication": 1, "transcendental": 4,
               "transcendental_f64": 4, "dual": 1}
RDNA_PASSES = {"vector_32": 1, "vector_64": 2, "vector_f64": 16, "multiplication": 4, "transcendental": 4,
               "transcendental_f64": 16, "dual": 1}
VECTOR_CLASSES = tuple(CDNA_PASSES)


@dataclasses.dataclass(frozen=True)
class Gpu:
    name: str
    target: str
    units: int  # compute units; each serves a pass of LDS and a line of its vector cache in a cycle
    clock: float  # the highest, in Hz
    bandwidth: float  # of memory, in bytes/s
    line_bytes: int  # of the vector cache
    unit_passes: int  # of vector units, in a cycle of a compute unit
    passes: dict

    @property
    def processor(self):
        return PROCESSORS[self.target]


# A compute unit of CDNA has four SIMDs of 16 lanes for waves of 64; one of RDNA has two SIMDs of 32 for waves of 32.
# An MI250X is two dies (GCD), each with its own memory.
GPUS = {gpu.target: gpu for gpu in (
    Gpu("MI250X, one GCD", "gfx90a", 110, 1.7e9, 1.6384e12, 64, 1, CDNA_PASSES),
    Gpu("MI300X", "gfx942", 304, 2.1e9, 5.3e12, 128, 1, CDNA_PASSES),
    Gpu("RX 7900 XTX", "gfx1100", 96, 2.5e9, 0.96e12, 128, 2, RDNA_PASSES),
    Gpu("RX 9070 XT", "gfx1201", 64, 2.97e9, 0.64e12, 128, 2, RDNA_PASSES),
)}


def vector_passes(kernel, gpu):
    return sum(kernel["instructions"][name] * passes for name, passes in gpu.passes.items())


def lds_cycles(kernel):
    return kernel["local_passes"] + kernel["local_conflicts"]


def bounds(kernel, gpu, pixels):
    """The least seconds that the kernel takes for a picture of 1920x1080, by what limits it."""
    frames = FULL_WIDTH * FULL_HEIGHT / pixels  # of 1920x1080
    cycles = gpu.units * gpu.clock / frames  # of all units, in a second
    return {"vector": vector_passes(kernel, gpu) / (gpu.unit_passes * cycles),
            "LDS": lds_cycles(kernel) / cycles,
            "cache": kernel["global_lines"] * LINE_BYTES / gpu.line_bytes / cycles,
            "memory": kernel["launch_lines"] * LINE_BYTES * frames / gpu.bandwidth}


def bound(kernel, gpu, pixels):
    return max(bounds(kernel, gpu, pixels).values())
