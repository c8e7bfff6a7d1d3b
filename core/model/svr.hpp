// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isovmaf {

/// Support vector regression with a radial basis kernel, as libsvm trains it (nu_svr, rbf).
struct Svr {
    double gamma = 0;
    double rho = 0;
    std::size_t dimension = 0;        ///< features of one support vector
    std::vector<double> coefficients; ///< one per support vector
    std::vector<double> vectors;      ///< one row of `dimension` values per support vector; 0 where the file has none

    /// The regression's value at `z`, which has `dimension` values (scores.md §2, step 4).
    [[nodiscard]] double predict(std::span<const double> z) const;
};

} // namespace isovmaf
