// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <memory>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "batch/inputs/near_device.hpp"
#include "device/backend_names.hpp"
#include "device/backends.hpp"
#include "device/device_list.hpp"
#include "execution/execution.hpp"
#include "execution/thread_budget.hpp"
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

/// Workers on what --backend names. For "auto" the backends are looked for once, for all workers. Where that fails, the
/// workers fail in the same way.
Result<std::vector<batch::WorkerPlace>> place_on_backend(const BatchArguments &arguments, int threads) {
    const ListedDevice device{arguments.backend, arguments.device};
    const std::string wished = TRY(parse_backend(arguments.backend)).device;
    bool has_gpu = !wished.empty() && wished != auto_backend;
    FoundBackends found;
    if (wished == auto_backend)
        if (Result<std::vector<BackendCandidate>> backends = find_backends(arguments.backend_folders)) {
            has_gpu = find_gpus(*backends).has_value();
            found = std::make_shared<const std::vector<BackendCandidate>>(*std::move(backends));
        }
    const int useful = has_gpu ? batch::useful_workers(1, threads) : 1;
    std::vector<batch::WorkerPlace> places =
        batch::place_workers({&device, 1}, arguments.workers > 0 ? arguments.workers : useful, threads);
    for (batch::WorkerPlace &place : places)
        place.backends = found;
    return places;
}

} // namespace

Result<std::vector<batch::WorkerPlace>> place_batch_workers(const BatchArguments &arguments,
                                                            const batch::HostShare &share, const LogSink &log) {
    const int threads = budget_of({.threads = arguments.threads, .processes = share.processor_share}).extractors;
    if (arguments.device_list.empty())
        return place_on_backend(arguments, threads);
    Result<ListedDevices> found = choose_devices(arguments.device_list, arguments.backend_folders);
    if (!found && origin_of(found.error().code) == ErrorOrigin::environment)
        return tl::unexpected(batch::unusable_place(found.error()));
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
    if (place.device.index)
        there.devices = {*place.device.index};
    there.threads = place.threads;
    there.backend = place.device.backend;
    if (!execution.device_list.empty() && place.device.index) // the CPU computes what the device has no kernels for
        there.backend += fmt::format(",{}", cpu_backend);
    return there;
}

} // namespace isovmaf::tool
