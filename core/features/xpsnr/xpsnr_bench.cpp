// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of XPSNR's CPU path on all of luma.
#include "features/testing/bench_functions.hpp"
#include "features/xpsnr/xpsnr_functions.hpp"

namespace isovmaf::xpsnr_bench {
namespace {

template <class Sample>
XpsnrSamples<Sample> samples_of(const Plane &plane) {
    return {plane.row<Sample>(0), plane.stride_bytes / static_cast<std::ptrdiff_t>(sizeof(Sample)), plane.width,
            plane.height};
}

enum class Term : std::uint8_t { error, spatial, temporal, spatial_halved, temporal_halved };

template <class Sample>
void add_up(const testing::BenchPictures &pictures, const XpsnrSums<Sample> &sums, Term term) {
    const XpsnrSamples<Sample> now = samples_of<Sample>(pictures.second.reference.plane(0));
    const XpsnrSamples<Sample> distorted = samples_of<Sample>(pictures.second.distorted.plane(0));
    const XpsnrHistory<Sample> history{now, samples_of<Sample>(pictures.first.reference.plane(0)), distorted, true};
    const int depth = pictures.format().bit_depth;
    const XpsnrSpan all{0, 0, now.width, now.height}, core{2, 2, now.width - 2, now.height - 2};
    switch (term) {
    case Term::error:
        sums.error(now, distorted, all, depth, nullptr);
        break;
    case Term::spatial:
        sums.spatial(now, core, depth, nullptr);
        break;
    case Term::temporal:
        sums.temporal(history, all, depth, nullptr);
        break;
    case Term::spatial_halved:
        sums.spatial_halved(now, core, depth, nullptr);
        break;
    case Term::temporal_halved:
        sums.temporal_halved(history, all, depth, nullptr);
        break;
    }
}

template <Term term>
testing::BenchWork work(const testing::BenchPictures &pictures, CpuLevel level) {
    return [&pictures, &functions = *xpsnr_functions(level)] {
        if (pictures.format().bytes_per_sample() == 1)
            add_up(pictures, functions.sums_8, term);
        else
            add_up(pictures, functions.sums_16, term);
    };
}

const testing::BenchFunctions functions{{"xpsnr_error", work<Term::error>},
                                        {"xpsnr_spatial", work<Term::spatial>},
                                        {"xpsnr_temporal", work<Term::temporal>},
                                        {"xpsnr_spatial_halved", work<Term::spatial_halved>},
                                        {"xpsnr_temporal_halved", work<Term::temporal_halved>}};

} // namespace
} // namespace isovmaf::xpsnr_bench
