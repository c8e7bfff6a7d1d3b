// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace isovmaf {

/// Work of one kind in a run.
struct StageStats {
    std::string name;      ///< in reports: "read_reference"
    std::string words;     ///< in sentences: "reading the reference"
    double seconds = 0;    ///< summed over those who work at a time
    int workers = 1;       ///< how many work at a time, at most
    std::string wait = {}; ///< WaitStats::name: frames wait so for the stage; empty: they do not wait for it
    std::vector<std::pair<std::string, double>> features = {}; ///< the seconds by feature, where the stage has several
};

/// What the threads that move frames, one for each worker, did most of: they wait for frames that are read, and until
/// frames are done on a device or on the CPU, and hand frames over in between.
struct WaitStats {
    std::string name;   ///< in reports: "reading", "device", "cpu", "pushing"
    double seconds = 0; ///< summed over the threads
    int workers = 1;
};

/// What was done on one of several devices.
struct DeviceStats {
    std::string device; ///< "cuda:1"
    std::vector<StageStats> stages;
};

/// What one of several workers did, which read the same videos.
struct WorkerStats {
    std::string device;
    std::int64_t frames = 0; ///< that it scored
    int opened = 0;          ///< how often it opened the videos; one worker takes them over open
    int moved = 0;           ///< how often it went to another place in them
    std::vector<StageStats> stages;
};

/// Where the time of a run went.
struct RunStats {
    double videos_seconds = 0;      ///< opening the videos, which the opening of a device goes on beside
    double device_seconds = 0;      ///< opening the device, which begins with the program; 0 without one
    double session_seconds = 0;     ///< opening a session, after the videos: waiting for the device, memory, kernels
    double scoring_seconds = 0;     ///< from the first frame that was read to the last score
    std::vector<StageStats> stages; ///< of all devices and workers
    std::vector<WaitStats> waits = {};
    std::vector<DeviceStats> devices = {}; ///< none where there is one
    std::vector<WorkerStats> workers = {}; ///< likewise
};

/// Which part of the scoring the stage was busy, 0 to 1; each of its workers where there are several.
[[nodiscard]] double busy_part(const StageStats &stage, const RunStats &stats);

/// The same of a wait.
[[nodiscard]] double waited_part(const WaitStats &wait, const RunStats &stats);

/// The stage that keeps the others waiting.
struct Bottleneck {
    const StageStats *stage = nullptr; ///< null: there is none
    /// Which part of the scoring the frames waited for it, 0 to 1. 0: it was busy nearly all the time.
    double waited = 0;
};

/// The stage that was busy nearly all the time, so that nothing else would make the run faster. Where none was, as when
/// a stage has more threads than it has frames to work on, the busiest one of those that frames waited for half of the
/// time or more.
[[nodiscard]] Bottleneck bottleneck(const RunStats &stats);

/// ", mostly ciede": the feature that takes half of the stage's work or more, if one does.
[[nodiscard]] std::string mostly_text(const StageStats &stage);

/// One line of text, and one for each device and each worker; without the last line end.
[[nodiscard]] std::string stats_text(const RunStats &stats);

} // namespace isovmaf
