// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of `<feature>_math.h`: arithmetic written once and compiled by every backend. Plain functions on sized
// integers and floats, tables without pointers, no library calls.
#ifndef ISOVMAF_PORTABLE_H
#define ISOVMAF_PORTABLE_H

#include <cstdint>

#define ISOVMAF_FN static inline
#define ISOVMAF_TABLE(type, name, count) static constexpr type name[count]

// Position of the highest set bit of v > 0.
ISOVMAF_FN int32_t floor_log2(uint64_t v) { return 63 - __builtin_clzll(v); }

#endif
