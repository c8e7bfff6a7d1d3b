// SPDX-License-Identifier: BSD-2-Clause-Patent
// VIF's filters as products of matrices of bytes; part of a body (portable/body.h).
//
// A filter is a matrix with the taps along its diagonals: 16 rows of a picture, filtered, are this matrix times the 32
// rows that the filter reaches. Taps and values are taken apart into bytes. Each plane of the values' bytes is
// multiplied by the matrices of the taps' lower and upper bytes, and sums of equal weight, a power of 256, are added.
// No such sum has more than 23 bits, so the result is exact. The same matrices filter along the rows: they give 16
// columns of 32.

ISOVMAF_CONSTANT int32_t margin = 8; // rows, or columns, that are read on each side of the 16
ISOVMAF_STATIC_ASSERT(VIF_RADIUS_0 <= margin && VIF_RADIUS_1 <= margin, "filters reach no further");

// A lane's part of the matrices of taps, as multiply_bytes takes them: of each a row is an output and a column an
// input. That of the next scale has the lower bytes of the taps of every second output in rows 0 to 7, and the upper
// bytes in rows 8 to 15.
struct Taps {
    uint32_t low[4], high[4], next[4];
};
struct TapTable {
    Taps of_lane[MATRIX_LANES];
};

// A byte of each of four taps from number `first` of the filter on, 0 where there are none.
template <int32_t radius>
constexpr uint32_t packed_taps(const VIF_TAP (&taps)[uint32_t(2 * radius + 1)], int32_t first, int32_t shift) {
    uint32_t bytes = 0;
    for (int32_t i = 0; i < 4; i++)
        if (first + i >= 0 && first + i <= 2 * radius)
            bytes |= uint32_t(taps[first + i] >> shift & 0xff) << (8 * i);
    return bytes;
}

constexpr TapTable make_tap_table() {
    TapTable table{};
    for (int32_t lane = 0; lane < MATRIX_LANES; lane++)
        for (int32_t i = 0; i < 4; i++) {
            Taps &own = table.of_lane[lane];
            const int32_t input = 16 * (i / 2) + lane % 4 * 4 - margin, output = lane / 4 + 8 * (i % 2);
            own.low[i] = packed_taps<VIF_RADIUS_0>(vif_taps_0, input - output + VIF_RADIUS_0, 0);
            own.high[i] = packed_taps<VIF_RADIUS_0>(vif_taps_0, input - output + VIF_RADIUS_0, 8);
            own.next[i] = packed_taps<VIF_RADIUS_1>(vif_taps_1, input - lane / 4 * 2 + VIF_RADIUS_1, 8 * (i % 2));
        }
    return table;
}

ISOVMAF_MADE_TABLE(TapTable, tap_table, make_tap_table());

// Four numbers as planes of their bytes: of the lower two bytes, or of all four.
template <int32_t planes>
ISOVMAF_FN void take_apart(uint32_t *to, const uint32_t (&v)[4]) {
    ISOVMAF_STATIC_ASSERT(planes == 2 || planes == 4, "numbers of 16 or 32 bits");
    ISOVMAF_UNROLL
    for (int32_t half = 0; half < planes / 2; half++) {
        const uint32_t places = half == 0 ? 0x5140u : 0x7362u;
        const uint32_t ab = pick_bytes(v[0], v[1], places), cd = pick_bytes(v[2], v[3], places);
        to[2 * half] = pick_bytes(ab, cd, 0x5410u);
        to[2 * half + 1] = pick_bytes(ab, cd, 0x7632u);
    }
}

// Sums by weight, 1, 256 and on, of the taps times planes of bytes.
template <int32_t planes>
ISOVMAF_FN void filter(int32_t (&sums)[uint32_t(planes + 1)][4], ISOVMAF_IN(Taps) taps,
                       const uint32_t (&bytes)[uint32_t(planes)][2]) {
    ISOVMAF_UNROLL
    for (int32_t weight = 0; weight <= planes; weight++)
        ISOVMAF_UNROLL
    for (int32_t i = 0; i < 4; i++)
        sums[weight][i] = 0;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < planes; i++) {
        multiply_bytes(sums[i], taps.low, bytes[i]);
        multiply_bytes(sums[i + 1], taps.high, bytes[i]);
    }
}

// The parts of number i of such sums: `low` + 65536 * `high`.
template <int32_t planes>
ISOVMAF_FN uint32_t low_part(const int32_t (&sums)[uint32_t(planes + 1)][4], int32_t i) {
    return uint32_t(sums[0][i]) + (uint32_t(sums[1][i]) << 8);
}
template <int32_t planes>
ISOVMAF_FN uint32_t high_part(const int32_t (&sums)[uint32_t(planes + 1)][4], int32_t i) {
    uint32_t high = 0;
    ISOVMAF_UNROLL
    for (int32_t weight = 2; weight <= planes; weight++)
        high += uint32_t(sums[weight][i]) << (8 * (weight - 2));
    return high;
}

// The whole sum, which has at most 32 bits.
template <int32_t planes>
ISOVMAF_FN uint32_t whole_sum(const int32_t (&sums)[uint32_t(planes + 1)][4], int32_t i) {
    return low_part<planes>(sums, i) + (high_part<planes>(sums, i) << 16);
}

// Means by the next scale's taps: of two outputs, rounded.
template <int32_t planes>
ISOVMAF_FN void filter_next(uint32_t (&to)[2], ISOVMAF_IN(Taps) taps, const uint32_t (&bytes)[uint32_t(planes)][2],
                            int32_t shift) {
    uint32_t whole[2] = {0, 0};
    ISOVMAF_UNROLL
    for (int32_t plane = 0; plane < planes; plane++) {
        int32_t sums[4] = {0, 0, 0, 0};
        multiply_bytes(sums, taps.next, bytes[plane]);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 2; i++)
            whole[i] += (uint32_t(sums[i]) + (uint32_t(sums[2 + i]) << 8)) << (8 * plane);
    }
    to[0] = vif_round_mean(whole[0], shift);
    to[1] = vif_round_mean(whole[1], shift);
}
