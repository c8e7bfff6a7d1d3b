// SPDX-License-Identifier: BSD-2-Clause-Patent
// The function of PSNR's CPU path on all rows of luma.
#include "features/psnr/psnr_functions.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::psnr_bench {
namespace {

testing::BenchWork row(const testing::BenchPictures &pictures, CpuLevel level) {
    return [&pictures, &functions = *psnr_functions(level)] {
        const Plane &r = pictures.second.reference.plane(0), &d = pictures.second.distorted.plane(0);
        for (int y = 0; y < r.height; y++)
            if (pictures.format().bytes_per_sample() == 1)
                functions.row_8(r.row<std::uint8_t>(y), d.row<std::uint8_t>(y), r.width, nullptr);
            else
                functions.row_16(r.row<std::uint16_t>(y), d.row<std::uint16_t>(y), r.width, nullptr);
    };
}

const testing::BenchFunctions functions{{"psnr_row", row}};

} // namespace
} // namespace isovmaf::psnr_bench
