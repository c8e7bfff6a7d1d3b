// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "batch/inputs/lists.hpp"
#include "batch/manifest/row.hpp"
#include "batch/store/store_index.hpp"
#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// How the work on a unit ended. Of two ends that stores have, the first one here counts.
enum class UnitEnd : std::uint8_t {
    known,     ///< finished by another process, or earlier
    finished,  ///< just now
    permanent, ///< failed, now or earlier, and would fail again
    transient, ///< failed after all retries; another time may do better
    busy,      ///< another process has it
    stopped,   ///< before it was done
};

/// Whether trying again cannot help: a fault of the input or the options, not of the machine or the program.
[[nodiscard]] bool is_permanent(ErrorCode code);

/// The versions that may decide whether a unit fails: of isovmaf and the pairs that it accepts, and of the libraries
/// that decode, which are loaded for that.
[[nodiscard]] const std::string &versions_in_use();

/// Which units need no work any more, as the stores and this process say. Thread-safe.
class UnitEnds {
  public:
    struct Options {
        bool retry_failed = false; ///< failures are no end
        bool fast_keys = false;    ///< see Inputs
    };

    /// `index` and `lists` live as long. Any thread calls `stop`, often.
    UnitEnds(StoreIndex &index, Lists &lists, const Options &options, std::function<bool()> stop)
        : index_(index), lists_(lists), options_(options), stop_(std::move(stop)) {}

    /// How a unit ended, as far as that is known without hashing the contents of its files. Lists that stores know are
    /// read.
    [[nodiscard]] std::optional<UnitEnd> known(const Row &row, const PairJob &job, const FrameRange &frames);

    /// How the unit with this key ended.
    [[nodiscard]] std::optional<UnitEnd> of(const std::string &key);

    /// How the unit ended that may have any of these keys, and the key that says so. Words count more than failures.
    struct Found {
        UnitEnd end;
        std::string key;
    };
    [[nodiscard]] std::optional<Found> of_any(const std::vector<std::string> &keys);

    /// This process has finished the unit, whose record may not be on disk yet.
    void add_finished(const std::string &key);

  private:
    StoreIndex &index_;
    Lists &lists_;
    const Options options_;
    const std::function<bool()> stop_;
    std::mutex mutex_;                         ///< guards `finished_`
    std::unordered_set<std::string> finished_; ///< keys
};

} // namespace isovmaf::batch
