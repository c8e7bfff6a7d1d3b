// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "diff/comparison.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "diff/side.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

struct HarnessOptions {
    int repeat = 1;     ///< every comparison so many times: is it the same from run to run?
    bool locate = true; ///< look into what differs
    std::function<bool()> stop = [] { return false; };                    ///< asked between frames
    std::function<void(const DiffResult &progress)> step = [](auto &) {}; ///< after every case; counts alone are filled
};

/// Compares sides on one set of pictures after the other, and looks into what differs: once for each feature and side.
class Harness {
  public:
    Harness(Sides sides, HarnessOptions options);

    /// False when nothing more can be compared: a side failed.
    bool compare(const Pictures &pictures, const SessionOptions &scoring);

    /// Ends with a failure that is not a side's.
    void fail(std::string why);

    [[nodiscard]] DiffResult finish() &&;

  private:
    bool compare_once(const Pictures &pictures, const SessionOptions &scoring);
    void add_ends(const std::vector<EndOfSide> &ends, std::int64_t frames);
    void remember(const SideFailure &failure);

    Sides sides_;
    HarnessOptions options_;
    Comparison comparison_;
    DiffResult result_;
    std::set<std::pair<std::size_t, std::string>> located_;
    std::int64_t case_frames_ = 0;
};

} // namespace isovmaf::diff
