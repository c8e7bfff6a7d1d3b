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
#include "engine/score_table.hpp"
#include "isovmaf/isovmaf.hpp"
#include "stored/stored_report.hpp"

namespace isovmaf::diff {

struct HarnessOptions {
    std::string stored = {}; ///< name of a stored report that all sides are compared with; empty: the first side
    int repeat = 1;          ///< how often every comparison is made: runs may differ from each other
    bool locate = true;      ///< examine what differs
    std::function<bool()> stop = [] { return false; };                        ///< called between frames
    std::function<void(const DiffResult &so_far)> step = [](const auto &) {}; ///< after every case
};

/// Compares sides on one video of pairs after the other, and examines what differs, once for each feature and side.
class Harness {
  public:
    Harness(Sides sides, HarnessOptions options);

    /// Compares the first side with the others. Returns false when a side failed and nothing more can be compared.
    bool compare(const Pictures &pictures, const SessionOptions &session);

    /// Compares a stored report with all sides.
    bool compare(const Pictures &pictures, const SessionOptions &session, const StoredReport &stored);

    /// Whether HarnessOptions::stop returns true.
    [[nodiscard]] bool stopped() const { return options_.stop(); }

    /// Sets the result to a failure that belongs to no side.
    void fail(std::string why);

    [[nodiscard]] DiffResult finish() &&;

  private:
    using Ended = std::function<void(const std::vector<EndOfSide> &)>;

    bool run(const Pictures &pictures, const SessionOptions &options,
             const std::function<void(const FrameOnSides &)> &frame, const Ended &ended);
    bool compare_stored_once(const Pictures &pictures, const SessionOptions &session, const StoredReport &stored);
    bool add_stored(std::size_t side, const StoredReport &stored, const ScoreTable &computed);
    void note_definitions_words(const std::vector<ScoreTable> &computed);
    void add_absent(Absent absent);
    void look_into(const Pictures &pictures, const SessionOptions &session);
    void add_proofs(const std::vector<EndOfSide> &ends, std::int64_t frames);
    void remember(const SideFailure &failure);

    Sides sides_;
    HarnessOptions options_;
    std::size_t first_; ///< number of the first side in comparison_: 1 after what is stored, else 0
    Comparison comparison_;
    DiffResult result_;
    std::vector<std::string> names_, sources_; ///< of scores, in the run at hand
    std::vector<FeatureWordSpecs> words_;      ///< likewise
    std::set<std::pair<std::size_t, std::string>> located_;
    /// Sides, as Suspect counts them, and features whose words were those of the side cpu-ref in all frames of the run
    /// at hand. Without a stored report, or that side, there are none.
    std::set<std::pair<std::size_t, std::string>> as_defined_;
    std::set<std::pair<std::size_t, std::string>> cleared_; ///< those of them for which there is a finding
};

} // namespace isovmaf::diff
