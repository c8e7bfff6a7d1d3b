// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/open_scheduler.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"
#include "engine/guarded.hpp"
#include "engine/schedule/cpu_scheduler.hpp"
#include "engine/schedule/split_scheduler.hpp"
#include "execution/thread_budget.hpp"

namespace isovmaf {

namespace {

std::string no_kernels(const PlannedFeature &planned) { return planned.plan.gpu ? "" : "it has no GPU kernels"; }

/// Why `device` cannot run a feature, or empty. Throws Failure when the device cannot be asked.
std::string obstacle_on(const Device &device, const PlannedFeature &planned, const VideoFormat &format) {
    const FeaturePlan &plan = planned.plan;
    if (!plan.gpu)
        return no_kernels(planned);
    if (planned.writes_maps())
        return fmt::format("the values of its maps ({}) are kept on the CPU alone", planned.feature->maps_option);
    if (plan.gpu->needs_exact_f32() && !device.exact_f32())
        return fmt::format("its kernels need exact f32, which {} does not compute: {}", device.info().name,
                           device.f32_fault());
    const Result<void> found = find_kernels(*plan.gpu, device, format);
    if (!found && found.error().code != ErrorCode::unsupported)
        throw Failure(found.error());
    return found ? "" : found.error().message;
}

/// Why one of the devices cannot run a feature, or empty. Of several devices the sentence names the one.
std::string obstacle_on(const std::vector<OpenedDevice> &devices, const PlannedFeature &planned,
                        const VideoFormat &format) {
    for (const OpenedDevice &opened : devices)
        if (const std::string why = obstacle_on(*opened.device, planned, format); !why.empty())
            return devices.size() == 1 ? why : fmt::format("on {}, {}", label_of(*opened.device), why);
    return "";
}

/// Opens the schedulers of one session.
class Opener {
  public:
    Opener(const SharedExecution &where, OpenedDevices backend, const EnginePlan &plan, std::size_t members)
        : where_(where), backend_(std::move(backend)), plan_(plan), members_(members) {}

    OpenedScheduler open() && {
        opened_.times = where_.times();
        opened_.execution.backend = where_.wish().cpu;
        opened_.execution.reason = backend_.reason;
        opened_.execution.notices = backend_.notices;
        if (backend_.devices.empty())
            opened_.placement = value_of(place(plan_, {"", where_.wish().cpu}, no_kernels));
        else
            place_on_devices();
        open_parts();
        describe_placement();
        return std::move(opened_);
    }

  private:
    /// Places the features on the devices, or on the CPU when these can run none of them.
    void place_on_devices() {
        opened_.placement = value_of(place(plan_, where_.wish(), [&](const PlannedFeature &planned) {
            return obstacle_on(backend_.devices, planned, plan_.context.format);
        }));
        for (const auto &[obstacle, features] : features_kept_off())
            opened_.execution.notices.push_back(fmt::format("feature{} on the CPU: {}",
                                                            features.size() == 1
                                                                ? fmt::format(" {} runs", features[0])
                                                                : fmt::format("s {} run", fmt::join(features, ", ")),
                                                            obstacle));
        Execution described;
        for (const OpenedDevice &opened : backend_.devices)
            add_device({.device = opened.device->info().name,
                        .arch = opened.device->info().arch,
                        .pci_id = opened.device->info().pci_id},
                       described);
        if (opened_.placement.on_device.empty())
            opened_.execution.reason =
                fmt::format("the CPU, because {} can run no feature of this session", described.device);
        else
            describe_devices(described);
    }

    /// The features that the device cannot run though they have kernels, by what stands in the way.
    [[nodiscard]] std::map<std::string, std::vector<std::string_view>> features_kept_off() const {
        std::map<std::string, std::vector<std::string_view>> features;
        for (const std::size_t e : opened_.placement.on_cpu)
            if (plan_.features[e].plan.gpu)
                features[opened_.placement.obstacles[e]].push_back(plan_.features[e].feature->name);
        return features;
    }

    void describe_devices(const Execution &described) {
        Execution &execution = opened_.execution;
        const OpenedDevice &opened = backend_.devices.front();
        const Plugin &plugin = opened.device->plugin();
        execution.backend = plugin.name();
        execution.plugin = plugin.path().string();
        execution.build_id = plugin.backend().build_id;
        execution.device = described.device;
        execution.arch = described.arch;
        execution.pci_id = described.pci_id;
        execution.runtime = fmt::format("{} {}", opened.runtime.runtime, opened.runtime.runtime_version);
        execution.driver = opened.runtime.driver_version;
    }

    /// One scheduler where everything runs in one place, else one for each place.
    void open_parts() {
        std::vector<SplitScheduler::Part> parts;
        if (!opened_.placement.on_device.empty())
            parts.push_back({open_devices(), opened_.placement.on_device, false, last_steps()});
        const bool has_last_steps = !parts.empty() && !parts.front().last_steps.empty();
        if (has_last_steps || !opened_.placement.on_cpu.empty())
            opened_.workers = std::make_shared<CpuWorkers>(where_.threads(), where_.times(), open_fetcher());
        if (!opened_.placement.on_cpu.empty())
            parts.push_back({open_cpu(), opened_.placement.on_cpu});
        if (parts.size() == 1 && !has_last_steps)
            opened_.scheduler = std::move(parts.front().scheduler);
        else
            opened_.scheduler = std::make_unique<SplitScheduler>(word_counts(plan_), std::move(parts), opened_.workers);
    }

    /// For the frames that kernels flag; null without a device.
    [[nodiscard]] std::unique_ptr<FrameFetcher> open_fetcher() const {
        if (opened_.gpus.empty())
            return nullptr;
        const int most = std::max(static_cast<int>(opened_.frames_on_devices()),
                                  cpu_frames_in_flight(where_.options().frames_in_flight, where_.threads()));
        return std::make_unique<FrameFetcher>(opened_.devices(), plan_.context.format, most);
    }

    /// What the CPU does of the features on the device; empty if that is nothing.
    [[nodiscard]] std::vector<CpuFeature> last_steps() const {
        std::vector<CpuFeature> features;
        bool needed = false;
        for (const std::size_t e : opened_.placement.on_device) {
            const FeaturePlan &plan = plan_.features[e].plan;
            features.push_back({&cpu_code(e), &plan, nullptr, seconds_of(e)});
            needed = needed || plan.flag_word || plan.completion;
        }
        return needed ? features : std::vector<CpuFeature>();
    }

    std::unique_ptr<Scheduler> open_devices() {
        std::vector<DealingScheduler::Part> parts;
        for (const OpenedDevice &opened : backend_.devices)
            parts.push_back({open_gpu(opened.device), opened.device});
        for (GpuScheduler *const gpu : opened_.gpus) // the first one's memory is what callers get for frames
            if (gpu != opened_.gpus.front())
                gpu->copy_from(*opened_.gpus.front());
        std::unique_ptr<Scheduler> scheduler;
        if (parts.size() == 1) {
            scheduler = std::move(parts.front().scheduler);
        } else {
            auto dealer = std::make_unique<DealingScheduler>(deal_plan(), std::move(parts));
            opened_.dealer = dealer.get();
            scheduler = std::move(dealer);
        }
        opened_.execution.frames_in_flight = static_cast<int>(scheduler->max_in_flight());
        return scheduler;
    }

    /// The scheduler of one device. Devices share the threads that copy pictures.
    std::unique_ptr<GpuScheduler> open_gpu(const DeviceHandle &device) {
        Execution &execution = opened_.execution;
        const int devices = static_cast<int>(backend_.devices.size());
        const int copy_threads = budget_of({.threads = where_.threads(), .extractions = devices}).copiers;
        Result<std::unique_ptr<GpuScheduler>> scheduler = GpuScheduler::create(
            device, gpu_plan(), where_.options().frames_in_flight, copy_threads, execution.notices);
        if (!scheduler)
            throw Failure(at_place(scheduler.error(), devices == 1 ? "" : label_of(*device)));
        where_.times()->staging_threads = copy_threads * devices;
        where_.times()->in_place = device->host_pictures().in_place;
        execution.queues += static_cast<int>((*scheduler)->queues());
        opened_.gpus.push_back(scheduler->get());
        return *std::move(scheduler);
    }

    std::unique_ptr<Scheduler> open_cpu() {
        std::vector<CpuFeature> features;
        std::vector<std::size_t> counts;
        for (const std::size_t e : opened_.placement.on_cpu) {
            const FeaturePlan &plan = plan_.features[e].plan;
            const MapFiles *const maps = opened_.maps.emplace_back(value_of(MapFiles::create(plan_.features[e]))).get();
            features.push_back({&cpu_code(e), &plan, maps, seconds_of(e)});
            counts.push_back(plan.extracted().size());
        }
        auto scheduler = std::make_unique<CpuScheduler>(std::move(features), std::move(counts), opened_.workers,
                                                        where_.options().frames_in_flight);
        if (opened_.gpus.empty())
            opened_.execution.frames_in_flight = static_cast<int>(scheduler->max_in_flight());
        return scheduler;
    }

    [[nodiscard]] SharedSeconds *seconds_of(std::size_t feature) const {
        return &where_.times()->cpu_features.of(plan_.features[feature].feature->name);
    }

    [[nodiscard]] const Extractor &cpu_code(std::size_t feature) const {
        const FeaturePlan &plan = plan_.features[feature].plan;
        return where_.wish().cpu == definition_backend ? *plan.definition : plan.cpu_code();
    }

    [[nodiscard]] GpuPlan gpu_plan() const {
        GpuPlan gpu{.format = plan_.context.format,
                    .members = members_,
                    .extractors = {},
                    .word_counts = {},
                    .checks_host = opened_.device_checks_samples(),
                    .timed = where_.options().device_timing,
                    .times = where_.times(),
                    .queues = static_cast<std::size_t>(where_.options().device_queues),
                    .dealt = backend_.devices.size() > 1};
        for (const std::size_t e : opened_.placement.on_device) {
            const FeaturePlan &plan = plan_.features[e].plan;
            gpu.extractors.push_back(plan.gpu.get());
            gpu.word_counts.push_back(plan.extracted().size());
            gpu.earlier = longer(gpu.earlier, plan.earlier);
            gpu.plane_count = std::max(gpu.plane_count, plan.plane_count(plan_.context.format));
            gpu.chroma_edge = std::max(gpu.chroma_edge, plan.chroma_edge);
        }
        return gpu;
    }

    [[nodiscard]] DealPlan deal_plan() const {
        GpuPlan gpu = gpu_plan();
        DealPlan deal{.format = gpu.format,
                      .plane_count = gpu.plane_count,
                      .members = gpu.members,
                      .word_counts = std::move(gpu.word_counts)};
        for (const std::size_t e : opened_.placement.on_device)
            deal.earlier.push_back(plan_.features[e].plan.earlier);
        return deal;
    }

    void describe_placement() {
        const Placement &placement = opened_.placement;
        std::vector<FeaturePlacement> places(plan_.features.size());
        for (const std::size_t e : placement.on_device)
            places[e] = {"", opened_.execution.backend, "kernels", ""};
        for (const std::size_t e : placement.on_cpu)
            places[e] = {"", where_.wish().cpu, std::string(cpu_code(e).level()), placement.obstacles[e]};
        for (std::size_t e = 0; e < places.size(); e++)
            places[e].feature = plan_.features[e].feature->name;
        opened_.execution.placement = std::move(places);
    }

    const SharedExecution &where_;
    const OpenedDevices backend_;
    const EnginePlan &plan_;
    const std::size_t members_;
    OpenedScheduler opened_;
};

} // namespace

Result<OpenedScheduler> open_scheduler(const SharedExecution &execution, const EnginePlan &plan, std::size_t members) {
    return guarded(
        [&]() -> Result<OpenedScheduler> { return Opener(execution, TRY(execution.opened()), plan, members).open(); });
}

std::vector<DeviceHandle> OpenedScheduler::devices() const {
    std::vector<DeviceHandle> devices;
    for (const GpuScheduler *const gpu : gpus)
        devices.push_back(gpu->device());
    return devices;
}

std::size_t OpenedScheduler::frames_on_devices() const {
    if (dealer)
        return dealer->max_in_flight();
    return gpus.empty() ? 0 : gpus.front()->max_in_flight();
}

Result<void> close_maps(const OpenedScheduler &opened) {
    for (const std::unique_ptr<MapFiles> &maps : opened.maps)
        if (maps)
            TRY(maps->close());
    return {};
}

Execution describe(const OpenedScheduler &opened, const EnginePlan &plan) {
    Execution execution = opened.execution;
    if (opened.gpus.empty())
        return execution;
    for (const std::size_t e : opened.placement.on_device)
        execution.work.push_back({std::string(plan.features[e].feature->name)});
    for (const GpuScheduler *const gpu : opened.gpus) {
        for (std::size_t i = 0; i < execution.work.size(); i++) {
            execution.work[i].launches += gpu->work()[i].launches;
            execution.work[i].milliseconds += gpu->work()[i].milliseconds;
        }
        const isovmaf_memory_statistics memory = gpu->device()->memory();
        add_device({.memory = {memory.allocated_bytes, memory.allocated_peak_bytes, memory.reserved_bytes,
                               memory.reserved_peak_bytes, memory.pinned_bytes}},
                   execution);
    }
    execution.fetched = opened.dealer ? opened.dealer->fetched() : 0;
    return execution;
}

namespace {

/// Calls `read` with each feature that the CPU may extract: those that run there, and those whose kernels may flag a
/// frame.
template <class Read>
void for_each_on_cpu(const OpenedScheduler &opened, const EnginePlan &plan, const Read &read) {
    for (const std::size_t e : opened.placement.on_cpu)
        read(plan.features[e].plan);
    for (const PlannedFeature &planned : plan.features)
        if (planned.plan.flag_word)
            read(planned.plan);
}

} // namespace

EarlierFrames earlier_on_cpu(const OpenedScheduler &opened, const EnginePlan &plan) {
    EarlierFrames most;
    for_each_on_cpu(opened, plan, [&](const FeaturePlan &feature) { most = longer(most, feature.earlier); });
    return most;
}

int planes_on_cpu(const OpenedScheduler &opened, const EnginePlan &plan) {
    int most = 0;
    for_each_on_cpu(opened, plan, [&](const FeaturePlan &feature) {
        most = std::max(most, feature.plane_count(plan.context.format));
    });
    return most;
}

std::optional<std::size_t> idle_feature(const EnginePlan &plan, std::span<const std::size_t> on_device,
                                        const std::vector<GpuWork> &work, std::span<const std::int64_t> extracted) {
    bool all_idle = true;
    for (std::size_t i = 0; i < work.size(); i++) {
        const std::size_t e = on_device[i];
        const bool idle = work[i].launches == 0;
        if (idle && extracted[e] > 0 && !plan.features[e].plan.stages.empty())
            return e;
        all_idle = all_idle && idle && extracted[e] > 0;
    }
    return all_idle ? std::optional(on_device.front()) : std::nullopt;
}

Result<void> check_work(const OpenedScheduler &opened, const EnginePlan &plan,
                        std::span<const std::int64_t> extracted) {
    const std::vector<std::size_t> &on_device = opened.placement.on_device;
    for (std::size_t d = 0; d < opened.gpus.size(); d++) {
        std::vector<std::int64_t> there(extracted.begin(), extracted.end());
        for (std::size_t i = 0; opened.dealer && i < on_device.size(); i++)
            there[on_device[i]] = opened.dealer->extracted(d)[i];
        const GpuScheduler &gpu = *opened.gpus[d];
        if (const std::optional<std::size_t> idle = idle_feature(plan, on_device, gpu.work(), there))
            return fail(ErrorCode::not_executed,
                        fmt::format("{} frames were scored, yet no kernel of feature {} ran on {}: the scores are not "
                                    "the device's",
                                    there[*idle], plan.features[*idle].feature->name, gpu.device()->info().name));
    }
    return {};
}

} // namespace isovmaf
