// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "hip/testing/amd/float_format.hpp"

/// Products and sums that are rounded once, in every format and rounding mode, by means of integers.
namespace isovmaf::amd {

__extension__ using U128 = unsigned __int128;

/// A finite number: `units` times two to the power of `exponent`, perhaps a little more or less than that: then bit 0
/// of `units` is set, and at least 64 bits lie above it.
struct ExactNumber {
    bool negative = false;
    U128 units = 0;
    int exponent = 0;
};

ExactNumber exact_number(double a);

/// a * b + c. Zero has the sign that the rounding mode gives it.
ExactNumber exact_sum(ExactNumber a, ExactNumber b, ExactNumber c, Rounding mode);
ExactNumber exact_product(ExactNumber a, ExactNumber b);

/// The number in the format F.
template <class F>
F rounded(ExactNumber number, Rounding mode);

extern template F16 rounded<F16>(ExactNumber, Rounding);
extern template F32 rounded<F32>(ExactNumber, Rounding);
extern template F64 rounded<F64>(ExactNumber, Rounding);

} // namespace isovmaf::amd
