// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/frame_loop.hpp"
#include "engine/plan/state_facts.hpp"
#include "engine/score_table.hpp"
#include "engine/words/words_file.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/isovmaf.hpp"

/// Segments of a video are extracted one by one, in any order, anywhere; the words files of all of them give the scores
/// of the whole video, byte for byte.
namespace isovmaf {

class Extraction;

/// Extracts the words of one segment, of one distorted video or of several that share a reference: its members. No word
/// depends on the other members.
class SegmentExtraction {
  public:
    /// The segment starts with `first_frame`. `scoring` asks for models and features as for a Session; what models need
    /// beyond that is extracted too, and the models themselves are not kept. Only a segment
    /// that starts with frame 0 writes maps.
    [[nodiscard]] static Result<SegmentExtraction> create(const VideoFormat &format, const ScoringOptions &scoring,
                                                          const ExecutionHandle &execution, std::int64_t first_frame,
                                                          std::size_t members = 1);
    ~SegmentExtraction();
    SegmentExtraction(SegmentExtraction &&) noexcept;
    SegmentExtraction &operator=(SegmentExtraction &&) noexcept;

    /// What takes the pairs of the video, from frame `first_frame - lead_in()` on, and says where they are extracted.
    /// The functions below end it and begin it again.
    [[nodiscard]] Extraction &extraction() const;

    /// Ends the segment and gives its words. `ends_video`: the last pair was the last of the video. Fails when the
    /// segment has no frame. With several members this ends the segment of one of them, once; the others go on.
    [[nodiscard]] Result<WordsFile> finish(bool ends_video, std::size_t member = 0);

    /// The words of the first frames of the segment that are ready, without waiting; nothing while none are. The
    /// segment goes on with the frame behind them. `finish` gives the rest, which has a frame: the last ones stay. For
    /// SegmentScoring, which takes the pieces of a segment one after the other.
    [[nodiscard]] Result<std::optional<WordsFile>> take_words(std::size_t member = 0);

    /// After a failure, in place of `finish`: the words of all frames that are ready.
    [[nodiscard]] Result<std::optional<WordsFile>> take_rest(std::size_t member = 0);

    /// When all members have finished, or no pair was pushed: begins another segment, of this video or of others of the
    /// same format, with the threads, the device, the memory and the number of members as they are. Its words are those
    /// of a new extraction.
    Result<void> restart(std::int64_t first_frame);

  private:
    class Impl;
    explicit SegmentExtraction(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Frames `first` to `end` - 1; to the end of the video, wherever that is, when `end` is not given.
struct FrameRange {
    std::int64_t first = 0;
    std::optional<std::int64_t> end = {};

    friend bool operator==(const FrameRange &, const FrameRange &) = default;
};

/// The first frame that has to be read for some frames: extractors may read earlier ones.
[[nodiscard]] std::int64_t first_opened_frame(const FrameRange &frames);

/// What a loop pushes into an extraction of some frames, from a source whose first frame is first_opened_frame(frames).
[[nodiscard]] LoopFrames frames_to_push(const FrameRange &frames, const Extraction &extraction);

/// The segments sorted by their first frames.
[[nodiscard]] std::vector<const WordsFile *> in_frame_order(std::span<const WordsFile> segments);

/// The frames of the video that no segment has, in order: what is left to extract.
[[nodiscard]] std::vector<FrameRange> missing_frames(std::span<const WordsFile> segments);

/// Fails unless the segments, in any order, are those of one video, and each frame of the video is in one of them. The
/// error names the words files and what does not fit: format, semantics, subsampling, features, options, frames that
/// are missing or there twice, and pictures that differ where one segment reads frames of another.
[[nodiscard]] Result<void> check_segments(std::span<const WordsFile> segments);

/// Scores of a video from its words.
struct WordScores {
    ScoreTable table;
    std::size_t feature_score_count = 0; ///< columns that are features; the rest are models
    VideoFormat format;                  ///< of the pictures
    std::vector<UsedFact> facts = {};    ///< by which features were computed; their sources are not known
};

/// Scores one video from the words of its segments, which come in frame order. Used by one thread at a time.
class SegmentScoring {
  public:
    /// For segments that were extracted with the same options and of pictures of this format.
    [[nodiscard]] static Result<SegmentScoring> create(const ScoringOptions &options, const VideoFormat &format);
    ~SegmentScoring();
    SegmentScoring(SegmentScoring &&) noexcept;
    SegmentScoring &operator=(SegmentScoring &&) noexcept;

    /// The segment, or the piece of one, behind those that came before. Fails with `mismatch` when the pictures before
    /// its first frame are not those that the segment before it ended with.
    Result<void> add(const WordsFile &segment);

    /// Scores of the next frame in frame order, or nothing while the frame is not complete.
    [[nodiscard]] std::optional<FrameScores> next_result();

    /// Ends the video.
    Result<void> end();

    /// All scores so far; complete after `end`.
    [[nodiscard]] const ScoreTable &table() const;
    [[nodiscard]] std::size_t feature_score_count() const; ///< columns that are features; the rest are models

    /// Names of the scores of the whole video, which the table has after `end`.
    [[nodiscard]] const std::vector<std::string> &aggregate_names() const;

  private:
    class Impl;
    explicit SegmentScoring(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Scores videos from their words, with models that are loaded once. Thread-safe.
class SegmentScorer {
  public:
    /// The options may ask for any models and features whose option sets were extracted, and for any multiple of the
    /// subsampling.
    [[nodiscard]] static Result<SegmentScorer> create(const ScoringOptions &options);

    /// What a Session with the scorer's options gives for the video.
    [[nodiscard]] Result<WordScores> score(std::span<const WordsFile> segments) const;

  private:
    class Impl;
    explicit SegmentScorer(std::shared_ptr<const Impl> impl);
    std::shared_ptr<const Impl> impl_;
};

/// The same for one video.
[[nodiscard]] Result<WordScores> score_segments(const ScoringOptions &options, std::span<const WordsFile> segments);

} // namespace isovmaf
