// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Part of speed_vectors.cpp: linear algebra with matrices of 25x25 (speed.md §5 to §7). Lanes hold columns, so
// that each element is the sum that the definition adds, in its order.
//
// Products with 0 are left out where the other factor is finite: a sum that starts at +0 never becomes -0 in this
// rounding mode, so that adding a zero of either sign leaves its bits.
#include "simd/vectors.hpp"

#include "features/speed/speed_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr int matrix_size = SPEED_VALUES, matrix_stride = speed_matrix_stride;

/// Correctly rounded, as the instruction is; the library's function would be a symbol of this file.
HWY_INLINE float square_root(float x) { return hn::GetLane(hn::Sqrt(hn::Set(df32, x))); }

HWY_INLINE float magnitude(float x) { return x < 0 ? -x : x; }

/// Columns [begin, end) of a matrix.
struct MatrixColumns {
    int begin, end;
};

/// Elements of `rows` rows and two vectors of columns of a product: a's rows from `i` on times b, summed over [first,
/// matrix_size).
template <int rows>
HWY_INLINE void multiply_tile(const float *a, const float *b, int stride, int i, int first, int c, float *out) {
    VF32 sum[std::size_t{rows}][2];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
        sum[r][0] = sum[r][1] = hn::Zero(df32);
    for (int m = first; m < matrix_size; m++) {
        const VF32 b0 = hn::Load(df32, b + m * stride + c), b1 = hn::Load(df32, b + m * stride + c + lanes_32);
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            const VF32 factor = hn::Set(df32, a[(i + r) * matrix_stride + m]);
            sum[r][0] = hn::Add(sum[r][0], hn::Mul(factor, b0));
            sum[r][1] = hn::Add(sum[r][1], hn::Mul(factor, b1));
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        hn::Store(sum[r][0], df32, out + (i + r) * stride + c);
        hn::Store(sum[r][1], df32, out + (i + r) * stride + c + lanes_32);
    }
}

/// Rows from `first` on of a product, whose terms before `first` are 0. b and out have rows of `stride` values.
void multiply(const float *a, const float *b, int stride, int first, MatrixColumns columns, float *out) {
    for (int c = columns.begin / (2 * lanes_32) * (2 * lanes_32); c < columns.end; c += 2 * lanes_32) {
        int i = first;
        for (; i + 4 <= matrix_size; i += 4)
            multiply_tile<4>(a, b, stride, i, first, c, out);
        for (; i < matrix_size; i++)
            multiply_tile<1>(a, b, stride, i, first, c, out);
    }
}

void copy_rows(const float *from, int first, float *to) {
    for (int i = first * matrix_stride; i < matrix_size * matrix_stride; i += lanes_32)
        hn::Store(hn::Load(df32, from + i), df32, to + i);
}

HWY_INLINE void clear(float *values, int count) {
    for (int i = 0; i < count; i += lanes_32)
        hn::Store(hn::Zero(df32), df32, values + i);
}

/// Rows and columns from k on of the reflection that clears column k of z below the diagonal. False where a value is
/// not finite, or may not be.
HWY_INLINE bool make_reflection(const float *z, int k, float sign, float *p) {
    HWY_ALIGN float v[matrix_stride] = {};
    const auto squares = [&]() HWY_ATTR {
        float sum = 0;
        for (int i = k; i < matrix_size; i++)
            sum += v[i] * v[i];
        return sum;
    };
    for (int i = k; i < matrix_size; i++)
        v[i] = z[i * matrix_stride + k];
    v[k] += sign * square_root(squares());
    const float length = squares();
    if (!(length > 0 && length < 0x1p+127F))
        return false;
    const VF32 divisor = hn::Sqrt(hn::Set(df32, length));
    for (int c = 0; c < matrix_stride; c += lanes_32)
        hn::Store(hn::Div(hn::Load(df32, v + c), divisor), df32, v + c);
    for (int i = k; i < matrix_size; i++) {
        const VF32 factor = hn::Set(df32, -2 * v[i]);
        float *const row = p + i * matrix_stride;
        for (int c = 0; c < matrix_stride; c += lanes_32)
            hn::Store(hn::Mul(factor, hn::Load(df32, v + c)), df32, row + c);
        row[i] += 1;
    }
    return true;
}

/// r is upper triangular: the system is solved from the last row on. `system.product` holds its right side.
HWY_INLINE void substitute(const float *r, const SpeedSystem &system) {
    for (int i = matrix_size - 1; i >= 0; i--) {
        const VF32 pivot = hn::Set(df32, r[i * matrix_stride + i]);
        for (int b = 0; b < system.columns; b += lanes_32) {
            VF32 sum = hn::Load(df32, system.product + i * system.stride + b);
            for (int k = i + 1; k < matrix_size; k++)
                sum = hn::Sub(sum, hn::Mul(hn::Load(df32, system.x + k * system.stride + b),
                                           hn::Set(df32, r[i * matrix_stride + k])));
            hn::Store(hn::Div(sum, pivot), df32, system.x + i * system.stride + b);
        }
    }
}

SpeedSolved solve(const SpeedSystem &system) {
    constexpr int matrix_values = matrix_size * matrix_stride;
    float *const z = system.scratch, *const q = z + matrix_values, *const p = q + matrix_values,
                 *const product = p + matrix_values, *const r = product + matrix_values;
    clear(q, matrix_values);
    for (int i = 0; i < matrix_size; i++)
        q[i * matrix_stride + i] = 1;
    copy_rows(system.matrix, 0, z);
    for (int k = 0; k + 1 < matrix_size; k++) {
        const float sign = system.matrix[k * matrix_stride + k] >= 0 ? 1.0F : -1.0F;
        if (!make_reflection(z, k, sign, p))
            return SpeedSolved::unusual;
        multiply(p, z, matrix_stride, k, {k, matrix_size}, product);
        copy_rows(product, k, z);
        multiply(p, q, matrix_stride, k, {0, matrix_size}, product);
        copy_rows(product, k, q);
    }
    multiply(q, system.matrix, matrix_stride, 0, {0, matrix_size}, r);
    for (int i = 0; i < matrix_size; i++)
        if (double{magnitude(r[i * matrix_stride + i])} < SPEED_SINGULAR)
            return SpeedSolved::singular;
    multiply(q, system.data, system.stride, 0, {0, system.columns}, system.product);
    substitute(r, system);
    return SpeedSolved::yes;
}

void variances(const SpeedSystem &system, float *result) {
    const VF32 count = hn::Set(df32, SPEED_VALUES);
    for (int b = 0; b < system.columns; b += lanes_32) {
        const auto share = [&](int e) HWY_ATTR {
            const int at = e * system.stride + b;
            return hn::Div(hn::Mul(hn::Load(df32, system.x + at), hn::Load(df32, system.data + at)), count);
        };
        VF32 sum = share(0);
        for (int e = 1; e < SPEED_VALUES; e++)
            sum = hn::Add(sum, share(e));
        hn::Store(sum, df32, result + b);
    }
}

/// Householder's vector in v, of a column whose first row below the diagonal is `first`; see speed_eigenvalues.cpp.
HWY_INLINE float make_householder(float *v, int first, float &beta) {
    float squares = 0;
    for (int r = first + 1; r < matrix_size; r++)
        squares += v[r] * v[r];
    const float norm = square_root(squares), alpha = v[first];
    beta = alpha;
    if (norm == 0)
        return 0;
    beta = square_root(alpha * alpha + norm * norm);
    beta = alpha >= 0 ? -beta : beta;
    const float divisor = alpha - beta;
    if (divisor != 0)
        for (int c = 0; c < matrix_stride; c += lanes_32)
            hn::Store(hn::Div(hn::Load(df32, v + c), hn::Set(df32, divisor)), df32, v + c);
    v[first] = 1;
    return (beta - alpha) / beta;
}

/// Reflects rows from `first` on from both sides. Rows are columns too: the matrix stays symmetric in every bit.
HWY_INLINE void reflect(float *a, const float *v, int first, float tau) {
    HWY_ALIGN float x[matrix_stride];
    for (int c = 0; c < matrix_stride; c += lanes_32) {
        VF32 sum = hn::Zero(df32);
        for (int r = first; r < matrix_size; r++)
            sum = hn::Add(sum, hn::Mul(hn::Mul(hn::Set(df32, tau), hn::Load(df32, a + r * matrix_stride + c)),
                                       hn::Set(df32, v[r])));
        hn::Store(sum, df32, x + c);
    }
    float product = 0;
    for (int r = first; r < matrix_size; r++)
        product += x[r] * v[r];
    const auto share = static_cast<float>(-0.5 * double{tau} * double{product});
    for (int c = 0; c < matrix_stride; c += lanes_32)
        hn::Store(hn::Add(hn::Load(df32, x + c), hn::Mul(hn::Set(df32, share), hn::Load(df32, v + c))), df32, x + c);
    for (int r = first; r < matrix_size; r++) {
        const VF32 xr = hn::Set(df32, x[r]), vr = hn::Set(df32, v[r]);
        for (int c = 0; c < matrix_stride; c += lanes_32) {
            float *const at = a + r * matrix_stride + c;
            const VF32 change = hn::Add(hn::Mul(xr, hn::Load(df32, v + c)), hn::Mul(vr, hn::Load(df32, x + c)));
            hn::Store(hn::Sub(hn::Load(df32, at), change), df32, at);
        }
    }
}

void tridiagonal(float *a, float *diagonal, float *beside) {
    for (int i = 0; i + 2 < matrix_size; i++) {
        HWY_ALIGN float v[matrix_stride] = {};
        for (int c = i + 1; c < matrix_size; c++)
            v[c] = a[i * matrix_stride + c];
        const float tau = make_householder(v, i + 1, beside[i]);
        if (tau != 0)
            reflect(a, v, i + 1, tau);
    }
    for (int i = 0; i < matrix_size; i++)
        diagonal[i] = a[i * matrix_stride + i];
    beside[matrix_size - 2] = a[(matrix_size - 1) * matrix_stride + matrix_size - 2];
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
