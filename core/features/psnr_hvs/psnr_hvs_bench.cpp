// SPDX-License-Identifier: BSD-2-Clause-Patent
// The function of PSNR-HVS's CPU path on all blocks of luma.
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_functions.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::psnr_hvs_bench {
namespace {

/// Groups within rows of blocks; the last one of a row overlaps the one before.
testing::BenchWork add(const testing::BenchPictures &pictures, CpuLevel level) {
    return [&pictures, &functions = *psnr_hvs_functions(level), tables = psnr_hvs_tables(0),
            values = std::make_shared<PsnrHvsValues>()] {
        const Plane &r = pictures.second.reference.plane(0), &d = pictures.second.distorted.plane(0);
        const int bytes = pictures.format().bytes_per_sample(), across = psnr_hvs_blocks(r.width);
        const auto add = bytes == 1 ? functions.add_8 : functions.add_16;
        const int count = std::min(functions.blocks, across);
        float sum = 0;
        for (int y = 0; y < psnr_hvs_blocks(r.height); y++)
            for (int x = 0; x < across; x += count) {
                PsnrHvsGroup group{{{}, r.stride_bytes}, {{}, d.stride_bytes}, count};
                for (int b = 0; b < functions.blocks; b++) {
                    const int column = std::min(std::min(x, across - count) + b, across - 1) * PSNR_HVS_STEP * bytes;
                    group.reference.first[b] = r.data + y * PSNR_HVS_STEP * r.stride_bytes + column;
                    group.distorted.first[b] = d.data + y * PSNR_HVS_STEP * d.stride_bytes + column;
                }
                sum = add(group, tables, sum, *values);
            }
    };
}

const testing::BenchFunctions functions{{"psnr_hvs_add", add}};

} // namespace
} // namespace isovmaf::psnr_hvs_bench
