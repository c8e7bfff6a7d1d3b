// SPDX-License-Identifier: BSD-2-Clause-Patent
// Plugins for tests of everything around plugins. Their devices know the self-test's kernels and nothing else; each is
// sound or has one defect. The build makes several plugins of fake_plugin.cpp, and compiles fake_backend.cpp once.
//
// A device that opens slowly takes 200 ms; where the environment has FAKE_OPENING_UNTIL, it opens when there is a file
// of that name.
#pragma once

#include <cstdint>
#include <vector>

#include "isovmaf/backend.h"

namespace isovmaf {

enum class Defect {
    none,
    fuses_f32,
    fuses_f64,
    shifts_zeros_in,
    reduces_one_wave,
    loses_sums,
    ignores_strides,
    never_fills,
    launches_nothing,
    lacks_a_kernel,
    does_not_open,
    opens_slowly,
    flushes_f32,     // denormal sums, which are rare
    fuses_exact_f32, // in f32.h alone
    approximates_roots,
    trusts_quick_f32, // does no quick operation again
    shares_bytes,     // a byte of shared memory that is written changes its neighbours
    loses_bits,       // of words to which several blocks add some
};

struct FakePlugin {
    const char *name = "";
    std::vector<Defect> devices = {}; // the defect of each device; none: the plugin is unavailable
    bool is_cpu = false;              // its devices are CPUs
    bool rounds_upward = false;       // loading it and its driver makes the thread round upward, as some make it drop
                                      // subnormal numbers
    std::uint32_t magic = 0;
    std::uint64_t layout = 0;
};

/// Keeps the description for the functions of this plugin, and returns its entry. Called once, while it is loaded.
isovmaf_backend fake_backend(FakePlugin description);

} // namespace isovmaf
