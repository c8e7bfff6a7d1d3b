// SPDX-License-Identifier: BSD-2-Clause-Patent
// Functions of SpEED's CPU path, with the four chroma planes of a frame at 4:2:0: each is called once for each plane.
#include <algorithm>
#include <memory>

#include "base/workspace.hpp"
#include "features/speed/speed.hpp"
#include "features/speed/speed_functions.hpp"
#include "features/speed/speed_taps.hpp"
#include "features/testing/bench_functions.hpp"
#include "features/words.hpp"

namespace isovmaf::speed_bench {
namespace {

using testing::BenchPictures;
using testing::BenchWork;

constexpr int planes = 4;

/// Kept samples that look like noise, and their statistics.
class Samples {
  public:
    Samples(const BenchPictures &pictures, CpuLevel level)
        : functions_(*speed_functions(level)),
          sizes_(speed_geometry(pictures.format().plane_width(1), pictures.format().plane_height(1), 1)),
          stride_(sizes_.kept_width / speed_row_step * speed_row_step + 3 * speed_row_step),
          samples_(take(stride_ * (sizes_.kept_height + 1))), means_(take(speed_matrix_stride)),
          matrix_(take(SPEED_VALUES * speed_matrix_stride)),
          scratch_(take(2 * speed_chunk_places * speed_matrix_stride)) {
        std::uint32_t state = 1;
        for (float &sample : samples_)
            sample = static_cast<float>((state = state * 1664525 + 1013904223) >> 8) * 0x1p-20F - 8;
        covariances();
    }

    void covariances() {
        const SpeedPlaces places{samples_.data(), stride_, sizes_.places_across(), sizes_.places_down()};
        functions_.means(places, means_.data());
        functions_.covariances(places, means_.data(), reinterpret_cast<double *>(scratch_.data()), matrix_.data());
    }

    void solve() {
        const int columns = sizes_.block_count(), stride = columns / speed_row_step * speed_row_step + speed_row_step;
        if (data_.empty()) {
            data_ = take(SPEED_VALUES * stride);
            x_ = take(SPEED_VALUES * stride);
            product_ = take(SPEED_VALUES * stride);
            matrices_ = take(speed_scratch_matrices * SPEED_VALUES * speed_matrix_stride);
            std::copy_n(samples_.begin(), SPEED_VALUES * columns, data_.begin());
        }
        functions_.solve({matrix_.data(), data_.data(), x_.data(), matrices_.data(), product_.data(), columns, stride});
    }

  private:
    std::span<float> take(int count) {
        const std::span<float> values = workspace_.take<float>(static_cast<std::size_t>(count));
        std::ranges::fill(values, 0.0F);
        return values;
    }

    Workspace workspace_;
    const SpeedFunctions &functions_;
    SpeedGeometry sizes_;
    int stride_;
    std::span<float> samples_, means_, matrix_, scratch_, data_, x_, product_, matrices_;
};

template <void (Samples::*work)()>
BenchWork run(const BenchPictures &pictures, CpuLevel level) {
    return [samples = std::make_shared<Samples>(pictures, level)] {
        for (int i = 0; i < planes; i++)
            (samples.get()->*work)();
    };
}

/// From the words of all planes to the scores of a frame.
BenchWork complete(const BenchPictures &pictures, CpuLevel level) {
    SpeedDemand demand{.format = pictures.format()};
    demand.add(SpeedSource::reference_cb, SpeedSource::distorted_cb, {}, {});
    demand.add(SpeedSource::reference_cr, SpeedSource::distorted_cr, {}, {});
    const std::vector<SpeedWords> at = demand.words();
    std::vector<std::int64_t> words(at.back().bad + 1);
    for (std::size_t i = 0; i < words.size(); i++)
        words[i] = word_of(1 + 0.37F * static_cast<float>(i % 64));
    for (const SpeedWords &analysis : at)
        words[analysis.bad] = 0;
    return [completion = std::shared_ptr(make_speed_completion(demand, level)), words = std::move(words)] {
        std::int64_t kept[4];
        completion->complete(words, kept);
    };
}

const testing::BenchFunctions functions{{"speed_statistics", run<&Samples::covariances>},
                                        {"speed_solve", run<&Samples::solve>},
                                        {"speed_completion", complete}};

} // namespace
} // namespace isovmaf::speed_bench
