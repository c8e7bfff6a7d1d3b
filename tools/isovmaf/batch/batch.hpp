// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "batch/manifest/pattern_manifest.hpp"
#include "batch/manifest/row.hpp"
#include "batch/work/tasks.hpp"

namespace isovmaf::tool {

/// Where the units of a batch are computed.
struct BatchExecution : ExecutionOptions { ///< `threads` are those of all workers
    BatchExecution() { backend = "auto"; }
    std::optional<int> device;    ///< number of the backend's device; the first one that works if not given
    std::string device_list;      ///< of --devices; empty: `backend` and `device` say where
    std::string bind;             ///< "none", "device" or empty: "device" where that is possible
    std::string hwaccel = "none"; ///< see hardware_decoding_names
};

/// How processes share a batch: MPI when its launcher started several of them, the run folder alone, or MPI.
constexpr std::array<const char *, 3> engine_names{"auto", "folder", "mpi"};

/// What a run folder is made from.
struct PrepareArguments {
    std::string manifest;
    batch::PairRule pairs; ///< with a reference, `manifest` is a pattern of files
    std::string run;
    batch::Fields defaults; ///< of rows
    bool skip_invalid = false;
    std::size_t allow_failed = 0; ///< rows without scores that count as success
    std::int64_t segment_frames = 0;
    batch::ShardOptions shards = {0, 0}; ///< none
};

/// The command line of `isovmaf batch`. Without a manifest the run folder is prepared.
struct BatchArguments : PrepareArguments, BatchExecution {
    bool dry_run = false;
    double rate = 0;             ///< frames per second for the estimate of a dry run; 0: it is measured
    int workers = 0;             ///< for each device; 0: see place_workers
    std::string engine = "auto"; ///< one of engine_names
    std::string shard;
    std::size_t group = 8;
    int retries = 2;
    bool retry_failed = false;
    bool take_over = false;
    bool fast_keys = false;
    std::string stage; ///< folder for copies of inputs; empty: none are made
    std::optional<std::uint64_t> stage_bytes;
    bool quiet = false;
    std::string progress = "text"; ///< or "json"
};

/// Runs `isovmaf batch prepare`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_prepare(const PrepareArguments &arguments);

/// Runs `isovmaf batch`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch(const BatchArguments &arguments);

} // namespace isovmaf::tool
