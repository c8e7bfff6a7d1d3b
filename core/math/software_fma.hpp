// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

namespace isovmaf::math {

/// a · b + c rounded once, to nearest with ties to even, as IEEE 754's fusedMultiplyAdd: in integers, for processors
/// that lack it. C libraries have one too (std::fma), which some of them round twice.
[[nodiscard]] double software_fma(double a, double b, double c);

} // namespace isovmaf::math
