// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/execution.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/float_environment.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"
#include "execution/thread_budget.hpp"

namespace isovmaf {

namespace {

constexpr int most_device_number = 65'535;

/// `option` names the devices, in the words of a user.
Result<void> check_devices(const std::vector<int> &devices, const std::string &option) {
    for (auto device = devices.begin(); device != devices.end(); device++) {
        if (*device < 0 || *device > most_device_number)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{}: a device has a number from 0 to {}", option, most_device_number));
        if (std::find(devices.begin(), device, *device) != device)
            return fail(ErrorCode::invalid_argument, fmt::format("{} names device {} twice", option, *device));
    }
    return {};
}

Result<void> check_count(int count, int most, std::string_view what) {
    if (count >= 0 && count <= most)
        return {};
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: give 0 to {}", count, what, most));
}

Result<OpenedDevices> open_device(const BackendRequest &request) {
    BackendChoice choice = TRY(choose_backend(request));
    OpenedDevices opened{.reason = std::move(choice.reason), .notices = std::move(choice.notices)};
    if (choice.device)
        opened.devices.push_back({std::make_shared<const Device>(*std::move(choice.device)), choice.runtime});
    return opened;
}

/// Waits for several devices, each of which `open` gives.
template <class Opening, class Open>
Result<OpenedDevices> gather(std::vector<Opening> &opening, const Open &open) {
    OpenedDevices all;
    for (Opening &one : opening) {
        OpenedDevices opened = TRY(open(one));
        all.devices.push_back(std::move(opened.devices.front()));
        std::ranges::move(opened.notices, std::back_inserter(all.notices));
        all.reason = std::move(opened.reason);
    }
    if (all.devices.size() > 1)
        all.reason = fmt::format("{} devices of {} share the frames", all.devices.size(),
                                 all.devices.front().device->plugin().name());
    return all;
}

/// Opens several devices beside each other: each takes a driver long.
Result<OpenedDevices> open_several(const ExecutionOptions &options) {
    const std::vector<ListedDevice> named = TRY(named_devices(options));
    std::vector<std::future<Result<OpenedDevices>>> opening;
    for (const ListedDevice &device : named)
        opening.push_back(std::async(std::launch::async, open_device,
                                     BackendRequest{device.backend, device.index, options.backend_folders}));
    return gather(opening, [](std::future<Result<OpenedDevices>> &one) { return one.get(); });
}

void append(const std::string &more, std::string &names) {
    if (!more.empty())
        names += (names.empty() ? "" : ", ") + more;
}

} // namespace

Result<void> read_devices(std::string_view option, std::string_view text, ExecutionOptions &options) {
    options.devices.clear();
    options.all_devices = text == "all";
    if (text.empty() || options.all_devices)
        return {};
    for (const std::string &entry : split_list(text)) {
        const std::optional<std::int64_t> number = parse_integer(entry);
        if (!number || *number < 0 || *number > most_device_number)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("{} takes a number, several numbers such as 0,1, or all, not {}", option, quote(text)));
        options.devices.push_back(static_cast<int>(*number));
    }
    return check_devices(options.devices, fmt::format("{} {}", option, text));
}

Result<std::vector<ListedDevice>> named_devices(const ExecutionOptions &options) {
    std::string backend = TRY(parse_backend(options.backend)).device;
    if (backend.empty())
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("several devices are named, and backend {} has none: give another backend", options.backend));
    if (options.all_devices || backend == auto_backend) {
        std::vector<ListedDevice> found = TRY(find_devices(backend, options.backend_folders));
        if (options.all_devices)
            return found;
        backend = found.front().backend;
    }
    std::vector<ListedDevice> named;
    for (const int number : options.devices)
        named.push_back({backend, number});
    return named;
}

void add_device(const Execution &more, Execution &joined) {
    append(more.device, joined.device);
    append(more.pci_id, joined.pci_id);
    if (more.arch != joined.arch)
        append(more.arch, joined.arch);
    joined.frames_in_flight += more.frames_in_flight;
    joined.queues += more.queues;
    joined.memory.allocated += more.memory.allocated;
    joined.memory.allocated_peak += more.memory.allocated_peak;
    joined.memory.reserved += more.memory.reserved;
    joined.memory.reserved_peak += more.memory.reserved_peak;
    joined.memory.pinned += more.memory.pinned;
}

Error at_place(Error error, const std::string &label) {
    if (!label.empty() && may_blame_device(error.code))
        error.message = fmt::format("{}: {}", label, error.message);
    return error;
}

Result<void> check_execution_options(const ExecutionOptions &options) {
    TRY(check_count(options.threads, 1024, "threads"));
    TRY(check_count(options.frames_in_flight, 1024, "frames in flight"));
    TRY(check_count(options.device_queues, 64, "queues"));
    TRY(check_devices(options.devices, "the list of devices"));
    TRY(parse_backend(options.backend));
    TRY(parse_cpu_level(options.cpu_level));
    return {};
}

Result<ExecutionHandle> SharedExecution::open(const ExecutionOptions &options, FoundBackends found) {
    const FloatEnvironment floats; // of the thread that opens the device, too
    TRY(check_execution_options(options));
    SharedExecution execution;
    execution.options_ = options;
    execution.wish_ = TRY(parse_backend(options.backend));
    execution.cpu_level_ = TRY(parse_cpu_level(options.cpu_level));
    execution.threads_ = budget_of({.threads = options.threads}).extractors;
    const bool no_driver = execution.wish_.device.empty();
    const bool several = names_several_devices(options);
    BackendRequest request{no_driver ? execution.wish_.cpu : execution.wish_.device,
                           options.devices.empty() ? std::nullopt : std::optional(options.devices.front()),
                           options.backend_folders, std::move(found)};
    try {
        execution.opened_ =
            std::async(no_driver ? std::launch::deferred : std::launch::async, [request = std::move(request), several,
                                                                                options, times = execution.times_] {
                const SharedStageClock clock(times->opening);
                return several ? open_several(options) : open_device(request);
            }).share();
    } catch (const std::system_error &error) {
        return fail(ErrorCode::io, fmt::format("cannot start a thread that opens the device: {}", error.what()));
    }
    return std::make_shared<const SharedExecution>(std::move(execution));
}

ExecutionHandle SharedExecution::join(std::vector<ExecutionHandle> parts) {
    SharedExecution joined;
    joined.options_ = parts.front()->options();
    joined.wish_ = parts.front()->wish();
    joined.cpu_level_ = parts.front()->cpu_level();
    joined.threads_ = 0;
    joined.options_.devices.clear();
    for (const ExecutionHandle &part : parts) {
        joined.threads_ += part->threads();
        joined.options_.devices.push_back(part->options().devices.front());
    }
    joined.opened_ = std::async(std::launch::deferred, [parts = std::move(parts), times = joined.times_]() mutable {
                         const SharedStageClock clock(times->opening);
                         return gather(parts, [](const ExecutionHandle &part) { return part->opened(); });
                     }).share();
    return std::make_shared<const SharedExecution>(std::move(joined));
}

SharedExecution::~SharedExecution() {
    if (opened_.valid() && !creator_.is_current())
        new auto(std::move(opened_)); // never destroyed: the thread that opens is not in this process
}

Result<OpenedDevices> SharedExecution::opened() const {
    if (!wish_.device.empty())
        TRY(creator_.check("the backend"));
    return opened_.get();
}

bool SharedExecution::is_opening() const {
    return opened_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
}

Result<ExecutionHandle> open_execution(const ExecutionOptions &options) { return SharedExecution::open(options); }

namespace {

tl::unexpected<Error> refuse(std::string_view text, std::string_view why) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("backend {}: {}: give auto, cpu, cpu-ref, a plugin's name, or a plugin's name and a CPU's "
                            "as in \"hip,cpu\"",
                            quote(text), why));
}

} // namespace

Result<BackendWish> parse_backend(std::string_view text) {
    if (text == auto_backend)
        return BackendWish{std::string(auto_backend), std::string(cpu_backend)};
    BackendWish wish;
    for (std::string &name : split_list(text)) {
        if (name.empty())
            return refuse(text, "a name is missing");
        if (name == auto_backend)
            return refuse(text, "auto stands alone");
        std::string &place = runs_without_plugin(name) ? wish.cpu : wish.device;
        if (!place.empty())
            return refuse(text, fmt::format("a session uses {} or {}, not both", quote(place), quote(name)));
        place = std::move(name);
    }
    return wish;
}

} // namespace isovmaf
