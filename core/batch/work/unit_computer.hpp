// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/inputs/inputs.hpp"
#include "batch/inputs/staging.hpp"
#include "batch/manifest/row.hpp"
#include "batch/store/store.hpp"
#include "batch/work/settled_pairs.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_ends.hpp"
#include "batch/work/unit_extractor.hpp"
#include "input/libav/frame_indexes.hpp"

namespace isovmaf::batch {

/// A unit that is worked on.
struct UnitInWork {
    const FrameRange frames;
    const Row row;
    const Result<PairJob> job;
    const std::string name;
};

/// Computes the words of units and their keys: stages their videos, hashes these, extracts and encodes. Thread-safe;
/// each thread has an extractor of its own.
class UnitComputer {
  public:
    struct Options {
        bool fast_keys = false;     ///< see Inputs
        Staging *staging = nullptr; ///< where inputs are copied before they are read, if at all
        LogSink log = {};
    };

    /// Any thread calls `stop`, often. Arguments given by reference have to outlive this object. `store` gets the
    /// digests of inputs.
    UnitComputer(StoreIndex &index, Lists &lists, StoreWriter &store, UnitEnds &ends, Options options,
                 std::function<bool()> stop);

    /// The words of a unit, or how it ended meanwhile in another process.
    struct Computed {
        std::vector<std::byte> words = {};    ///< none for a segment behind the end of the video
        std::vector<std::byte> pictures = {}; ///< see UnitRecord
        std::optional<UnitEnd> end = {};
    };

    /// `unit` has a job. Fills in the record.
    [[nodiscard]] Result<Computed> compute(const UnitInWork &unit, UnitRecord &record, UnitExtractor &extractor);

    /// Extracts the units that have the reference, the options and the frames of the first one side by side with it.
    /// Failures show again when each unit is computed.
    void prepare(std::span<const UnitInWork *const> units, UnitExtractor &extractor);

  private:
    [[nodiscard]] DigestSource hashing();
    [[nodiscard]] LogSink log_of(const Row &row) const;
    [[nodiscard]] Result<StagedFiles> stage(std::span<UnitExtractor::Request> requests, StageTimes &times);
    [[nodiscard]] Result<void> settle(const PairJob &own, UnitExtractor::Request &request);
    [[nodiscard]] bool has_ended(UnitDigests &digests, const UnitInWork &unit);
    [[nodiscard]] Result<std::optional<UnitEnd>> find_key(UnitDigests &digests, const UnitInWork &unit,
                                                          UnitRecord &record);
    [[nodiscard]] Result<Computed> extract_encoded(const UnitInWork &unit, const PairJob &job, UnitExtractor &extractor,
                                                   UnitRecord &record);
    [[nodiscard]] Result<UnitExtractor::Extracted> extract(const UnitInWork &unit, const PairJob &job,
                                                           UnitExtractor &extractor, UnitRecord &record);

    UnitEnds &ends_;
    const Options options_;
    const std::function<bool()> stop_;
    FrameIndexes indexes_;
    Inputs inputs_;
    SettledPairs settled_;
};

} // namespace isovmaf::batch
