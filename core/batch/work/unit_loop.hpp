// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/store/store_record.hpp"
#include "batch/work/unit.hpp"
#include "engine/frame_loop.hpp"
#include "engine/words/segments.hpp"
#include "input/pair/pair_source.hpp"
#include "run/alignment_doctor.hpp"
#include "run/decoding.hpp"

/// The two ends of the loop that extracts units: their videos, and their words.
namespace isovmaf::batch {

/// The two videos of a unit, and what is found out about them. A unit without `pairs` takes no part.
struct UnitPair {
    std::unique_ptr<PairSource> pairs = {};
    std::unique_ptr<AlignmentDoctor> doctor = {};
    std::string start_difference = {}; ///< see OpenedVideos
    double rate = 0;                   ///< see rate_of_pairs
};

/// Makes the pair of a unit that has `frames`.
[[nodiscard]] UnitPair make_unit_pair(OpenedVideos opened, const FrameRange &frames);

/// The videos of units that are read side by side. They share the reference.
class UnitVideos final : public GroupSource {
  public:
    /// Reading a unit without pairs fails. The units have `frames`. `device` decodes them; null: the CPU.
    UnitVideos(std::vector<UnitPair> units, const FrameRange &frames, std::shared_ptr<DecodingDevice> device)
        : units_(std::move(units)), ended_(units_.size()), frames_(frames), device_(std::move(device)),
          next_(first_opened_frame(frames)) {}

    [[nodiscard]] std::size_t members() const override { return units_.size(); }
    void next_frame() override {
        reference_ = {};
        next_++;
    }
    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t member) override;
    [[nodiscard]] const Frame &reference() const override { return reference_; }

    /// What is wrong with the videos of a unit, as far as they were read.
    [[nodiscard]] std::vector<PairWarning> warnings(std::size_t member) const {
        return units_[member].pairs ? units_[member].pairs->warnings(frames_.first, frames_.end) : ended_[member];
    }

    /// What else is known of a unit. Its pairs are gone when it has ended.
    [[nodiscard]] const UnitPair &unit(std::size_t member) const { return units_[member]; }

  private:
    [[nodiscard]] Result<Thumbnail> small(const Frame &frame) const;

    std::vector<UnitPair> units_;
    std::vector<std::vector<PairWarning>> ended_; ///< warnings of units that have ended
    const FrameRange frames_;
    const std::shared_ptr<DecodingDevice> device_;
    std::int64_t next_; ///< number of the frame behind the one that is read
    Frame reference_;
    Thumbnail small_reference_; ///< of `reference_`, in a frame of the units
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
