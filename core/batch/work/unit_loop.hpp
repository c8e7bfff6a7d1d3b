// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/store/store_record.hpp"
#include "batch/work/unit.hpp"
#include "engine/frame_loop.hpp"
#include "engine/words/segments.hpp"
#include "input/pair/pair_source.hpp"

/// The two ends of the loop that extracts units: their videos, and their words.
namespace isovmaf::batch {

/// The videos of units that are read side by side. They share the reference.
class UnitVideos final : public GroupSource {
  public:
    /// Null for a unit that takes no part: reading it fails.
    explicit UnitVideos(std::vector<std::unique_ptr<PairSource>> pairs)
        : pairs_(std::move(pairs)), ended_(pairs_.size()) {}

    [[nodiscard]] std::size_t members() const override { return pairs_.size(); }
    void next_frame() override { reference_ = {}; }
    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t member) override;
    [[nodiscard]] const Frame &reference() const override { return reference_; }

    /// What is wrong with the videos of a unit, as far as they were read.
    [[nodiscard]] std::vector<PairWarning> warnings(std::size_t member) const {
        return pairs_[member] ? pairs_[member]->warnings() : ended_[member];
    }

  private:
    std::vector<std::unique_ptr<PairSource>> pairs_; ///< null for a unit that is not read any more
    std::vector<std::vector<PairWarning>> ended_;    ///< warnings of units that have ended
    Frame reference_;
};

/// The words of units.
class UnitWords final : public GroupSink {
  public:
    explicit UnitWords(SegmentExtraction &extraction, std::size_t members) : extraction_(extraction), words_(members) {}

    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override;
    Result<void> end(std::size_t member, bool ends_video) override;

    /// A unit alone fails with the error. Among several it is left to be extracted alone.
    Result<void> fail(std::size_t member, const Error &error) override;

    /// The words of a unit. Nothing when its video ended before its first frame, or it failed.
    [[nodiscard]] std::optional<WordsFile> take(std::size_t member) { return std::move(words_[member]); }

  private:
    SegmentExtraction &extraction_;
    std::vector<std::optional<WordsFile>> words_;
    int pushed_ = 0;
};

/// What the extraction wants of the frames, for a worker that has so many threads (0: all of the process): at most half
/// as many read a file, as workers read two files each.
[[nodiscard]] FrameNeeds frame_needs(const SegmentExtraction &extraction, int threads);

/// Runs the loop, and adds what it took to `times`.
Result<void> run_unit_loop(FrameLoop &loop, const SegmentExtraction &extraction, StageTimes &times);

} // namespace isovmaf::batch
