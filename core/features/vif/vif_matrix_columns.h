// SPDX-License-Identifier: BSD-2-Clause-Patent
// How VIF's kernels with matrices read samples and filter them down the columns; part of a body (portable/body.h).

// Four samples of a row of both pictures.
struct Samples {
    uint32_t at[2][sample_bytes];
};

ISOVMAF_FN void share(int32_t row, int32_t lane, Samples samples) {
    ISOVMAF_UNROLL
    for (int32_t picture = 0; picture < 2; picture++)
        ISOVMAF_UNROLL
    for (int32_t i = 0; i < sample_bytes; i++)
        memory[picture * picture_words + row * row_words + sample_bytes * lane + i] = samples.at[picture][i];
}

// Each lane copies four samples of a row, each wave every eighth row. Samples near a border of the picture, some of
// which stand for samples outside, are read one by one.
ISOVMAF_FN void share_samples(const uint8_t *reference, const uint8_t *distorted, ISOVMAF_IN(VifParams) p, int32_t wave,
                              int32_t lane, int32_t left, int32_t top) {
    const int32_t x = left - margin + 4 * lane, y = top - margin + wave;
    const bool whole = x >= 0 && x + 4 <= p.width && y >= wave && y + source_rows - wave <= p.height &&
                       (uint64_t(reference) | uint64_t(distorted) | uint64_t(p.stride_bytes)) % 4 == 0;
    if (whole) {
        const int64_t offset = int64_t(y) * p.stride_bytes + x * sample_bytes;
        const uint8_t *r = reference + offset, *d = distorted + offset;
        Samples samples[source_rows / waves];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < source_rows / waves; i++) {
            ISOVMAF_UNROLL
            for (int32_t k = 0; k < sample_bytes; k++) {
                samples[i].at[0][k] = ((const uint32_t *)r)[k];
                samples[i].at[1][k] = ((const uint32_t *)d)[k];
            }
            r += waves * p.stride_bytes;
            d += waves * p.stride_bytes;
        }
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < source_rows / waves; i++)
            share(i * waves + wave, lane, samples[i]);
        return;
    }
    ISOVMAF_NO_UNROLL
    for (int32_t row = 0; row < source_rows; row += waves) {
        const int64_t offset =
            int64_t(vif_source(vif_max(y + row, -VIF_RADIUS_0), p.height, VIF_RADIUS_0)) * p.stride_bytes;
        Samples samples = {};
        ISOVMAF_UNROLL
        for (int32_t t = 0; t < 4; t++) {
            const int32_t column = vif_source(vif_max(x + t, -VIF_RADIUS_0), p.width, VIF_RADIUS_0);
            const int32_t word = t * sample_bytes / 4, shift = t * SAMPLE_BITS % 32;
            samples.at[0][word] |= uint32_t(((const SAMPLE *)(reference + offset))[column]) << shift;
            samples.at[1][word] |= uint32_t(((const SAMPLE *)(distorted + offset))[column]) << shift;
        }
        share(row + wave, lane, samples);
    }
}

// Two samples side by side.
ISOVMAF_FN uint32_t shared_pair(int32_t place, int32_t pair) {
    if (sample_bytes == 1)
        return ((const SharedHalf *)&memory[place])[pair];
    return memory[place + pair];
}

// Planes of bytes of two columns of 32 rows: word k has 4 rows of the first or last 16.
struct Columns {
    uint32_t at[2][sample_bytes][2]; // [column][plane][k]
};

ISOVMAF_FN void load_columns(Columns &to, int32_t place, int32_t wave, int32_t lane) {
    const int32_t first = place + lane % 4 * 4 * row_words;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < 2; k++) {
        uint32_t rows[4], bytes[2 * sample_bytes];
        ISOVMAF_UNROLL
        for (int32_t j = 0; j < 4; j++)
            rows[j] = shared_pair(first + (16 * k + j) * row_words, wave * wave_columns / 2 + lane / 4);
        take_apart<2 * sample_bytes>(bytes, rows);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 2 * sample_bytes; i++)
            to.at[i / sample_bytes][i % sample_bytes][k] = bytes[i];
    }
}

// Sample j of the four rows of a word.
ISOVMAF_FN uint32_t sample_of(const uint32_t (&planes)[sample_bytes][2], int32_t k, int32_t j) {
    if (sample_bytes == 1)
        return pick_bytes(planes[0][k], 0, 0x4440u + uint32_t(j));
    return pick_bytes(planes[0][k], planes[sample_bytes - 1][k], uint32_t(j + (4 + j) * 16)) & 0xffff;
}

// Values of two columns, in the order of a product of matrices, as planes of bytes of four columns.
template <int32_t planes>
ISOVMAF_FN void pack(uint32_t (&to)[2][uint32_t(planes)], const uint32_t values[2][4]) {
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < 2; row++) {
        const uint32_t v[4] = {values[0][2 * row], values[1][2 * row], values[0][2 * row + 1], values[1][2 * row + 1]};
        take_apart<planes>(to[row], v);
    }
}

ISOVMAF_FN void filter_means(uint32_t (&to)[2][uint32_t(mean_planes)], ISOVMAF_IN(Taps) taps,
                             ISOVMAF_IN(Columns) columns, int32_t shift) {
    uint32_t values[2][4];
    ISOVMAF_UNROLL
    for (int32_t column = 0; column < 2; column++) {
        int32_t sums[sample_bytes + 1][4];
        filter<sample_bytes>(sums, taps, columns.at[column]);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 4; i++)
            values[column][i] = vif_round_mean(whole_sum<sample_bytes>(sums, i), shift);
    }
    pack<mean_planes>(to, values);
}

// The products of two pictures' samples of four rows, as planes of bytes.
ISOVMAF_FN void multiply_samples(uint32_t (&to)[uint32_t(product_bytes)][2], const uint32_t (&u)[sample_bytes][2],
                                 const uint32_t (&v)[sample_bytes][2]) {
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < 2; k++) {
        uint32_t products[4], bytes[product_bytes];
        ISOVMAF_UNROLL
        for (int32_t row = 0; row < 4; row++)
            products[row] = sample_of(u, k, row) * sample_of(v, k, row);
        take_apart<product_bytes>(bytes, products);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < product_bytes; i++)
            to[i][k] = bytes[i];
    }
}

ISOVMAF_FN void filter_products(uint32_t (&to)[2][uint32_t(product_planes)], ISOVMAF_IN(Taps) taps,
                                ISOVMAF_IN(Columns) u, ISOVMAF_IN(Columns) v, int32_t shift) {
    uint32_t values[2][4];
    ISOVMAF_UNROLL
    for (int32_t column = 0; column < 2; column++) {
        uint32_t bytes[product_bytes][2];
        multiply_samples(bytes, u.at[column], v.at[column]);
        int32_t sums[product_bytes + 1][4];
        filter<product_bytes>(sums, taps, bytes);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 4; i++)
            values[column][i] = SAMPLE_BITS == 8 ? whole_sum<product_bytes>(sums, i) // is not shifted
                                                 : vif_round_product(high_part<product_bytes>(sums, i),
                                                                     low_part<product_bytes>(sums, i), shift);
    }
    pack<product_planes>(to, values);
}

ISOVMAF_FN void filter_next_columns(uint32_t (&to)[uint32_t(mean_planes)], ISOVMAF_IN(Taps) taps,
                                    ISOVMAF_IN(Columns) columns, int32_t shift) {
    uint32_t values[2][2];
    ISOVMAF_UNROLL
    for (int32_t column = 0; column < 2; column++)
        filter_next<sample_bytes>(values[column], taps, columns.at[column], shift);
    const uint32_t v[4] = {values[0][0], values[1][0], values[0][1], values[1][1]};
    take_apart<mean_planes>(to, v);
}

// All that is filtered down the wave's columns. All threads of the block come here, as its memory is used again behind
// this.
ISOVMAF_FN void filter_columns(ISOVMAF_INOUT Filtered &own, ISOVMAF_IN(Taps) taps, ISOVMAF_IN(VifParams) p,
                               int32_t wave, int32_t lane) {
    Columns r, d;
    load_columns(r, 0, wave, lane);
    load_columns(d, picture_words, wave, lane);
    barrier();
    const int32_t shift = vif_mean_shift(0, p.bit_depth);
    filter_next_columns(own.next[0], taps, r, shift);
    filter_next_columns(own.next[1], taps, d, shift);
    if (p.limit_count == 0)
        return;
    filter_means(own.means[0], taps, r, shift);
    filter_means(own.means[1], taps, d, shift);
    const int32_t product_shift = vif_product_shift(0, SAMPLE_BITS == 8 ? 8 : p.bit_depth);
    filter_products(own.products[0], taps, r, r, product_shift);
    filter_products(own.products[1], taps, d, d, product_shift);
    filter_products(own.products[2], taps, r, d, product_shift);
}
