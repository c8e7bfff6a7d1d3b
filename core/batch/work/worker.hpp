// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "batch/inputs/staging.hpp"
#include "batch/store/store_record.hpp"
#include "batch/work/task_source.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_work.hpp"
#include "device/device_list.hpp"

namespace isovmaf::batch {

/// How a process works on a run folder.
struct WorkOptions : UnitWorkOptions {
    /// Where the sessions of each worker compute. A worker is a thread that works on one task.
    std::vector<ExecutionOptions> workers = {};
    FoundBackends backends = {};              ///< for all workers: see UnitExtractor
    std::optional<StagingOptions> stage = {}; ///< `staging` is made with them
};

/// What one worker has done so far.
struct WorkerCounts {
    std::size_t units = 0;   ///< finished
    std::int64_t frames = 0; ///< of them
    double seconds = 0;      ///< of wall-clock time, for them
    StageTimes times = {};   ///< parts of `seconds`
};

/// What a process has done so far, and what others had done before or beside it.
struct WorkCounts {
    std::size_t units = 0;     ///< that the source has
    std::size_t known = 0;     ///< finished by others or earlier
    std::size_t finished = 0;  ///< by this process
    std::size_t permanent = 0; ///< failed, and would fail again
    std::size_t transient = 0; ///< failed after all retries; another time may do better
    std::int64_t frames = 0;   ///< extracted by this process
    std::vector<WorkerCounts> workers = {};

    [[nodiscard]] std::size_t settled() const { return known + finished + permanent + transient; }

    /// Counts a unit, but not for a worker.
    void add(const UnitOutcome &outcome);

    /// Adds what another process has done with units of the same source.
    void add(const WorkCounts &others);
};

/// Functions that run_workers calls.
struct WorkObserver {
    std::function<void(const WorkCounts &)> progressed = [](const WorkCounts &) {}; ///< by one thread at a time
    std::function<bool()> stop = [] { return false; };                              ///< any thread calls it, often
    std::function<void(std::size_t worker)> started = [](std::size_t) {}; ///< by each worker's thread, before its work
};

/// Works until the source gives no more tasks, or until the observer says stop. Fails when the folder cannot be used.
[[nodiscard]] Result<WorkCounts> run_workers(Run &run, TaskSource &source, const WorkOptions &options,
                                             const WorkObserver &observer);

/// Where one worker of a process computes.
struct WorkerPlace {
    ListedDevice device;
    int threads = 1;                  ///< of its sessions
    FoundBackends backends = {};      ///< that were looked at for the place; null: none
    std::vector<int> processors = {}; ///< that its threads are bound to; empty: they are not bound
};

/// The part of this process among those of a host that share its devices and processors.
struct HostShare {
    int process = 0, processes = 1; ///< that share the devices
    int processor_share = 1;        ///< how many processes share the processors of this one
};

/// The devices of a process: those whose number is `process` modulo `processes`, and one that it shares with other
/// processes where there are fewer devices than processes. `devices` is not empty.
[[nodiscard]] std::vector<ListedDevice> devices_of(const HostShare &share, const std::vector<ListedDevice> &devices);

/// How many workers each of some GPUs has when nobody says how many. One does not feed a GPU: while it opens files or
/// waits for a disk, the GPU has nothing to do. Each needs two threads that read and hash.
[[nodiscard]] int useful_workers(int gpus, int threads);

/// `workers` workers for each device; 0: as many as are useful, one of the CPU and up to two of a GPU. They share
/// `threads` threads, at least one each. A worker of a device needs few, to copy pictures: beside workers of the CPU it
/// has at most two.
[[nodiscard]] std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads);

} // namespace isovmaf::batch
