// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capi/score_store.hpp"
#include "capi/status.hpp"
#include "engine/extraction.hpp"
#include "engine/words/finish_words.hpp"

namespace isovmaf::capi {

/// Scores pairs of pictures in the order in which they come, and stores the scores under the caller's indices. Scores
/// that libvmaf computes at the end of the video are stored when the video ends, so that callers see what libvmaf
/// shows.
class VideoScorer final : private WordSink, private ColumnSink {
  public:
    /// `scheduler` was opened for `plan`. `libvmaf_threads`: the number of threads that libvmaf would have, on which
    /// the order of the columns depends. `store` has to outlive the scorer.
    VideoScorer(EnginePlan plan, OpenedScheduler scheduler, int subsample, int libvmaf_threads, ScoreStore &store,
                const Log &log);

    /// Starts work on the next pair. Waits while as many frames are in flight as the backend holds. Fails when a plane
    /// that a feature reads has samples above the bit depth; a device may say so later.
    Result<void> push(const FramePair &pair, unsigned index) { return push(pair, {index, true}); }

    /// The same for a pair that gets no scores: it is only the one before the next.
    Result<void> remember(const FramePair &pair, unsigned index) { return push(pair, {index, false}); }

    /// Where pairs are scored. To drain it, and to finish it, stores the scores of frames in flight.
    [[nodiscard]] Extraction &extraction() { return extraction_; }

    /// Whether no pair was pushed so far.
    [[nodiscard]] bool is_new() const { return frames_.empty(); }

    /// Whether some feature compares a frame with earlier ones.
    [[nodiscard]] bool compares_frames() const { return plan_.earlier().most() > 0; }

    /// A score of frame `index` that was imported, so that the frame cannot be scored: its name, or empty.
    [[nodiscard]] std::string imported_score(unsigned index) const;

    /// Scores of the whole video, after `finish`.
    [[nodiscard]] const std::vector<std::pair<std::string, double>> &aggregates() const { return aggregates_; }

    /// When the last score was stored.
    [[nodiscard]] std::chrono::steady_clock::time_point last_stored() const { return last_stored_; }

  private:
    struct PlannedColumn {
        std::size_t stored = 0; ///< in the store, once it has been added
        bool delayed = false;
        std::size_t feature = 0;
    };
    struct PendingScore {
        unsigned index = 0;
        std::size_t column = 0;
        double score = 0;
    };
    struct PushedFrame {
        unsigned index = 0;
        bool scored = true;
    };

    void take(const WordsOfFrame &words) override;
    void end() override;
    void set(std::int64_t frame, std::size_t column, double score) override;
    void set_aggregate(std::string_view name, double score) override { aggregates_.emplace_back(name, score); }
    void describe_columns();
    void add_columns(bool delayed);
    void store(std::vector<PendingScore> &scores);
    Result<void> push(const FramePair &pair, PushedFrame frame);

    EnginePlan plan_;
    int subsample_;
    std::vector<std::size_t> order_; ///< of the plan's columns in reports
    ScoreStore &store_;
    Log log_;
    std::vector<PlannedColumn> columns_; ///< of the plan
    std::vector<PushedFrame> frames_;    ///< in the order in which they were pushed
    std::vector<PendingScore> ready_;    ///< of the frame that is handed out
    std::vector<PendingScore> delayed_;  ///< of all frames
    std::vector<std::pair<std::string, double>> aggregates_;
    std::chrono::steady_clock::time_point last_stored_{};
    Extraction extraction_; ///< last: its threads read the plan
};

} // namespace isovmaf::capi
