// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "align/alignment.hpp"
#include "align/alignment_hint.hpp"
#include "align/offset_costs.hpp"
#include "align/wide_search.hpp"
#include "engine/score_table.hpp"
#include "isovmaf/frame.hpp"
#include "run/part_worker.hpp"
#include "run/videos.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

/// What small pictures say about how frames were paired.
struct AlignmentHint {
    bool fits = true;      ///< the pictures fit as they were paired
    bool aligned = true;   ///< they suggest no other pairs
    std::string text = {}; ///< a sentence, or empty
};

/// Compares small pictures of both videos while they are scored.
class AlignmentDoctor {
  public:
    /// `range`: the largest offset that is looked for, in frames of the faster video; far larger ones are looked for
    /// where the videos fit badly as a whole. Has to live while `videos` are read: it sees frames without a partner.
    AlignmentDoctor(int range, OpenedVideos &videos);
    AlignmentDoctor(const AlignmentDoctor &) = delete;
    AlignmentDoctor &operator=(const AlignmentDoctor &) = delete;

    /// Sees the next pair, in frame order.
    void see(const PairThumbnails &pair);

    /// A hint about the alignment of the videos. Where they seem aligned its text is empty, unless `arguments.align`
    /// asks for it. With `arguments.align` some frames are scored again on `execution`, at the offset that is found, to
    /// say what it gains in column `column` of `table`.
    [[nodiscard]] AlignmentHint hint(const ScoreArguments &arguments, const ScoreRequest &job,
                                     const ExecutionHandle &execution, const ScoreTable &table,
                                     std::size_t column) const;

  private:
    void see_unpaired(bool of_reference, const Frame &frame);
    [[nodiscard]] std::vector<AlignedPart> find_parts() const;

    SyncMode mode_;
    double rates_ = 1; ///< of the faster video / of the other
    MovingSide side_;
    OffsetCosts costs_; ///< a neighbour more than the range: to judge an offset, those beside it are needed
    WideSearch wide_;
};

} // namespace isovmaf::tool
