// SPDX-License-Identifier: BSD-2-Clause-Patent
// Functions of CAMBI's CPU path on all rows of luma.
#include <memory>

#include "base/align.hpp"
#include "features/cambi/cambi_functions.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::cambi_bench {
namespace {

/// Rows of a picture as 10 bits, with cambi_row_room at both ends.
struct Rows {
    Rows(const Plane &luma, int bit_depth, const CambiFunctions &functions)
        : width(luma.width), height(luma.height), stride(align_up(width, cambi_word_bits) + 2 * cambi_row_room),
          samples(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height)),
          out(static_cast<std::size_t>(stride)), flat(static_cast<std::size_t>(stride)),
          sums(static_cast<std::size_t>(stride)), bits(static_cast<std::size_t>(stride)) {
        for (int y = 0; y < height; y++)
            if (bit_depth == 8)
                functions.convert_8(luma.row<std::uint8_t>(y), width, row(y));
            else
                functions.convert_16(luma.row<std::uint16_t>(y), width, bit_depth, row(y));
    }

    [[nodiscard]] std::uint16_t *row(int y) { return samples.data() + std::ptrdiff_t{y} * stride + cambi_row_room; }

    int width, height, stride;
    std::vector<std::uint16_t> samples, out;
    std::vector<std::uint8_t> flat, sums;
    std::vector<std::uint64_t> bits;
};

/// Calls `work(functions, rows, y)` for each row but the first and the last.
template <class Work>
auto for_each_row(const Work &work) {
    return [work](const testing::BenchPictures &pictures, CpuLevel level) -> testing::BenchWork {
        const CambiFunctions &functions = *cambi_functions(level);
        const auto rows =
            std::make_shared<Rows>(pictures.second.distorted.plane(0), pictures.format().bit_depth, functions);
        return [work, rows, &functions] {
            for (int y = 1; y + 1 < rows->height; y++)
                work(functions, *rows, y);
        };
    };
}

const testing::BenchFunctions functions{
    {"cambi_average", for_each_row([](const CambiFunctions &level, Rows &rows, int y) {
         level.average(rows.row(y), rows.row(y + 1), rows.width, rows.out.data() + cambi_row_room);
     })},
    {"cambi_flat_columns", for_each_row([](const CambiFunctions &level, Rows &rows, int y) {
         level.flat_columns(rows.row(y), rows.row(y + 1), rows.width, rows.flat.data() + cambi_row_room,
                            rows.sums.data() + cambi_row_room);
     })},
    {"cambi_mask", for_each_row([](const CambiFunctions &level, Rows &rows, int) {
         level.mask(rows.sums.data() + cambi_row_room, rows.width, 21, rows.bits.data());
     })},
    {"cambi_mode_along", for_each_row([](const CambiFunctions &level, Rows &rows, int y) {
         level.mode_along(rows.row(y), rows.width, rows.out.data() + cambi_row_room);
     })},
    {"cambi_mode_down", for_each_row([](const CambiFunctions &level, Rows &rows, int y) {
         level.mode_down(rows.row(y - 1), rows.row(y), rows.row(y + 1), rows.width, rows.out.data() + cambi_row_room);
     })},
};

} // namespace
} // namespace isovmaf::cambi_bench
