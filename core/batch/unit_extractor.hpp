// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "batch/stage_times.hpp"
#include "batch/unit.hpp"

namespace isovmaf::batch {

/// Extracts the words of units, one after the other. An extraction is made of models, threads, memory and perhaps a
/// device; it is kept after a unit, and the next unit with the same options and the same format of video uses it again.
/// The words do not depend on that. Used by one thread.
class UnitExtractor {
  public:
    /// One unit, and what goes with it.
    struct Request {
        const PairJob &job;
        FrameRange frames = {};
        std::string session_key;                ///< see `session_key`: equal keys, equal sessions but for the format
        const std::function<bool()> &cancelled; ///< asked between frames; when it says yes, the error is `interrupted`
        const LogSink &log;
    };

    /// Extracts the words of a unit's frames. Nothing means that the video ends before them. Adds to `times`.
    [[nodiscard]] Result<std::optional<WordsFile>> extract(const Request &request, StageTimes &times);

  private:
    struct Kept {
        std::string session_key;
        VideoFormat format;
        SegmentExtraction extraction;
    };

    [[nodiscard]] Result<Kept> take(const Request &request, const VideoFormat &format);
    void keep(Kept kept);

    std::list<Kept> kept_; ///< extractions that are finished, the one that was used last in front
};

} // namespace isovmaf::batch
