// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/svr.hpp"

#include <cassert>
#include <cmath>

namespace isovmaf {

double Svr::predict(std::span<const double> z) const {
    assert(z.size() == dimension);
    const double *vector = vectors.data();
    double sum = 0;
    for (const double coefficient : coefficients) {
        double distance = 0;
        for (const double value : z) {
            const double difference = value - *vector++;
            distance += difference * difference;
        }
        sum += coefficient * std::exp(-gamma * distance);
    }
    return sum - rho;
}

} // namespace isovmaf
