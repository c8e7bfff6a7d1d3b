// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"
#include "report/run_stats.hpp"

namespace isovmaf::tool {

/// Where frames lie before they are scored.
enum class FramesIn { host_memory, pinned_memory, device_memory };

/// The command line of `isovmaf bench`, as typed.
struct BenchArguments {
    VideoFormat format{.width = 1920, .height = 1080, .chroma = Chroma::k420, .bit_depth = 8};
    int frames = 48;
    int threads = 0;
    std::string cpu_level = "auto";
    std::vector<std::string> models = {"vmaf_v0.6.1"};
    std::vector<std::string> features; ///< that are timed, requests as for score; empty: every feature, by its name
    std::vector<std::string> backends = {"cpu"};
    std::string device; ///< see read_devices
    std::vector<std::string> backend_folders;
    int frames_in_flight = 0;
    FramesIn frames_in = FramesIn::host_memory;
    bool json = false;
};

/// The time of one feature alone, of a model with all its features, or of all of these in one session.
struct BenchResult {
    std::string name;
    double milliseconds_per_frame = 0; ///< wall-clock time, from the first push to the last score
    double frames_per_second = 0;
    double copy_milliseconds_per_frame = 0; ///< of threads that copied frames into pinned memory, summed up
    Execution execution;
};

/// What frames waited for in a run on a device and beside it, and what the host did for them.
struct BenchWaits {
    double device = 0, cpu = 0; ///< part of the time, 0 to 1: until a device had done a frame, and until the CPU had
    StageStats on_cpu;          ///< features on the CPU, and what finishes the words of kernels
    double scoring = 0;         ///< seconds of the thread that makes scores of words
};

/// What was measured on one backend.
struct BenchRun {
    std::string backend; ///< as it was asked for
    Execution execution; ///< of the last result
    std::vector<BenchResult> results;
    std::optional<BenchResult> timed; ///< the last result once more, with the device's clocks on; only with a device
    BenchWaits waits = {};            ///< of `timed`
};

/// Functions that `run_bench` calls while it measures.
struct BenchObserver {
    std::function<void(const std::vector<BenchRun> &)> opened;   ///< all backends are ready; there are no results yet
    std::function<void(const std::vector<BenchRun> &)> measured; ///< all have one more result
    std::function<void(const std::string &)> left_out;           ///< a feature is not measured: the sentence says why
};

/// Measures features and models on every backend, in turns: each alone, and all that was named together where there are
/// several models, or a model and named features. Of all features, those that the format or a backend does not permit
/// are left out.
[[nodiscard]] Result<std::vector<BenchRun>> run_bench(const BenchArguments &arguments, const BenchObserver &observer);

/// Lines that say what is measured, and the head of the table.
[[nodiscard]] std::string bench_heading(const BenchArguments &arguments, const std::vector<BenchRun> &runs);

/// The table's row for the last result of every run.
[[nodiscard]] std::string bench_row(const std::vector<BenchRun> &runs);

/// The time that each feature took on each device, that of the host, and what frames waited for.
[[nodiscard]] std::string bench_device_times(const BenchArguments &arguments, const std::vector<BenchRun> &runs);

/// One object for one run, {"runs": [...]} for several.
[[nodiscard]] std::string bench_json(const BenchArguments &arguments, const std::vector<BenchRun> &runs);

/// Whether all that was named is also timed in one session: there is more than a model.
[[nodiscard]] bool is_timed_together(const BenchArguments &arguments);

/// How many threads `--threads` stands for.
[[nodiscard]] int used_threads(const BenchArguments &arguments);

} // namespace isovmaf::tool
