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

/// What was extracted of a part of a pair of videos.
struct ExtractedPart {
    std::optional<WordsFile> words = {}; ///< nothing: the videos end before the part, or it was stopped before a frame
    std::vector<PairThumbnails> thumbnails = {};       ///< of each frame
    std::vector<PairWarning> warnings = {};            ///< of the reader: see PairSource::warnings
    std::pair<std::string, std::string> decoders = {}; ///< see PairSource::decoders
    bool stopped = false;                              ///< by the observer, perhaps before the end of the part
};

/// Functions that a part worker calls on the thread that extracts.
struct PartWatch {
    std::function<void()> pushed;    ///< one more frame of the part was pushed
    std::function<bool()> stop;      ///< asked before each frame; true: the part ends with the frames before
    std::function<bool()> cancelled; ///< the same; true: nobody wants the part any more, and `extract` fails
};

/// Extracts parts of a pair of videos, one after the other, in one place. Opens both videos for each part, at its first
/// frame, and keeps the device, the memory and the threads. Used by one thread at a time but for `cancel`.
class PartWorker {
  public:
    /// What is passed by reference outlives the worker. `readers` is for FrameNeeds, where frames go to a device.
    PartWorker(const VideoRequest &videos, const ScoringOptions &scoring, const PartPlace &place, int readers)
        : videos_(videos), scoring_(scoring), place_(place), readers_(readers) {}

    /// Waits for the place and prepares what computes there, for a part that begins with frame `first`. Binds the
    /// calling thread.
    Result<void> open(const VideoFormat &format, std::int64_t first);

    [[nodiscard]] Result<ExtractedPart> extract(const FrameRange &part, const PartWatch &watch);

    /// Makes the reading of the videos fail soon. May be called from any thread.
    void cancel();

    /// Where the worker computes, and what it has done there in all parts; its notices say what the CPU decodes though
    /// a device was to. After `open`; of a place that failed to open only the label.
    [[nodiscard]] Execution execution() const;

    [[nodiscard]] const PartPlace &place() const { return place_; }

  private:
    class Reading;

    Result<void> extract(PairSource &pairs, const FrameRange &part, const PartWatch &watch, ExtractedPart &extracted);
    void add_work();

    const VideoRequest &videos_;
    const ScoringOptions &scoring_;
    const PartPlace &place_;
    const int readers_;
    std::optional<SegmentExtraction> extraction_;
    std::optional<std::int64_t> opened_for_; ///< the part that the extraction is prepared for
    std::vector<FeatureWork> done_;          ///< in parts that are finished
    Decoding decoding_;
    std::vector<std::string> notices_; ///< about decoding

    std::mutex mutex_;              ///< guards the members below
    PairSource *reading_ = nullptr; ///< by `extract`
    bool cancelled_ = false;
};

} // namespace isovmaf
