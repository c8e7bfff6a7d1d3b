// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of VIF's CPU path, scale by scale, on both pictures.
#include <memory>

#include "base/workspace.hpp"
#include "features/testing/bench_functions.hpp"
#include "features/vif/vif_functions.hpp"

namespace isovmaf::vif_bench {
namespace {

using testing::BenchPictures;
using testing::BenchWork;

/// The pictures of all scales.
class Pyramid {
  public:
    Pyramid(const BenchPictures &pictures, const VifFunctions &functions)
        : functions_(functions), kind_(static_cast<std::size_t>(pictures.format().bytes_per_sample() - 1)) {
        std::byte *const memory = workspace_.take<std::byte>(functions.memory_bytes(pictures.format().width, 1)).data();
        VifRows reference = view(pictures.second.reference.plane(0)),
                distorted = view(pictures.second.distorted.plane(0));
        for (int scale = 0; scale < VIF_SCALE_COUNT; scale++) {
            VifTask &task = tasks_[scale];
            task = {.reference = reference,
                    .distorted = distorted,
                    .bit_depth = pictures.format().bit_depth,
                    .memory = memory,
                    .begin = 0,
                    .end = reference.height,
                    .gain_limits = &limit_,
                    .limit_count = 1};
            if (scale == VIF_LAST_SCALE)
                break;
            task.next_end = reference.height / 2;
            task.next_stride = vif_next_stride(reference.width / 2);
            reference = take_next(task, task.next_reference);
            distorted = take_next(task, task.next_distorted);
            run(scale, false, true);
        }
    }

    /// Counts the pixels of a scale, or makes the next scale's pictures, or both.
    void run(int scale, bool counts, bool decimates) {
        VifTask task = tasks_[scale];
        task.end = counts ? task.end : task.begin;
        task.next_end = decimates ? task.next_end : task.next_begin;
        std::int64_t num_log = 0;
        VifSums sums{0, 0, 0, &num_log};
        functions_.run[kind_][scale](task, sums);
    }

  private:
    static VifRows view(const Plane &plane) {
        return {plane.data, plane.stride_bytes, 0, plane.height, plane.width, plane.height};
    }

    /// Memory for the next scale's picture.
    VifRows take_next(const VifTask &task, std::uint16_t *&samples) {
        samples = workspace_.take<std::uint16_t>(static_cast<std::size_t>(task.next_stride * task.next_end)).data();
        return {reinterpret_cast<const std::byte *>(samples),
                2 * task.next_stride,
                0,
                task.next_end,
                task.reference.width / 2,
                task.next_end};
    }

    const VifFunctions &functions_;
    std::size_t kind_;
    const double limit_ = 100;
    Workspace workspace_;
    VifTask tasks_[VIF_SCALE_COUNT] = {};
};

template <int scale, bool counts, bool decimates>
BenchWork run(const BenchPictures &pictures, CpuLevel level) {
    return [pyramid = std::make_shared<Pyramid>(pictures, *vif_functions(level))] {
        pyramid->run(scale, counts, decimates);
    };
}

const testing::BenchFunctions functions{
    {"vif_scale_0", run<0, true, true>},     {"vif_scale_1", run<1, true, true>},
    {"vif_scale_2", run<2, true, true>},     {"vif_count_0", run<0, true, false>},
    {"vif_count_1", run<1, true, false>},    {"vif_count_2", run<2, true, false>},
    {"vif_count_3", run<3, true, false>},    {"vif_decimate_0", run<0, false, true>},
    {"vif_decimate_1", run<1, false, true>}, {"vif_decimate_2", run<2, false, true>}};

} // namespace
} // namespace isovmaf::vif_bench
