// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/processors.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/inputs/near_device.hpp"
#include "device/backend_names.hpp"
#include "report/number_text.hpp"

namespace isovmaf::tool {

namespace {

/// The processors that a worker's threads are bound to: those near its device that this process may use. Empty when
/// there are none, or no others.
std::vector<int> choose_processors(const batch::WorkerPlace &place, const std::vector<int> &near,
                                   const std::vector<int> &usable, const LogSink &log) {
    std::vector<int> chosen;
    std::ranges::set_intersection(near, usable, std::back_inserter(chosen));
    if (chosen.empty())
        warn(log, fmt::format("the threads of {} are not bound: {}", place.device.label(),
                              near.empty() ? fmt::format("hwloc knows no device at {}", quote(place.device.pci_id))
                                           : "this process may not use the processors near it"));
    return chosen.size() < usable.size() ? chosen : std::vector<int>();
}

/// Binds workers of GPUs, and says so in one line.
Result<void> bind_to_devices(const BatchArguments &arguments, std::vector<batch::WorkerPlace> &places,
                             const LogSink &log) {
    if (arguments.bind == "none" || (arguments.bind.empty() && !batch::knows_topology()))
        return {};
    const auto is_wanted = [&](const batch::WorkerPlace &place) { // no CPU; without --bind, an address, too
        return place.device.index && !(place.device.pci_id.empty() && arguments.bind.empty());
    };
    if (std::ranges::none_of(places, is_wanted))
        return {};
    std::vector<std::string> pci_ids;
    for (const batch::WorkerPlace &place : places)
        pci_ids.push_back(place.device.pci_id);
    const std::vector<std::vector<int>> near = TRY(batch::processors_near(pci_ids));
    const std::vector<int> usable = usable_processor_numbers();
    std::vector<std::string> bound;
    for (std::size_t i = 0; i < places.size(); i++) {
        if (!is_wanted(places[i]))
            continue;
        places[i].processors = choose_processors(places[i], near[i], usable, log);
        if (!places[i].processors.empty())
            bound.push_back(fmt::format("{} to {} near it", places[i].device.label(),
                                        counted(static_cast<std::int64_t>(places[i].processors.size()), "processor")));
    }
    if (!bound.empty() && !arguments.quiet)
        log(Severity::info, fmt::format("threads are bound: {}", fmt::join(bound, ", ")));
    return {};
}

} // namespace

Result<std::vector<batch::WorkerPlace>> place_batch_workers(const BatchArguments &arguments,
                                                            const batch::HostShare &share, const LogSink &log) {
    const int threads = arguments.threads > 0 ? arguments.threads : usable_processors() / share.processor_share;
    if (arguments.devices.empty()) {
        const ListedDevice device{arguments.backend, arguments.device};
        return batch::place_workers({&device, 1}, arguments.workers, threads);
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
