// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/words/segments.hpp"
#include "frame/thumbnail.hpp"
#include "input/pair/pair_warning.hpp"
#include "run/videos.hpp"

namespace isovmaf {

/// Where a part worker computes.
struct PartPlace {
    ExecutionHandle execution;
    std::string label;                ///< such as "cuda:1"
    std::vector<int> processors = {}; ///< that its threads are bound to; empty: they are not bound
    /// Who decodes; nothing: what VideoRequest::hwaccel asks for.
    std::optional<Decoding> decoding = {};
};

/// The error with the label of its place, where that is to blame: a device that was lost, has no memory, cannot be had.
[[nodiscard]] Error at_place(Error error, const std::string &label);

/// What was extracted of some frames of a part.
struct PartPiece {
    std::optional<WordsFile> words = {}; ///< nothing: the videos end before the frame, or the part was stopped there
    std::vector<PairThumbnails> thumbnails = {}; ///< of each frame
    /// Of the reader so far: see PairSource. Frames are counted that the piece has.
    std::vector<PairWarning> warnings = {}, notes = {};
    std::pair<std::string, std::string> decoders = {}; ///< see PairSource::decoders
    bool stopped = false;                              ///< by the observer, perhaps before the end of the part
};

/// Functions that a part worker calls on the thread that extracts.
struct PartWatch {
    std::function<void()> pushed; ///< one more frame of the part was pushed
    /// Gets the frames of the part in order, from this frame on. The last piece of a part is handed over as it ends.
    std::function<void(std::int64_t, PartPiece)> extracted;
    std::function<bool(std::int64_t)> goes_on; ///< asked with the number of each frame; false: the part ends before it
    std::function<bool()> stop;                ///< asked before each frame; true: the part ends with the frames before
    std::function<bool()> cancelled;           ///< the same; true: nobody wants the part any more, and `extract` fails
};

/// How a worker read its parts.
struct PartReading {
    int opened = 0;           ///< both videos, to come to the first frame of a part; not by `take_over`
    int moved = 0;            ///< what was open, to come there
    std::int64_t frames = 0;  ///< of parts
    ReadTimes times = {};     ///< as PairSource::times
    double fetch_seconds = 0; ///< as DecodingDevice::fetch_seconds, of the worker's own
};

/// How one of `workers` workers opens the videos for the part that begins with `pair`.
[[nodiscard]] VideoRequest request_of_part(VideoRequest videos, std::size_t workers, std::int64_t pair);

/// Extracts parts of a pair of videos, one after the other, in one place. Keeps the device, the memory, the threads,
/// and, where the videos can be read from any place on, the reader with its decoders. Used by one thread at a time but
/// for `cancel`.
class PartWorker {
  public:
    /// One of `workers` workers. What is passed by reference outlives it.
    PartWorker(const VideoRequest &videos, const ScoringOptions &scoring, const PartPlace &place, std::size_t workers)
        : videos_(videos), scoring_(scoring), place_(place), workers_(workers) {}

    /// Waits for the place and prepares what computes there. Binds the calling thread.
    Result<void> open(const VideoFormat &format);

    /// Gives the worker both videos as they were opened by request_of_part for pair 0: the part that begins with frame
    /// 0 is read of them. Nobody has read a frame of them.
    void take_over(std::unique_ptr<PairSource> opened) { opened_ = std::move(opened); }

    /// Extracts the part that begins with frame `first`.
    Result<void> extract(std::int64_t first, const PartWatch &watch);

    /// The frame behind those that were handed over: where a failed part failed.
    [[nodiscard]] std::int64_t next_frame() const { return next_frame_; }

    /// Makes the reading of the videos fail soon. May be called from any thread.
    void cancel();

    /// Where the worker computes, and what it has done there in all parts; its notices say what the CPU decodes though
    /// a device was to. After `open`; of a place that failed to open only the label.
    [[nodiscard]] Execution execution() const;

    [[nodiscard]] const PartPlace &place() const { return place_; }
    [[nodiscard]] PartReading reading() const;

  private:
    Result<void> read_from(std::int64_t pair);
    Result<void> start_reader(std::int64_t pair);
    Result<std::unique_ptr<PairSource>> open_pairs(std::int64_t pair);
    void set_pairs(std::unique_ptr<PairSource> pairs);
    Result<void> extract_frames(std::int64_t first, const PartWatch &watch);
    void hand_over(PartPiece piece, const PartWatch &watch);

    const VideoRequest &videos_;
    const ScoringOptions &scoring_;
    const PartPlace &place_;
    const std::size_t workers_;
    std::optional<SegmentExtraction> extraction_;
    std::int64_t next_frame_ = 0;
    std::vector<FeatureWork> done_; ///< in parts that are finished
    Decoding decoding_;
    std::vector<std::string> notices_; ///< about decoding
    PartReading reading_;              ///< without what `pairs_` and `decoding_` tell

    std::unique_ptr<PairSource> opened_; ///< for the part that begins with frame 0; null: it opens the videos

    std::mutex mutex_;                  ///< of the pointer `pairs_` and `cancelled_`, while `cancel` may be called
    std::unique_ptr<PairSource> pairs_; ///< changed by the thread that extracts
    bool cancelled_ = false;
};

} // namespace isovmaf
