// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/execution.hpp"

#include <chrono>
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

Result<void> check_count(int count, int most, std::string_view what) {
    if (count >= 0 && count <= most)
        return {};
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: give 0 to {}", count, what, most));
}

Result<OpenedDevices> open_devices(const BackendRequest &request) {
    BackendChoice choice = TRY(choose_backend(request));
    OpenedDevices opened{.reason = std::move(choice.reason), .notices = std::move(choice.notices)};
    if (choice.device)
        opened.devices.push_back({std::make_shared<const Device>(*std::move(choice.device)), choice.runtime});
    return opened;
}

} // namespace

Result<void> check_execution_options(const ExecutionOptions &options) {
    TRY(check_count(options.threads, 1024, "threads"));
    TRY(check_count(options.frames_in_flight, 1024, "frames in flight"));
    TRY(check_count(options.device_queues, 64, "queues"));
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
    BackendRequest request{no_driver ? execution.wish_.cpu : execution.wish_.device, options.device,
                           options.backend_folders, std::move(found)};
    try {
        execution.opened_ =
            std::async(no_driver ? std::launch::deferred : std::launch::async, [request = std::move(request),
                                                                                times = execution.times_] {
                const SharedStageClock clock(times->opening);
                return open_devices(request);
            }).share();
    } catch (const std::system_error &error) {
        return fail(ErrorCode::io, fmt::format("cannot start a thread that opens the device: {}", error.what()));
    }
    return std::make_shared<const SharedExecution>(std::move(execution));
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
