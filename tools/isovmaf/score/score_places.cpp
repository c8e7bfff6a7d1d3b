// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_places.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/inputs/near_device.hpp"
#include "device/backend_names.hpp"
#include "device/device_list.hpp"
#include "execution/execution.hpp"
#include "execution/thread_budget.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/near_processors.hpp"

namespace isovmaf::tool {

namespace {

/// Finds the addresses that are missing. Whoever opens a device that is not there finds out why.
void add_addresses(std::vector<ListedDevice> &devices, const std::vector<std::string> &folders) {
    if (std::ranges::none_of(devices, [](const ListedDevice &device) { return device.pci_id.empty(); }))
        return;
    const Result<std::vector<ListedDevice>> found = find_devices(devices.front().backend, folders);
    for (ListedDevice &device : devices)
        if (found)
            for (const ListedDevice &known : *found)
                if (known.index == device.index)
                    device = known;
}

/// Binds the workers of several devices to the processors near them, where all tell their addresses.
void bind_to_devices(const std::vector<ListedDevice> &devices, std::vector<PartPlace> &places, bool say,
                     const LogSink &log) {
    std::vector<DeviceAddress> addresses;
    for (const ListedDevice &device : devices)
        addresses.push_back({device.label(), device.pci_id});
    if (std::ranges::any_of(addresses, [](const DeviceAddress &address) { return address.pci_id.empty(); }))
        return;
    const Result<std::vector<std::vector<int>>> processors = choose_processors(addresses, log);
    if (!processors) { // threads run anywhere then, which is slower at most
        log(Severity::info, "threads are not bound to the processors near their devices, which are not known");
        return;
    }
    for (std::size_t i = 0; i < places.size(); i++)
        places[i].processors = (*processors)[i];
    if (const std::string bound = bound_text(addresses, *processors); say && !bound.empty())
        log(Severity::info, bound);
}

/// Adds what one worker did to what others did on the same device, or elsewhere.
void add_work(const Execution &more, Execution &execution) {
    for (std::size_t i = 0; i < std::min(more.work.size(), execution.work.size()); i++) {
        execution.work[i].launches += more.work[i].launches;
        execution.work[i].milliseconds += more.work[i].milliseconds;
        execution.work[i].flagged += more.work[i].flagged;
    }
    execution.fetched += more.fetched;
    for (const std::string &notice : more.notices)
        if (std::ranges::find(execution.notices, notice) == execution.notices.end())
            execution.notices.push_back(notice);
}

/// How many threads of the CPU each of the sessions has that compute side by side.
int threads_of_each(int threads, std::size_t devices, std::size_t videos) {
    const std::size_t sessions = std::max(devices, std::min(videos, most_side_by_side * devices));
    return budget_of({.threads = threads, .extractions = static_cast<int>(sessions)}).extractors;
}

} // namespace

Result<std::vector<PartPlace>> open_places(const ScoreRequest &job, std::size_t videos, bool verbose,
                                           const LogSink &log) {
    ExecutionOptions options = job.execution;
    if (!names_several_devices(options)) {
        options.threads = threads_of_each(options.threads, 1, videos);
        return std::vector{PartPlace{TRY(open_execution(options)), options.backend}};
    }
    const BackendWish wish = TRY(parse_backend(options.backend));
    std::vector<ListedDevice> devices = TRY(named_devices(options));
    options.all_devices = false;
    options.backend = devices.front().backend + (wish.cpu.empty() ? "" : "," + wish.cpu);
    options.threads = threads_of_each(options.threads, devices.size(), videos);
    std::vector<PartPlace> places;
    for (const ListedDevice &device : devices) {
        options.devices = {*device.index};
        places.push_back({TRY(open_execution(options)), device.label()});
    }
    if (batch::knows_topology()) { // the machine is looked at while the devices open
        add_addresses(devices, options.backend_folders);
        bind_to_devices(devices, places, verbose, log);
    }
    return places;
}

std::vector<PartPlace> place_part_workers(const std::vector<PartPlace> &places, int decoders) {
    std::vector<PartPlace> of_workers;
    for (int i = 0; i < decoders; i++) // the first parts go to different devices
        of_workers.insert(of_workers.end(), places.begin(), places.end());
    return of_workers;
}

PartPlace join_places(const std::vector<PartPlace> &places) {
    std::vector<ExecutionHandle> executions;
    for (const PartPlace &place : places)
        executions.push_back(place.execution);
    return {SharedExecution::join(std::move(executions))};
}

std::vector<PartPlace> places_of_devices(const std::vector<PartPlace> &places) {
    std::vector<PartPlace> devices;
    for (const PartPlace &place : places)
        if (std::ranges::find(devices, place.execution, &PartPlace::execution) == devices.end())
            devices.push_back(place);
    return devices;
}

std::vector<Execution> executions_of_devices(const std::vector<Execution> &executions,
                                             const std::vector<PartPlace> &places) {
    std::vector<Execution> of_devices;
    for (const PartPlace &device : places_of_devices(places)) {
        std::optional<Execution> done;
        for (std::size_t i = 0; i < executions.size(); i++) {
            if (places[i].execution != device.execution)
                continue;
            if (!done) {
                done = executions[i];
                continue;
            }
            add_work(executions[i], *done);
            done->frames_in_flight += executions[i].frames_in_flight;
            done->queues += executions[i].queues;
        }
        of_devices.push_back(*std::move(done));
    }
    return of_devices;
}

Execution join_executions(const std::vector<Execution> &executions) {
    Execution joined = executions.front();
    for (const Execution &more : std::span(executions).subspan(1)) {
        add_work(more, joined);
        add_device(more, joined);
    }
    if (executions.size() > 1)
        joined.reason = fmt::format("{} devices score the videos in parts", executions.size());
    return joined;
}

void leave(int exit_code, const std::vector<PartPlace> &places) {
    if (std::ranges::any_of(places, [](const PartPlace &place) { return place.execution->is_opening(); }))
        std::_Exit(exit_code);
    for (const PartPlace &place : places)
        (void)place.execution->opened(); // joins the thread that opened it
    std::exit(exit_code);
}

} // namespace isovmaf::tool
