// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "align/alignment.hpp"
#include "align/offset_costs.hpp"
#include "engine/score_table.hpp"
#include "isovmaf/frame.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

/// What small pictures say about how frames were paired.
struct AlignmentHint {
    bool aligned = true;
    std::string text = {}; ///< a sentence, or empty
};

/// Compares small pictures of both videos while they are scored.
class AlignmentDoctor {
  public:
    /// `range`: the largest offset that is looked for. To judge it, its neighbours are needed.
    explicit AlignmentDoctor(int range) : costs_(range + 1) {}

    void see(const FramePair &pair) { costs_.add(make_thumbnail(pair.reference), make_thumbnail(pair.distorted)); }

    /// A hint about the alignment of the videos. Where they seem aligned its text is empty, unless `arguments.align`
    /// asks for it. With `arguments.align` some frames are scored again on `execution`, at the offset that is found, to
    /// say what it gains in column `column` of `table`. `mode` is how the frames were paired.
    [[nodiscard]] AlignmentHint hint(const ScoreArguments &arguments, const ScoreRequest &job,
                                     const ExecutionHandle &execution, const ScoreTable &table, std::size_t column,
                                     SyncMode mode) const;

  private:
    OffsetCosts costs_;
};

} // namespace isovmaf::tool
