// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "base/creator_process.hpp"
#include "device/backends.hpp"
#include "device/device.hpp"
#include "device/device_list.hpp"
#include "execution/work_times.hpp"
#include "isovmaf/execution.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"
#include "simd/level.hpp"

/// From a wish to opened devices and threads of the CPU. What runs where is decided later, by a plan that knows the
/// format of the video.
namespace isovmaf {

/// What the text of ExecutionOptions::backend asks for: a device, the CPU, or both.
struct BackendWish {
    std::string device; ///< a plugin's name or "auto"; empty: no device
    std::string cpu;    ///< "cpu" or "cpu-ref"; empty: every feature has to run on the device
};

/// Reads "auto", "cpu", "cpu-ref", a plugin's name, or a plugin's name and one of the CPU's with a comma between them.
/// "auto" is a device, and the CPU for the features that it cannot run.
[[nodiscard]] Result<BackendWish> parse_backend(std::string_view text);

/// A device that passed its self-test.
struct OpenedDevice {
    DeviceHandle device;
    isovmaf_runtime_info runtime{}; ///< what its plugin uses
};

/// What choose_backend gave.
struct OpenedDevices {
    std::vector<OpenedDevice> devices = {}; ///< of one backend; none: the CPU
    std::string reason = {};                ///< one sentence: what was taken, and why
    std::vector<std::string> notices = {};  ///< what a user should know, a sentence each
};

/// Reads the text of `option`, which names devices: a number, several numbers such as "0,1", or "all". An empty text
/// asks for the first device that works.
Result<void> read_devices(std::string_view option, std::string_view text, ExecutionOptions &options);

/// Whether more than one device may be asked for.
[[nodiscard]] inline bool names_several_devices(const ExecutionOptions &options) {
    return options.all_devices || options.devices.size() > 1;
}

/// The devices that such options name, unopened; those of a named backend may have no names and addresses yet. "auto"
/// is the first backend that has a GPU. Fails when the backend has no devices.
[[nodiscard]] Result<std::vector<ListedDevice>> named_devices(const ExecutionOptions &options);

/// Adds what is said of one more device: its name and address, its memory, frames in flight and queues.
void add_device(const Execution &more, Execution &joined);

/// The error with the label of its place, if there is one, where the place may be to blame: see may_blame_device.
[[nodiscard]] Error at_place(Error error, const std::string &label);

/// Fails when the options cannot be right, whatever devices there are: numbers out of range, a backend that is no
/// backend's name, a CPU level that cannot be used. Opens nothing.
Result<void> check_execution_options(const ExecutionOptions &options);

/// What ExecutionHandle stands for: see open_execution. Threads may share it. The destructor waits for the opening; in
/// a process that was forked since it frees nothing.
class SharedExecution {
  public:
    SharedExecution(SharedExecution &&) noexcept = default;
    ~SharedExecution();

    /// See open_execution. `found` is for BackendRequest.
    [[nodiscard]] static Result<ExecutionHandle> open(const ExecutionOptions &options, FoundBackends found = {});

    /// The devices of several places as one place, which opens nothing itself: sessions there deal their frames to all
    /// of them. `parts`: one device each, of one backend, otherwise opened with equal options. Their threads are added.
    [[nodiscard]] static ExecutionHandle join(std::vector<ExecutionHandle> parts);

    [[nodiscard]] const ExecutionOptions &options() const { return options_; }
    [[nodiscard]] const BackendWish &wish() const { return wish_; }
    [[nodiscard]] CpuLevel cpu_level() const { return cpu_level_; }
    [[nodiscard]] int threads() const { return threads_; } ///< of the CPU, at least 1

    /// Schedulers and sessions add to them.
    [[nodiscard]] const std::shared_ptr<WorkTimes> &times() const { return times_; }

    /// Waits until everything is open. The same devices each time, or the same failure. Fails in a process that was
    /// forked since, unless no device is asked for.
    [[nodiscard]] Result<OpenedDevices> opened() const;

    /// Whether `opened` would wait.
    [[nodiscard]] bool is_opening() const;

  private:
    SharedExecution() = default;

    CreatorProcess creator_;
    ExecutionOptions options_;
    BackendWish wish_;
    CpuLevel cpu_level_ = CpuLevel::scalar;
    int threads_ = 1;
    std::shared_ptr<WorkTimes> times_ = std::make_shared<WorkTimes>();
    std::shared_future<Result<OpenedDevices>> opened_;
};

} // namespace isovmaf
