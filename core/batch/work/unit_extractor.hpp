// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/store/store_record.hpp"
#include "batch/work/unit.hpp"
#include "device/backends.hpp"
#include "features/feature.hpp"
#include "run/decoding.hpp"

namespace isovmaf::batch {

class UnitVideos;

/// Extracts the words of units, one after the other. A device is opened once for all of them. An extraction is made of
/// models, threads and memory; it is kept after a unit, and the next unit with the same options and the same format of
/// video uses it again. The words do not depend on that. Used by one thread.
class UnitExtractor {
  public:
    /// One unit to extract.
    struct Request {
        const std::string &key; ///< see unit_key; in `prepare` also a name that set_key replaces
        const PairJob &job;
        FrameRange frames = {};
        std::string session_key;                ///< see `session_key`: equal keys, equal sessions but for the format
        const std::function<bool()> &cancelled; ///< called between frames; if true, the error is `interrupted`
        const LogSink &log;
    };

    /// What finds the decoder of a device: `decoding_for`, but for tests.
    using DecodingFinder = std::function<Result<Decoding>(HardwareDecoding, const DeviceHandle &, const LogSink &)>;

    UnitExtractor() : UnitExtractor(decoding_for) {}
    /// `backends` are for a device that is wished as "auto": see BackendRequest.
    explicit UnitExtractor(DecodingFinder find_decoding, FoundBackends backends = {})
        : find_decoding_(std::move(find_decoding)), backends_(std::move(backends)) {}

    /// Opens the device, unless it is open, and waits until it has passed its self-test; opens its decoder, if one is
    /// wanted. A failure has the code `unavailable`: no unit can be extracted here. `log` gets a sentence when the CPU
    /// decodes though a device might, in `extract`, too.
    Result<void> open_device(const ExecutionOptions &options, HardwareDecoding hwaccel, const LogSink &log);

    /// Names of both videos are hidden: see hide_names.
    struct Extracted {
        std::optional<WordsFile> words = {};    ///< nothing: the video ends before the unit's frames
        std::vector<PairWarning> warnings = {}; ///< of a unit with all frames those about the alignment, too
        double rate = 0;                        ///< see UnitRecord; also of the members below, which segments have
        std::vector<std::byte> pictures = {};
        std::string start_difference = {};
    };

    /// Extracts the words of a unit's frames. Adds to `times`.
    [[nodiscard]] Result<Extracted> extract(const Request &request, StageTimes &times);

    /// Extracts units with one reference, one session key and the same frames, which differ in their distorted videos,
    /// and keeps their words for `extract`. The reference is decoded once for as many of them as most_in_group says.
    /// Units that cannot be extracted beside others are left to `extract`: those that fail, whose frames are paired by
    /// time, whose videos end before the frames, or whose reference pictures are converted. A unit that drops out does
    /// not disturb the others. When `cancelled` returns true, the units in work have no words.
    void prepare(std::span<const Request> requests);

    /// Gives the words of a prepared unit another key, for units whose contents are hashed while they are read.
    void set_key(const std::string &before, std::string key);

    /// Whether there are words for `extract`.
    [[nodiscard]] bool has_prepared(const std::string &key) const { return prepared_.contains(key); }

  private:
    struct Kept {
        std::string session_key;
        VideoFormat format;
        std::size_t members;
        SegmentExtraction extraction;
    };

    /// Words of a unit that was extracted beside others.
    struct Prepared {
        Extracted extracted;
        StageTimes times; ///< the unit's share
    };

    [[nodiscard]] static Result<Extracted> extracted_of(const Request &request, WordsFile words,
                                                        const UnitVideos &videos, std::size_t member);
    [[nodiscard]] Result<Kept> take(const Request &request, const VideoFormat &format, std::size_t members);
    /// `reference` is opened here when it is null.
    Result<void> extract_side_by_side(std::span<const Request> requests, std::unique_ptr<FrameSource> reference);
    [[nodiscard]] std::optional<Extracted> take_prepared(const std::string &key, StageTimes &times);
    void keep(Kept kept);
    [[nodiscard]] Result<ExecutionHandle> open(const ExecutionOptions &options);
    [[nodiscard]] Result<FrameNeeds> needs_of(const Kept &kept, const Request &request) const;
    void close_after(const Error &error);

    DecodingFinder find_decoding_;
    FoundBackends backends_;
    std::map<std::string, Prepared> prepared_; ///< by the unit's key
    ExecutionHandle execution_;                ///< null before the first unit, and after a device failed
    std::optional<Decoding> decoding_;         ///< on the device of `execution_`, once `open_device` has been called
    LogSink log_;                              ///< of `open_device`
    std::list<Kept> kept_;                     ///< extractions that are finished, the one that was used last in front
};

/// How many units of a group are extracted side by side at most: as many as fit into 2 GiB with 24 pictures each, which
/// is what their decoders and queues may hold, and with the earlier distorted frames that features read; at least 1.
[[nodiscard]] std::size_t most_in_group(const VideoFormat &format, const EarlierFrames &earlier);

} // namespace isovmaf::batch
