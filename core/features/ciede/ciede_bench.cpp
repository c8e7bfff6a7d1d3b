// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CIEDE2000 on a whole frame: chroma, colours and differences.
#include <array>

#include "base/workspace.hpp"
#include "features/ciede/ciede.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::ciede_bench {
namespace {

testing::BenchWork frame(const testing::BenchPictures &pictures, CpuLevel level) {
    const std::shared_ptr<Extractor> path = make_ciede_cpu(pictures.format(), level);
    return [&pictures, path, workspace = std::make_shared<Workspace>()] {
        std::array<std::int64_t, 1> words{};
        workspace->reset();
        path->extract(
            {.reference = HostPicture(pictures.second.reference), .distorted = HostPicture(pictures.second.distorted)},
            *workspace, words);
    };
}

const testing::BenchFunctions functions{{"ciede_frame", frame}};

} // namespace
} // namespace isovmaf::ciede_bench
