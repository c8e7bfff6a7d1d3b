// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/extraction.hpp"
#include "engine/words/segments.hpp"
#include "frame/thumbnail.hpp"
#include "input/pair/pair_warning.hpp"
#include "run/decoding.hpp"
#include "run/videos.hpp"

/// The one place where the words of videos are extracted: of parts of one pair, of segments, and of whole videos, alone
/// or beside others with the same reference (docs/adr/0111).
namespace isovmaf {

/// Where a worker computes.
struct PartPlace {
    ExecutionHandle execution;
    std::string label = {};           ///< such as "cuda:1", for failures; empty: they name no place
    std::vector<int> processors = {}; ///< that its threads are bound to; empty: they are not bound
    /// Who decodes for what the device computes; nothing: what VideoRequest::hwaccel asks for.
    std::optional<Decoding> decoding = {};
};

/// What an extraction is made for.
struct ExtractionRequest {
    const ScoringOptions &scoring;
    VideoFormat format;           ///< of the pairs
    std::size_t members = 1;      ///< distorted videos with one reference
    std::string key = {};         ///< requests to one worker with equal keys have equal `scoring`
    std::int64_t first_frame = 0; ///< of the part that comes first
};

/// What was extracted of some frames of a part.
struct PartPiece {
    std::int64_t first_frame = 0;
    std::optional<WordsFile> words = {}; ///< nothing: the videos end before the frame, or the part was stopped there
    /// Of the reader so far: see PairSource. Frames are counted that the piece has.
    std::vector<PairWarning> warnings = {}, notes = {};
    std::pair<std::string, std::string> decoders = {}; ///< see PairSource::decoders
    bool stopped = false;                              ///< by the watch, perhaps before the end of the part
};

/// Functions that a worker calls on the thread that extracts. Members are numbered from 0.
struct PartWatch {
    std::function<void()> pushed = [] {}; ///< one more frame of the part was pushed
    /// Small pictures of each frame of the part, in order, before `extracted` gets its words.
    std::function<void(std::size_t, const PairThumbnails &)> seen = [](std::size_t, const PairThumbnails &) {};
    /// Gets each pair of the part with all planes, in host memory, before `extracted` gets its words, which it does at
    /// once when they are ready. For parts of one member. Empty: nobody looks at pictures.
    std::function<void(const FramePair &)> watched = {};
    /// Gets the frames of each member in order. The last pieces are handed over as the part ends. When a video cannot
    /// be read any further, a member alone hands over the frames before; one of several hands over nothing more.
    std::function<void(std::size_t, PartPiece)> extracted = [](std::size_t, const PartPiece &) {};
    /// Asked with the number of each frame of the part; false: the part ends before it.
    std::function<bool(std::int64_t)> goes_on = [](std::int64_t) { return true; };
    std::function<bool()> stop = [] { return false; };      ///< asked before each frame; true: the part ends before it
    std::function<bool()> cancelled = [] { return false; }; ///< the same; true: nobody wants the part, and it fails
    bool in_pieces = false; ///< words are handed over as they are ready; else a part has one piece
};

/// What extracting a part took.
struct PartWork {
    LoopTimes loop = {};
    double upload = 0;               ///< see Extraction::upload_seconds
    std::int64_t frame_to_read = -1; ///< the next one, where the part ended or failed
};

/// How a worker read the parts of its pair of videos.
struct PartReading {
    int opened = 0;           ///< both videos, to come to the first frame of a part; not by `take_over`
    int moved = 0;            ///< what was open, to come there
    std::int64_t frames = 0;  ///< of parts
    ReadTimes times = {};     ///< as PairSource::times
    LoopTimes loop = {};      ///< of the thread that moved the frames
    double fetch_seconds = 0; ///< as DecodingDevice::fetch_seconds, of the worker's own
};

/// How one of `workers` workers opens the videos for the part that begins with `pair`.
[[nodiscard]] VideoRequest request_of_part(VideoRequest videos, std::size_t workers, std::int64_t pair);

/// Extracts parts of videos, one after the other, in one place. Keeps the device, who decodes on it, and the last two
/// extractions with their threads and memory; where parts are those of one pair of videos that can be read from any
/// place on, the reader with its decoders, too. Words do not depend on what was kept. Used by one thread at a time but
/// for `cancel`.
class PairWorker {
  public:
    /// `hwaccel`: who decodes. `demand`: what shares the processors with this worker. `log` gets a sentence when the
    /// CPU decodes though a device might; without it, `execution` tells.
    PairWorker(PartPlace place, HardwareDecoding hwaccel, const ThreadDemand &demand, LogSink log = {});

    /// Waits for the place and makes an extraction ready: a kept one, or a new one. Returns what it wants of the frames
    /// of `extract`; their decoders log to `log`.
    [[nodiscard]] Result<FrameNeeds> prepare(const ExtractionRequest &request, const LogSink &log);

    /// After `prepare`: extracts `frames` of pairs that have begun to read from first_opened_frame(frames) on, one for
    /// each member. Members whose pair is null, whose reference picture is not that of the others, or whose videos fail
    /// drop out; a member alone fails. Pairs are closed as they end, since one that stands still would stop those that
    /// share its reference.
    Result<void> extract(std::span<std::unique_ptr<PairSource>> pairs, const FrameRange &frames,
                         const PartWatch &watch);

    /// What the last part took; nothing after `prepare`.
    [[nodiscard]] const PartWork &last_part() const { return last_part_; }

    /// Gets ready for parts of one pair of videos, whose pairs have this format. Binds the calling thread. `videos`
    /// live as long as the worker.
    Result<void> open(const VideoRequest &videos, const ScoringOptions &scoring, const VideoFormat &format);

    /// Gives the worker both videos as they were opened by request_of_part for pair 0: the part that begins with frame
    /// 0 is read of them. Nobody has read a frame of them.
    void take_over(std::unique_ptr<PairSource> opened) { opened_ = std::move(opened); }

    /// After `open`: extracts the part that begins with frame `first`.
    Result<void> extract_from(std::int64_t first, const PartWatch &watch);

    /// The frame behind those that were handed over: where a failed part of one member failed.
    [[nodiscard]] std::int64_t next_frame() const { return next_frame_; }

    /// Makes the reading of the videos of `open` fail soon. May be called from any thread.
    void cancel();

    /// Where the worker computes, and what it has done there in all parts; its notices say what the CPU decodes though
    /// a device was to. After `open`; of a place that failed to open only the label.
    [[nodiscard]] Execution execution() const;

    [[nodiscard]] PartReading reading() const;
    [[nodiscard]] const PartPlace &place() const { return place_; }

    /// Before the first extraction: see PartPlace::decoding.
    void decode_by(Decoding decoding) { place_.decoding = std::move(decoding); }

    /// The videos of `open` as they were read last; null before the first part, and after `close`.
    [[nodiscard]] const PairSource *reader() const { return reader_.get(); }

    /// After the last part: closes the videos, for which readers of the same reference may wait.
    void close();

  private:
    struct Kept {
        std::string key;
        VideoFormat format;
        std::size_t members;
        SegmentExtraction segment;
    };

    [[nodiscard]] SegmentExtraction &segment() { return kept_.front().segment; }
    [[nodiscard]] Extraction &extraction() { return segment().extraction(); }
    Result<void> choose_extraction(const ExtractionRequest &request);
    [[nodiscard]] Result<Decoding> find_decoding(const LogSink &log);
    Result<void> read_from(std::int64_t pair, const PartWatch &watch);

    PartPlace place_; ///< with who decodes, once that is known
    const HardwareDecoding hwaccel_;
    const ThreadDemand demand_;
    const LogSink log_;
    std::vector<std::string> notices_; ///< about decoding, where nobody gave a log
    std::list<Kept> kept_;             ///< extractions, the one that was used last in front
    bool failed_ = false;              ///< in front is one that is not used again
    FrameNeeds needs_;                 ///< of the one in front
    PartWork last_part_;
    std::int64_t next_frame_ = 0;

    const VideoRequest *videos_ = nullptr; ///< of `open`
    std::vector<FeatureWork> done_;        ///< in their parts that are finished
    PartReading reading_;                  ///< without what `reader_` and the decoding device tell
    std::unique_ptr<PairSource> opened_;   ///< for the part that begins with frame 0; null: it opens the videos

    std::mutex mutex_;                   ///< of the pointer `reader_` and `cancelled_`, while `cancel` may be called
    std::unique_ptr<PairSource> reader_; ///< of `videos_`; changed by the thread that extracts
    bool cancelled_ = false;
};

} // namespace isovmaf
