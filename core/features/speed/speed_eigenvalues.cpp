// SPDX-License-Identifier: BSD-2-Clause-Patent
// Eigenvalues of a symmetric matrix: speed.md §6.
#include <algorithm>
#include <cmath>

#include "features/speed/speed_matrix.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t size = SPEED_VALUES;

float hypotenuse(float p, float q) { return std::sqrt(p * p + q * q); }

/// Householder's vector of a column below its diagonal; `first` is its first row. Returns tau, 0 if there is nothing to
/// reflect, and leaves in `beta` what remains of the column.
float reflection(SpeedVector &v, std::size_t first, float &beta) {
    float squares = 0;
    for (std::size_t r = first + 1; r < size; r++)
        squares += v[r] * v[r];
    const float norm = std::sqrt(squares);
    const float alpha = v[first];
    beta = alpha;
    if (norm == 0)
        return 0;
    beta = hypotenuse(alpha, norm);
    beta = alpha >= 0 ? -beta : beta;
    const float tau = (beta - alpha) / beta;
    const float divisor = alpha - beta;
    if (divisor != 0)
        for (std::size_t r = first; r < size; r++)
            v[r] /= divisor;
    v[first] = 1;
    return tau;
}

/// The matrix's rows and columns from `first` on, reflected from both sides.
void reflect(SpeedMatrix &a, const SpeedVector &v, std::size_t first, float tau) {
    SpeedVector x{};
    float product = 0;
    for (std::size_t r = first; r < size; r++) {
        for (std::size_t c = first; c < size; c++)
            x[r] += tau * a[r][c] * v[c];
        product += x[r] * v[r];
    }
    const auto share = static_cast<float>(-0.5 * double{tau} * double{product});
    for (std::size_t r = first; r < size; r++)
        x[r] += share * v[r];
    for (std::size_t r = first; r < size; r++)
        for (std::size_t c = first; c < size; c++)
            a[r][c] -= x[r] * v[c] + v[r] * x[c];
}

/// A diagonal and the elements beside it, of which rows `first` to `last` are worked on.
struct Block {
    SpeedTridiagonal &matrix;
    std::size_t first, last;

    [[nodiscard]] std::size_t count() const { return last - first + 1; }
    [[nodiscard]] float &d(std::size_t i) const { return matrix.diagonal[first + i]; }
    [[nodiscard]] float &e(std::size_t i) const { return matrix.beside[first + i]; }

    /// Sets elements to 0 that are negligible beside those of the diagonal.
    void chop() const {
        for (std::size_t i = 0; i + 1 < count(); i++)
            if (double{std::abs(e(i))} < SPEED_NEGLIGIBLE * double{std::abs(d(i)) + std::abs(d(i + 1))})
                e(i) = 0;
    }
};

/// The eigenvalue of the last two rows that is closer to the last one.
float shift_of(const Block &block) {
    const std::size_t n = block.count();
    const float above = block.d(n - 2), last = block.d(n - 1), beside = block.e(n - 2);
    const float half = (above - last) / 2;
    float shift = last - std::abs(beside);
    if (half > 0)
        shift = last - beside * (beside / (half + hypotenuse(half, beside)));
    else if (half < 0)
        shift = last + beside * (beside / (-half + hypotenuse(half, beside)));
    const double first = double{std::abs(block.d(0)) + std::abs(block.e(0))};
    return SPEED_NEGLIGIBLE * double{std::abs(shift)} > first ? 0 : shift;
}

struct Rotation {
    float c = 1, s = 0;
};

Rotation givens(float a, float b) {
    if (b == 0)
        return {};
    const auto cosine = [](float t) { return static_cast<float>(1 / std::sqrt(double{1 + t * t})); };
    if (std::abs(b) > std::abs(a)) {
        const float t = -a / b, s = cosine(t);
        return {s * t, s};
    }
    const float t = -b / a, c = cosine(t);
    return {c, c * t};
}

void qr_step(const Block &block) {
    const std::size_t n = block.count();
    float x = block.d(0) - shift_of(block), z = block.e(0);
    float bk = 0, zk = 0, ap = block.d(0), bp = block.e(0), aq = block.d(1), bq = n > 2 ? block.e(1) : 0;
    for (std::size_t k = 0; k + 1 < n; k++) {
        const auto [c, s] = givens(x, z);
        const float before = c * bk - s * zk;
        const float a = c * (c * ap - s * bp) + s * (s * aq - c * bp);
        const float b = c * (s * ap + c * bp) - s * (s * bp + c * aq);
        const float next = s * (s * ap + c * bp) + c * (s * bp + c * aq);
        zk = -s * bq;
        bk = b;
        ap = next;
        bp = c * bq;
        block.d(k) = a;
        if (k > 0)
            block.e(k - 1) = before;
        if (k + 2 < n) {
            aq = block.d(k + 2);
            if (k + 3 < n)
                bq = block.e(k + 2);
            block.e(k + 1) = bp;
        }
        x = bk;
        z = zk;
    }
    block.d(n - 1) = ap;
    block.e(n - 2) = bk;
}

} // namespace

SpeedTridiagonal speed_tridiagonal(SpeedMatrix matrix) {
    SpeedTridiagonal result;
    for (std::size_t i = 0; i + 2 < size; i++) {
        SpeedVector v{};
        for (std::size_t r = i + 1; r < size; r++)
            v[r] = matrix[r][i];
        const float tau = reflection(v, i + 1, result.beside[i]);
        if (tau != 0)
            reflect(matrix, v, i + 1, tau);
    }
    for (std::size_t i = 0; i < size; i++)
        result.diagonal[i] = matrix[i][i];
    result.beside[size - 2] = matrix[size - 1][size - 2];
    return result;
}

SpeedVector speed_eigenvalues(SpeedTridiagonal matrix) {
    Block{matrix, 0, size - 1}.chop();
    std::size_t last = size - 1;
    for (int steps = 0; last > 0 && steps < SPEED_QR_STEPS;) {
        if (matrix.beside[last - 1] == 0) {
            last--;
            continue;
        }
        std::size_t first = last - 1;
        while (first > 0 && matrix.beside[first - 1] != 0)
            first--;
        const Block block{matrix, first, last};
        qr_step(block);
        block.chop();
        steps++;
    }
    return matrix.diagonal;
}

bool speed_is_singular(std::span<const float, SPEED_VALUES> eigenvalues) {
    return !std::ranges::all_of(eigenvalues, [](float value) { return double{value} >= SPEED_SINGULAR; });
}

} // namespace isovmaf
