// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/open_scheduler.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "device/backends.hpp"
#include "engine/cpu_scheduler.hpp"

namespace isovmaf {

namespace {

/// Copying pictures gains nothing beyond this; memory bandwidth is the limit.
constexpr int most_copy_threads = 8;

int thread_count(int wanted) {
    return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// A feature of the plan that no device can run, or an empty name.
std::string_view feature_without_kernels(const EnginePlan &plan) {
    const auto found = std::ranges::find_if(plan.features, [](const PlannedFeature &f) { return !f.plan.gpu; });
    return found == plan.features.end() ? std::string_view() : found->feature->name;
}

OpenedScheduler open_cpu(const SessionOptions &options, const EnginePlan &plan, std::string reason) {
    std::vector<const Extractor *> extractors;
    std::vector<std::size_t> word_counts;
    for (const PlannedFeature &planned : plan.features) {
        extractors.push_back(planned.plan.definition.get());
        word_counts.push_back(planned.plan.extracted().size());
    }
    OpenedScheduler opened;
    opened.scheduler =
        std::make_unique<CpuScheduler>(std::move(extractors), std::move(word_counts), thread_count(options.threads));
    opened.execution.reason = std::move(reason);
    opened.execution.frames_in_flight = static_cast<int>(opened.scheduler->max_in_flight());
    return opened;
}

GpuPlan gpu_plan(const SessionOptions &options, const EnginePlan &plan) {
    GpuPlan gpu{.format = options.format,
                .history = plan.earlier_references(),
                .extractors = {},
                .word_counts = {},
                .timed = options.device_timing,
                .queues = static_cast<std::size_t>(options.device_queues)};
    for (const PlannedFeature &planned : plan.features) {
        gpu.extractors.push_back(planned.plan.gpu.get());
        gpu.word_counts.push_back(planned.plan.extracted().size());
        if (planned.plan.planes == PlaneUse::all)
            gpu.plane_count = options.format.plane_count();
    }
    return gpu;
}

OpenedScheduler open_gpu(const SessionOptions &options, const EnginePlan &plan, BackendChoice choice) {
    OpenedScheduler opened;
    Execution &execution = opened.execution;
    Device &device = *choice.device;
    const isovmaf_runtime_info &runtime = choice.runtime;
    const Plugin &plugin = device.plugin();
    execution.backend = plugin.name();
    execution.reason = std::move(choice.reason);
    execution.plugin = plugin.path().string();
    execution.build_id = plugin.backend().build_id;
    execution.device = device.info().name;
    execution.arch = device.info().arch;
    execution.pci_id = device.info().pci_id;
    execution.runtime = fmt::format("{} {}", runtime.runtime, runtime.runtime_version);
    execution.driver = runtime.driver_version;

    auto scheduler =
        value_of(GpuScheduler::create(std::move(device), gpu_plan(options, plan), options.frames_in_flight,
                                      std::min(thread_count(options.threads), most_copy_threads), execution.notices));
    execution.frames_in_flight = static_cast<int>(scheduler->max_in_flight());
    execution.queues = static_cast<int>(scheduler->queues());
    opened.gpu = scheduler.get();
    opened.scheduler = std::move(scheduler);
    return opened;
}

} // namespace

OpenedScheduler open_scheduler(const SessionOptions &options, const EnginePlan &plan) {
    if (options.backend == "cpu")
        return open_cpu(options, plan, "the CPU was asked for");
    if (const std::string_view feature = feature_without_kernels(plan); !feature.empty()) {
        if (options.backend != "auto")
            throw Failure({ErrorCode::unsupported,
                           fmt::format("feature {} has no GPU kernels: leave it out, or use backend cpu", feature)});
        return open_cpu(options, plan, fmt::format("feature {} has no GPU kernels", feature));
    }
    BackendChoice choice = value_of(choose_backend({options.backend, options.device, options.backend_folders}));
    if (!choice.device)
        return open_cpu(options, plan, std::move(choice.reason));
    return open_gpu(options, plan, std::move(choice));
}

Execution describe(const OpenedScheduler &opened, const EnginePlan &plan) {
    Execution execution = opened.execution;
    if (!opened.gpu)
        return execution;
    for (std::size_t e = 0; e < plan.features.size(); e++) {
        const GpuWork &work = opened.gpu->work()[e];
        execution.work.push_back({std::string(plan.features[e].feature->name), work.launches, work.milliseconds});
    }
    const isovmaf_memory_statistics memory = opened.gpu->device()->memory();
    execution.memory = {memory.allocated_bytes, memory.allocated_peak_bytes, memory.reserved_bytes,
                        memory.reserved_peak_bytes, memory.pinned_bytes};
    return execution;
}

std::optional<std::size_t> idle_feature(const EnginePlan &plan, const std::vector<GpuWork> &work,
                                        std::span<const std::int64_t> extracted) {
    bool all_idle = true;
    for (std::size_t e = 0; e < work.size(); e++) {
        const bool idle = work[e].launches == 0;
        if (idle && extracted[e] > 0 && !plan.features[e].plan.stages.empty())
            return e;
        all_idle = all_idle && idle && extracted[e] > 0;
    }
    return all_idle ? std::optional<std::size_t>(0) : std::nullopt;
}

Result<void> check_work(const OpenedScheduler &opened, const EnginePlan &plan,
                        std::span<const std::int64_t> extracted) {
    if (!opened.gpu)
        return {};
    if (const std::optional<std::size_t> idle = idle_feature(plan, opened.gpu->work(), extracted))
        return fail(ErrorCode::not_executed,
                    fmt::format("{} frames were scored, yet no kernel of feature {} ran on {}: the scores are not the "
                                "device's",
                                extracted[*idle], plan.features[*idle].feature->name, opened.execution.device));
    return {};
}

} // namespace isovmaf
