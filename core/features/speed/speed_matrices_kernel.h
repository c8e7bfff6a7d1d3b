// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: of an analysis' covariances one block finds the eigenvalues (speed.md §6), another one the factors
// of the system of equations (§7). An element of a matrix is one thread's, and sums of a few numbers that all threads
// need are made by each of them. A step of the QR algorithm is the work of one thread.
#include "features/speed/speed_algebra_math.h"
#include "features/speed/speed_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t size = SPEED_VALUES;

ISOVMAF_SHARED(float, a[2 * SPEED_MATRIX]); // the matrix that changes; of the factors' also the one that it becomes
ISOVMAF_SHARED(float, q[2 * SPEED_MATRIX]);
ISOVMAF_SHARED(float, reflected[SPEED_MATRIX]); // a reflection
ISOVMAF_SHARED(float, v[SPEED_VALUES]);
ISOVMAF_SHARED(float, x[SPEED_VALUES]);
ISOVMAF_SHARED(float, diagonal[SPEED_VALUES]);
ISOVMAF_SHARED(float, beside[SPEED_VALUES]); // [i]: in row i + 1
ISOVMAF_SHARED(uint32_t, zeros);             // bit i: beside[i] is 0

ISOVMAF_FN void load_matrix(F32 matrices, int32_t first) {
    for (int32_t i = thread_x(); i < SPEED_MATRIX; i += SPEED_MATRICES_THREADS)
        a[i] = matrices.at[first + i];
    barrier();
}

ISOVMAF_FN float add_squares_as(bool quick, float sum, int32_t first, int32_t column, int32_t row) {
    for (int32_t r = row; r < size; r++) {
        const float value = a[first + r * size + column];
        sum = f32_add_as(quick, sum, f32_multiply_as(quick, value, value));
    }
    return sum;
}

// The sum of the squares of column `column` of the matrix at `first` in a, from row `row` on, behind `sum`.
ISOVMAF_FN float add_squares(float sum, int32_t first, int32_t column, int32_t row) {
    f32_begin_quick();
    const float quick = add_squares_as(true, sum, first, column, row);
    return f32_quick_is_right() ? quick : add_squares_as(false, sum, first, column, row);
}

// Row `row` of the matrix by the vector that reflects, from `first` on.
ISOVMAF_FN float reflect_row_as(bool quick, int32_t row, int32_t first, float tau) {
    float sum = 0.0f;
    for (int32_t c = first; c < size; c++)
        sum = f32_add_as(quick, sum, f32_multiply_as(quick, f32_multiply_as(quick, tau, a[row * size + c]), v[c]));
    return sum;
}
ISOVMAF_FN float reflect_row(int32_t row, int32_t first, float tau) {
    f32_begin_quick();
    const float quick = reflect_row_as(true, row, first, tau);
    return f32_quick_is_right() ? quick : reflect_row_as(false, row, first, tau);
}

// How far the vector reflects itself: the share of it that is added to x.
ISOVMAF_FN float reflected_share_as(bool quick, int32_t first, float tau) {
    float product = 0.0f;
    for (int32_t r = first; r < size; r++)
        product = f32_add_as(quick, product, f32_multiply_as(quick, x[r], v[r]));
    return f32_multiply_as(quick, f32_multiply_as(quick, -0.5f, tau), product);
}
ISOVMAF_FN float reflected_share(int32_t first, float tau) {
    f32_begin_quick();
    const float quick = reflected_share_as(true, first, tau);
    return f32_quick_is_right() ? quick : reflected_share_as(false, first, tau);
}

ISOVMAF_FN float reflected_element_as(bool quick, int32_t r, int32_t c, float share) {
    const float xr = f32_add_as(quick, x[r], f32_multiply_as(quick, share, v[r]));
    const float xc = f32_add_as(quick, x[c], f32_multiply_as(quick, share, v[c]));
    return f32_subtract_as(quick, a[r * size + c], speed_sum_as(quick, xr, v[c], v[r], xc));
}
ISOVMAF_FN float reflected_element(int32_t r, int32_t c, float share) {
    f32_begin_quick();
    const float quick = reflected_element_as(true, r, c, share);
    return f32_quick_is_right() ? quick : reflected_element_as(false, r, c, share);
}

// Reflects the matrix from both sides so that column i is 0 from row i + 2 on.
ISOVMAF_FN void reflect(int32_t i) {
    const int32_t thread = thread_x(), first = i + 1;
    const float norm = f32_sqrt(add_squares(0.0f, 0, i, first + 1)), alpha = a[first * size + i];
    const bool reflects = !f32_is_zero(norm);
    float beta = alpha, tau = 0.0f;
    if (reflects) {
        beta = speed_hypotenuse(alpha, norm);
        if (f32_is_zero(alpha) || (f32_bits(alpha) & F32_SIGN) == 0u)
            beta = f32_negative(beta);
        tau = f32_divide(f32_subtract(beta, alpha), beta);
        const float divisor = f32_subtract(alpha, beta);
        if (thread >= first && thread < size) {
            const float below = a[thread * size + i];
            v[thread] = thread == first ? 1.0f : f32_is_zero(divisor) ? below : f32_divide(below, divisor);
        }
    }
    if (thread == 0)
        beside[i] = beta;
    barrier();
    if (reflects && thread >= first && thread < size)
        x[thread] = reflect_row(thread, first, tau);
    barrier();
    if (reflects) {
        const float share = reflected_share(first, tau);
        for (int32_t n = thread; n < SPEED_MATRIX; n += SPEED_MATRICES_THREADS) {
            const int32_t r = n / size, c = n % size;
            if (r >= first && c >= first)
                a[n] = reflected_element(r, c, share);
        }
    }
    barrier();
}

// Sets elements of rows `first` to `last` to 0 that are negligible beside those of the diagonal, a thread each, and
// notes which ones are 0.
ISOVMAF_FN void chop(int32_t first, int32_t last) {
    const int32_t i = thread_x();
    if (i >= first && i < last) {
        const float whole = f32_add(f32_absolute(diagonal[i]), f32_absolute(diagonal[i + 1]));
        if (speed_is_negligible(beside[i], whole))
            beside[i] = 0.0f;
        if (f32_is_zero(beside[i]))
            shared_or(zeros, 1u << i);
    }
    barrier();
}

ISOVMAF_FN void qr_step(int32_t first, int32_t last) {
    const float start = diagonal[first];
    SpeedBulge bulge;
    bulge.z = beside[first];
    bulge.turned =
        f32_subtract(start, speed_shift(diagonal[last - 1], diagonal[last], beside[last - 1], start, bulge.z));
    bulge.bk = 0.0f;
    bulge.zk = 0.0f;
    bulge.ap = start;
    bulge.bp = bulge.z;
    bulge.aq = diagonal[first + 1];
    bulge.bq = last - first > 1 ? beside[first + 1] : 0.0f;
    bulge.own = 0.0f;
    bulge.before = 0.0f;
    for (int32_t k = first; k < last; k++) {
        f32_begin_quick();
        SpeedBulge next = speed_chase(true, bulge, k == first, k + 1 == last);
        if (!f32_quick_is_right())
            next = speed_chase(false, bulge, k == first, k + 1 == last);
        bulge = next;
        diagonal[k] = bulge.own;
        if (k > first)
            beside[k - 1] = bulge.before;
        if (k + 1 < last) {
            bulge.aq = diagonal[k + 2];
            if (k + 2 < last)
                bulge.bq = beside[k + 2];
            beside[k + 1] = bulge.bp;
        }
    }
    diagonal[last] = bulge.ap;
    beside[last - 1] = bulge.bk;
}

// Leaves the eigenvalues on the diagonal. An element beside it that is 0 stays so, and divides the matrix.
ISOVMAF_FN void iterate() {
    chop(0, size - 1);
    for (int32_t steps = 0; steps < SPEED_QR_STEPS; steps++) {
        const uint32_t others = ~zeros & ((1u << (size - 1)) - 1u);
        if (others == 0u)
            break;
        const int32_t last = floor_log2(others) + 1;
        const uint32_t before = zeros & ((1u << (last - 1)) - 1u);
        const int32_t first = before == 0u ? 0 : floor_log2(before) + 1;
        barrier(); // all have read `zeros`
        if (thread_x() == 0)
            qr_step(first, last);
        barrier();
        chop(first, last);
    }
}

ISOVMAF_FN void find_eigenvalues(F32 matrices, int32_t first, int32_t stage, KernelTaps taps) {
    const int32_t thread = thread_x();
    load_matrix(matrices, first + SPEED_COVARIANCES_AT);
    for (int32_t i = 0; i + 2 < size; i++)
        reflect(i);
    if (thread < size)
        diagonal[thread] = a[thread * (size + 1)];
    if (thread == 0) {
        beside[size - 2] = a[SPEED_MATRIX - 2];
        zeros = 0u;
    }
    barrier();
    iterate();
    if (thread < size) {
        matrices.at[first + SPEED_EIGENVALUES_AT + thread] = diagonal[thread];
        tap_put(taps, stage, thread, 0, speed_word_of(diagonal[thread]));
    }
}

// Row `row` of the reflection by a column of the matrix or of q, whose element k stands at `at`.
ISOVMAF_FN float product_as(bool quick, int32_t row, int32_t k, int32_t at, bool of_q) {
    float sum = 0.0f;
    for (int32_t m = k; m < size; m++) {
        const int32_t other = at + (m - k) * size;
        sum = f32_add_as(quick, sum, f32_multiply_as(quick, reflected[row * size + m], of_q ? q[other] : a[other]));
    }
    return sum;
}
ISOVMAF_FN float product_of(int32_t row, int32_t k, int32_t at, bool of_q) {
    f32_begin_quick();
    const float quick = product_as(true, row, k, at, of_q);
    return f32_quick_is_right() ? quick : product_as(false, row, k, at, of_q);
}

// Clears column k of the matrix at `from` below the diagonal: what becomes of it, and of q, stands in the other halves.
// What lies before row and column k of the matrix is not read again, as the specification makes it an identity. Returns
// whether the reflection has a length. The diagonal of covariances is not negative, which decides a sign.
ISOVMAF_FN bool factor_step(int32_t k, int32_t from, int32_t to) {
    const int32_t thread = thread_x();
    const float pivot = a[from + k * (size + 1)];
    const float grown = f32_add(pivot, f32_sqrt(add_squares(0.0f, from, k, k)));
    const float square = add_squares(f32_multiply(grown, grown), from, k, k + 1);
    const float length = f32_sqrt(square);
    if (thread >= k && thread < size)
        v[thread] = f32_divide(thread == k ? grown : a[from + thread * size + k], length);
    barrier();
    for (int32_t n = thread; n < SPEED_MATRIX; n += SPEED_MATRICES_THREADS) {
        const int32_t r = n / size, c = n % size;
        if (r < k || c < k)
            continue;
        const float element = f32_multiply(f32_multiply(-2.0f, v[r]), v[c]);
        reflected[n] = r == c ? f32_add(element, 1.0f) : element;
    }
    barrier();
    for (int32_t n = thread; n < 2 * SPEED_MATRIX; n += SPEED_MATRICES_THREADS) {
        const bool of_q = n >= SPEED_MATRIX;
        const int32_t at = of_q ? n - SPEED_MATRIX : n, r = at / size, c = at % size;
        if (of_q && r < k)
            q[to + at] = q[from + at];
        if (r < k || (!of_q && c < k))
            continue;
        const float sum = product_of(r, k, from + k * size + c, of_q);
        if (of_q)
            q[to + at] = sum;
        else
            a[to + at] = sum;
    }
    barrier();
    return !f32_is_zero(square);
}

ISOVMAF_FN void find_factors(F32 matrices, int32_t first) {
    const int32_t thread = thread_x();
    load_matrix(matrices, first + SPEED_COVARIANCES_AT);
    for (int32_t i = thread; i < SPEED_MATRIX; i += SPEED_MATRICES_THREADS)
        q[i] = i % (size + 1) == 0 ? 1.0f : 0.0f;
    barrier();
    bool has_lengths = true;
    for (int32_t k = 0; k + 1 < size; k++)
        has_lengths = factor_step(k, k % 2 * SPEED_MATRIX, (k + 1) % 2 * SPEED_MATRIX) && has_lengths;
    const int32_t last = (size - 1) % 2 * SPEED_MATRIX; // half of q
    load_matrix(matrices, first + SPEED_COVARIANCES_AT);
    for (int32_t n = thread; n < SPEED_MATRIX; n += SPEED_MATRICES_THREADS) {
        const int32_t r = n / size, c = n % size;
        float sum = 0.0f;
        for (int32_t m = 0; m < size; m++)
            sum = f32_add(sum, f32_multiply(q[last + r * size + m], a[m * size + c]));
        matrices.at[first + SPEED_Q_AT + n] = q[last + n];
        matrices.at[first + SPEED_R_AT + n] = sum;
        if (r == c)
            diagonal[r] = sum;
    }
    barrier();
    if (thread > 0)
        return;
    float solved = has_lengths ? SPEED_SOLVED : SPEED_ALL_NAN;
    for (int32_t i = 0; i < size; i++)
        if (has_lengths && speed_is_below_pivot(diagonal[i]))
            solved = SPEED_PIVOT_TOO_SMALL;
    matrices.at[first + SPEED_SOLVED_AT] = solved;
}

ISOVMAF_FN void matrices_block(F32 matrices, ISOVMAF_IN(SpeedMatricesParams) p, KernelTaps taps) {
    const int32_t first = group_z() * p.stride;
    if (group_x() == 0)
        find_eigenvalues(matrices, first, p.stage[group_z()], taps);
    else
        find_factors(matrices, first);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SPEED_MATRICES_THREADS) in;
ISOVMAF_ARGUMENTS {
    F32 matrices;
    ISOVMAF_TAPS_MEMBER
    SpeedMatricesParams p;
}
arguments;
void main() { matrices_block(arguments.matrices, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(SPEED_MATRICES_THREADS)
ISOVMAF_KERNEL_NAME(float *matrices, ISOVMAF_TAPS_PARAMETER SpeedMatricesParams p) {
    KERNEL_BODY::matrices_block({matrices}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
