// SPDX-License-Identifier: BSD-2-Clause-Patent
// A system of linear equations, solved by QR decomposition: speed.md §7.
#include <cmath>

#include "features/speed/speed_matrix.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t size = SPEED_VALUES;

SpeedMatrix identity() {
    SpeedMatrix result{};
    for (std::size_t i = 0; i < size; i++)
        result[i][i] = 1;
    return result;
}

SpeedMatrix product(const SpeedMatrix &a, const SpeedMatrix &b) {
    SpeedMatrix result{};
    for (std::size_t i = 0; i < size; i++)
        for (std::size_t j = 0; j < size; j++)
            for (std::size_t m = 0; m < size; m++)
                result[i][j] += a[i][m] * b[m][j];
    return result;
}

float norm(const SpeedVector &v) {
    float squares = 0;
    for (const float value : v)
        squares += value * value;
    return std::sqrt(squares);
}

/// The reflection that clears column k of `z` below the diagonal.
SpeedMatrix reflection(const SpeedMatrix &z, std::size_t k, float sign) {
    SpeedVector v;
    for (std::size_t i = 0; i < size; i++)
        v[i] = z[i][k];
    v[k] += sign * norm(v);
    const float length = norm(v);
    for (float &value : v)
        value /= length;
    SpeedMatrix result;
    for (std::size_t i = 0; i < size; i++) {
        for (std::size_t j = 0; j < size; j++)
            result[i][j] = -2 * v[i] * v[j];
        result[i][i] += 1;
    }
    return result;
}

/// Sets rows and columns before k to those of the identity.
void clear_before(SpeedMatrix &z, std::size_t k) {
    for (std::size_t i = 0; i < k; i++)
        for (std::size_t j = 0; j < size; j++)
            z[i][j] = z[j][i] = i == j ? 1 : 0;
}

} // namespace

bool speed_solve(const SpeedMatrix &matrix, const std::vector<float> &data, int columns, std::vector<float> &x) {
    SpeedMatrix z = matrix, q = identity();
    for (std::size_t k = 0; k + 1 < size; k++) {
        clear_before(z, k);
        const SpeedMatrix p = reflection(z, k, matrix[k][k] >= 0 ? 1.0F : -1.0F);
        z = product(p, z);
        q = product(p, q);
    }
    const SpeedMatrix r = product(q, matrix);
    const auto count = static_cast<std::size_t>(columns);
    x.assign(size * count, 0);
    for (std::size_t i = size; i-- > 0;) {
        if (double{std::abs(r[i][i])} < SPEED_SINGULAR)
            return false;
        for (std::size_t b = 0; b < count; b++) {
            float sum = 0;
            for (std::size_t m = 0; m < size; m++)
                sum += q[i][m] * data[m * count + b];
            for (std::size_t k = i + 1; k < size; k++)
                sum -= x[k * count + b] * r[i][k];
            x[i * count + b] = sum / r[i][i];
        }
    }
    return true;
}

} // namespace isovmaf
