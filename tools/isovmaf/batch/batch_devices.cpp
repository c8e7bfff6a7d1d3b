// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "batch/inputs/near_device.hpp"
#include "device/backend_names.hpp"
#include "device/device_list.hpp"
#include "execution/execution.hpp"
#include "tools/isovmaf/near_processors.hpp"

namespace isovmaf::tool {

namespace {

/// Binds workers of GPUs, and says so in one line.
Result<void> bind_to_devices(const BatchArguments &arguments, std::vector<batch::WorkerPlace> &places,
                             const LogSink &log) {
    if (arguments.bind == "none" || (arguments.bind.empty() && !batch::knows_topology()))
        return {};
    const auto is_wanted = [&](const batch::WorkerPlace &place) { // no CPU; without --bind, an address, too
        return place.device.index && !(place.device.pci_id.empty() && arguments.bind.empty());
    };
    std::vector<DeviceAddress> devices;
    for (const batch::WorkerPlace &place : places)
        if (is_wanted(place))
            devices.push_back({place.device.label(), place.device.pci_id});
    if (devices.empty())
        return {};
    const std::vector<std::vector<int>> processors = TRY(choose_processors(devices, log));
    auto next = processors.begin();
    for (batch::WorkerPlace &place : places)
        if (is_wanted(place))
            place.processors = *next++;
    if (const std::string bound = bound_text(devices, processors); !bound.empty() && !arguments.quiet)
        log(Severity::info, bound);
    return {};
}

/// Whether --backend names a plugin, or means one.
Result<bool> is_gpu_wanted(const BatchArguments &arguments) {
    const BackendWish wish = TRY(parse_backend(arguments.backend));
    return !wish.device.empty() &&
           (wish.device != auto_backend || find_devices(auto_backend, arguments.backend_folders));
}

} // namespace

Result<std::vector<batch::WorkerPlace>> place_batch_workers(const BatchArguments &arguments,
                                                            const batch::HostShare &share, const LogSink &log) {
    const int threads = arguments.threads > 0 ? arguments.threads : usable_processors() / share.processor_share;
    if (arguments.devices.empty()) {
        const ListedDevice device{arguments.backend, arguments.device};
        const int chosen = TRY(is_gpu_wanted(arguments)) ? batch::useful_workers(1, threads) : 1;
        return batch::place_workers({&device, 1}, arguments.workers > 0 ? arguments.workers : chosen, threads);
    }
    Result<ListedDevices> found = choose_devices(arguments.devices, arguments.backend_folders);
    if (!found && origin_of(found.error().code) == ErrorOrigin::environment)
        return fail(ErrorCode::unavailable, found.error().message);
    const ListedDevices chosen = TRY(std::move(found));
    for (const std::string &notice : chosen.notices)
        warn(log, notice);
    if (!arguments.quiet)
        log(Severity::info, "computes on " + chosen.summary);
    std::vector<batch::WorkerPlace> places =
        batch::place_workers(batch::devices_of(share, chosen.devices), arguments.workers, threads);
    TRY(bind_to_devices(arguments, places, log));
    return places;
}

void bind_worker(const batch::WorkerPlace &place, const LogSink &log) {
    if (place.processors.empty())
        return;
    if (const Result<void> bound = bind_thread(place.processors); !bound)
        warn(log, fmt::format("{}: {}", place.device.label(), bound.error().message));
}

ExecutionOptions execution_at(const batch::WorkerPlace &place, const BatchExecution &execution) {
    ExecutionOptions there = execution;
    there.device = place.device.index;
    there.threads = place.threads;
    there.backend = place.device.backend;
    if (!execution.devices.empty() && place.device.index) // the CPU computes what the device has no kernels for
        there.backend += fmt::format(",{}", cpu_backend);
    return there;
}

} // namespace isovmaf::tool
