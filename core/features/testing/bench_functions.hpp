// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include "isovmaf/frame.hpp"
#include "simd/level.hpp"

/// What kernel_bench times besides whole features: functions of vector code, each alone (docs/testing.md).
namespace isovmaf::testing {

/// What functions are timed with: two pairs of pictures that follow each other.
struct BenchPictures {
    FramePair first, second;

    [[nodiscard]] const VideoFormat &format() const { return second.reference.format(); }
};

/// Does a function's work on one frame. May be called again and again.
using BenchWork = std::function<void()>;

struct BenchFunction {
    std::string name; ///< "motion_blur"

    /// The work at a level other than scalar. The pictures outlive it.
    std::function<BenchWork(const BenchPictures &pictures, CpuLevel level)> prepare;
};

/// Functions of a feature: NAME_bench.cpp has one such object, of static storage, which registers them.
class BenchFunctions {
  public:
    BenchFunctions(std::initializer_list<BenchFunction> functions);
};

} // namespace isovmaf::testing
