// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "run/pair_worker.hpp"

namespace isovmaf::batch {

/// Extracts the words of units, one after the other, by a worker that is kept from unit to unit, and made again after a
/// failure that may be its device's. Used by one thread.
class UnitExtractor {
  public:
    /// One unit to extract.
    struct Request {
        std::string key; ///< see unit_key; in `prepare` also a name that set_key replaces
        PairJob job;
        FrameRange frames = {};
        std::string session_key;         ///< see `session_key`: equal keys, equal sessions but for the format
        std::function<bool()> cancelled; ///< called between frames; if true, the error is `interrupted`
        LogSink log;
    };

    /// What finds the decoder of a device: `decoding_for`, but for tests.
    using DecodingFinder = std::function<Result<Decoding>(HardwareDecoding, const DeviceHandle &, const LogSink &)>;

    UnitExtractor() : UnitExtractor(decoding_for) {}
    /// `backends` are for a device that is wished as "auto": see BackendRequest.
    explicit UnitExtractor(DecodingFinder find_decoding, FoundBackends backends = {})
        : find_decoding_(std::move(find_decoding)), backends_(std::move(backends)) {}

    /// Opens the device, unless it is open, and waits until it has passed its self-test; opens its decoder, if one is
    /// wanted. A failure is that of a place: see unusable_place. `log` gets a sentence when the CPU decodes though a
    /// device might, in `extract`, too.
    Result<void> open_device(const ExecutionOptions &options, HardwareDecoding hwaccel, const LogSink &log);

    /// Names of both videos are hidden: see hide_names.
    struct Extracted {
        std::optional<WordsFile> words = {};    ///< nothing: the video ends before the unit's frames
        std::vector<PairWarning> warnings = {}; ///< of a unit with all frames those about the alignment, too
        double rate = 0;                        ///< see UnitRecord, as the next one
        std::optional<std::int64_t> bit_rate = {};
        // Segments have these, see UnitRecord.
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
    using Requests = std::span<const Request>;
    struct OpenedUnits;

    /// Words of a unit that was extracted beside others.
    struct Prepared {
        Extracted extracted;
        StageTimes times; ///< the unit's share
    };

    Result<void> extract_opened(Requests requests, OpenedUnits &opened, StageTimes &times);
    /// `reference` is opened here when it is null.
    Result<void> extract_side_by_side(Requests requests, std::unique_ptr<FrameSource> reference);
    Result<void> open(const ExecutionOptions &options, HardwareDecoding hwaccel);
    tl::unexpected<Error> close_after(const Error &error);

    DecodingFinder find_decoding_;
    FoundBackends backends_;
    std::map<std::string, Prepared> prepared_; ///< by the unit's key
    LogSink log_;                              ///< of `open_device`
    std::unique_ptr<PairWorker> worker_;       ///< null before the first unit, and after a device failed
};

/// The error of a place where no unit can be extracted, which says nothing of the units: another machine may do them.
/// It keeps a code that may_blame_device knows; what else was not as wanted, such as the number of devices, is
/// unavailable on this machine.
[[nodiscard]] Error unusable_place(Error error);

/// How many units of a group are extracted side by side at most: as many as fit into 2 GiB with 24 pictures each, which
/// is what their decoders and queues may hold, and with the earlier distorted frames that features read; at least 1.
[[nodiscard]] std::size_t most_in_group(const VideoFormat &format, const EarlierFrames &earlier);

} // namespace isovmaf::batch
