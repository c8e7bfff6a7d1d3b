// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "features/speed/speed_math.h"

/// Linear algebra of SpEED in f32, one rounding for each operation, sums in the order of the specification.
namespace isovmaf {

using SpeedVector = std::array<float, SPEED_VALUES>;
using SpeedMatrix = std::array<SpeedVector, SPEED_VALUES>;

/// The diagonal of a symmetric tridiagonal matrix, and the elements beside it: `beside[i]` is in row i + 1.
struct SpeedTridiagonal {
    SpeedVector diagonal{};
    std::array<float, SPEED_VALUES - 1> beside{};
};

/// speed_eigenvalues.cpp: a symmetric matrix made tridiagonal by Householder reflections (speed.md §6).
[[nodiscard]] SpeedTridiagonal speed_tridiagonal(SpeedMatrix matrix);

/// speed_eigenvalues.cpp: the eigenvalues, in the order in which the QR algorithm leaves them (§6). NaN is possible.
[[nodiscard]] SpeedVector speed_eigenvalues(SpeedTridiagonal matrix);

/// Whether an eigenvalue is too small, or NaN: the matrix is taken for singular.
[[nodiscard]] bool speed_is_singular(std::span<const float, SPEED_VALUES> eigenvalues);

/// speed_solve.cpp: X of `matrix` X = `data` (§7). `data` and X have SPEED_VALUES rows of `columns` values; false
/// where a pivot is too small.
[[nodiscard]] bool speed_solve(const SpeedMatrix &matrix, const std::vector<float> &data, int columns,
                               std::vector<float> &x);

} // namespace isovmaf
