// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/inputs/staging.hpp"
#include "batch/store/store_index.hpp"
#include "batch/work/tasks.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_computer.hpp"
#include "batch/work/unit_ends.hpp"
#include "batch/work/unit_extractor.hpp"
#include "batch/work/unit_locks.hpp"

namespace isovmaf::batch {

/// How units are worked on.
struct UnitWorkOptions {
    int retries = 2;            ///< of a unit whose failure may be transient
    bool retry_failed = false;  ///< also units that would not be tried again
    bool fast_keys = false;     ///< see Inputs
    Staging *staging = nullptr; ///< where inputs are copied before they are read, if at all
    HardwareDecoding hwaccel = HardwareDecoding::none;
    LogSink log = {};
};

struct UnitOutcome {
    UnitEnd end;
    std::int64_t frames = 0; ///< extracted
    StageTimes times = {};

    [[nodiscard]] bool is_settled() const { return end != UnitEnd::busy && end != UnitEnd::stopped; }
};

/// What a thread that does units needs for itself.
struct UnitWorker {
    ExecutionOptions execution;
    UnitExtractor extractor = {};
};

/// A run that processes work on.
struct Run {
    RunFolder folder;
    RowTable rows;
    std::vector<Unit> units;
    std::unique_ptr<StoreIndex> index;
    std::unique_ptr<Lists> lists;        ///< of `index`
    std::optional<UnitLocks> locks = {}; ///< none where no other process of this host has these units
    Shard shard = {};
};

/// Does tasks of a run, one at a time in each thread: looks whether a store has the words, takes the units' locks,
/// extracts, tries again, and appends words or the failure to the store of this process. Thread-safe.
class UnitWork {
  public:
    /// Any thread calls `stop`, often. Arguments given by reference have to outlive this object.
    UnitWork(Run &run, UnitWorkOptions options, std::function<bool()> stop, StoreWriter &store);

    /// How each of the task's units ended. Units of one group are extracted side by side. Fails when the store, the
    /// locks or the worker's device cannot be used: then no unit can be done. A device that cannot be used has the code
    /// `unavailable`, and says nothing of the units: another process may do them.
    [[nodiscard]] Result<std::vector<UnitOutcome>> attempt(const Task &task, UnitWorker &worker);

  private:
    /// A unit that no other process of the host has until the claim ends.
    class Claim;

    [[nodiscard]] Result<std::optional<UnitEnd>> claim(std::size_t number, UnitWorker &worker,
                                                       std::vector<std::shared_ptr<Claim>> &claims);
    Result<void> begin(std::span<const std::shared_ptr<Claim>> claims, bool alone);
    [[nodiscard]] Result<bool> kills_processes(const Claim &claim);
    Result<UnitOutcome> work_on(const std::shared_ptr<Claim> &claim, UnitWorker &worker);
    Result<void> store(const UnitRecord &record, const UnitComputer::Computed &computed,
                       const std::shared_ptr<Claim> &claim, StageTimes &times);
    Result<UnitOutcome> failed(UnitRecord record, const Error &error, const std::shared_ptr<Claim> &claim);

    Run &run_;
    StoreIndex &index_;
    const UnitWorkOptions options_;
    const std::function<bool()> stop_;
    const LogSink device_log_; ///< of opening devices: says each sentence once
    StoreWriter &store_;
    RowJobs jobs_;
    UnitEnds ends_;
    UnitComputer computer_;
};

} // namespace isovmaf::batch
