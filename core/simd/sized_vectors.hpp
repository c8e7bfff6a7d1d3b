// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// For SVE, part of vectors.hpp: lets the functions of Highway 1.0.3 take vectors whose length the compiler knows. Those
// convert to Highway's own types. But a template does not find the tag of a sized type, and deduces no type from one
// vector of each kind: for that there are overloads that are no templates.
HWY_BEFORE_NAMESPACE();

namespace hwy::HWY_NAMESPACE {

#define ISOVMAF_BINARY(function, name)                                                                                 \
    HWY_API Vec<isovmaf::D##name> function(Vec<isovmaf::D##name> a, Vec<isovmaf::D##name> b) {                         \
        return function<Vec<isovmaf::D##name>>(a, b);                                                                  \
    }
#define ISOVMAF_SIZED_TYPE(name)                                                                                       \
    template <>                                                                                                        \
    struct DFromV_t<isovmaf::V##name> {                                                                                \
        using type = isovmaf::D##name;                                                                                 \
    };                                                                                                                 \
    ISOVMAF_BINARY(OddEven, name)                                                                                      \
    ISOVMAF_BINARY(InterleaveLower, name)                                                                              \
    HWY_API Vec<isovmaf::D##name> IfThenElseZero(svbool_t mask, Vec<isovmaf::D##name> yes) {                           \
        return IfThenElseZero<Vec<isovmaf::D##name>>(mask, yes);                                                       \
    }

ISOVMAF_SIZED_TYPE(I16)
ISOVMAF_SIZED_TYPE(U16)
ISOVMAF_SIZED_TYPE(I32)
ISOVMAF_SIZED_TYPE(U32)
ISOVMAF_SIZED_TYPE(I64)
ISOVMAF_SIZED_TYPE(U64)
ISOVMAF_SIZED_TYPE(F32)
ISOVMAF_SIZED_TYPE(F64)

#undef ISOVMAF_SIZED_TYPE
#undef ISOVMAF_BINARY

} // namespace hwy::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();
