// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/device_list.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"

namespace isovmaf {

namespace {

using Which = DeviceWish::Which;
using Candidates = std::vector<BackendCandidate>;

tl::unexpected<Error> refuse(std::string_view entry, std::string_view why) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("list of devices: {}: {}; give all, or some of cpu, NAME:NUMBER and NAME:*, such as "
                            "hip:0,hip:1",
                            quote(entry), why));
}

Result<DeviceWish> parse_entry(std::string_view entry) {
    if (entry == "all")
        return DeviceWish{.which = Which::every_gpu};
    const std::size_t colon = entry.find(':');
    DeviceWish wish{.backend = std::string(entry.substr(0, colon))};
    if (wish.backend.empty() || wish.backend == auto_backend)
        return refuse(entry, "this names no backend");
    if (colon == std::string_view::npos)
        return wish;
    if (runs_without_plugin(wish.backend))
        return refuse(entry, fmt::format("{} has no devices with numbers", wish.backend));
    const std::string_view number = entry.substr(colon + 1);
    wish.which = number == "*" ? Which::every : Which::one;
    if (wish.which == Which::every)
        return wish;
    const std::optional<std::int64_t> index = parse_integer(number);
    if (!index || *index < 0 || *index > 65'535)
        return refuse(entry, "behind the colon stands the number of a device, or *");
    wish.index = static_cast<int>(*index);
    return wish;
}

ListedDevice listed(const Device &device) {
    return {device.plugin().name(), static_cast<int>(device.index()), device.info().name, device.info().pci_id};
}

std::string text_of(const ListedDevice &device) {
    return device.name.empty() ? device.label() : fmt::format("{} ({})", device.label(), device.name);
}

std::string text_of(const std::vector<ListedDevice> &devices) {
    std::vector<std::string> texts;
    for (const ListedDevice &device : devices)
        texts.push_back(text_of(device));
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// All devices of a backend that work, and why others do not. Devices that are CPUs are taken when there is nothing
/// else, and only with `cpus`.
struct Working {
    std::vector<ListedDevice> devices;
    std::vector<std::string> faults;
};

Working find_working(const BackendCandidate &backend, bool cpus) {
    Working gpus, others;
    for (int i = 0; i < static_cast<int>(backend.runtime.device_count); i++) {
        const auto info = backend.plugin->describe(static_cast<std::uint32_t>(i));
        const bool is_cpu = info && info->cpu;
        if (is_cpu && !cpus)
            continue;
        Working &kind = is_cpu ? others : gpus;
        if (const Result<Device> device = open_tested(backend, i))
            kind.devices.push_back(listed(*device));
        else
            kind.faults.push_back(device.error().message);
    }
    return gpus.devices.empty() && cpus ? others : gpus;
}

/// Why "all" leaves a backend alone whose devices it has not looked at; empty when it does not.
std::string left_alone(const BackendCandidate &backend) {
    if (backend.verdict != PluginVerdict::loaded)
        return backend.reason;
    const std::string name = backend.plugin->name(), variables = hiding_variables();
    if (variables.empty() || !hiding_variables_of(name).empty())
        return "";
    return fmt::format("{} does not read {}, so its devices may belong to other jobs: name the devices to use", name,
                       variables);
}

ListedDevices choose_every_gpu(const Candidates &candidates) {
    ListedDevices chosen;
    std::vector<std::string> obstacles;
    for (const BackendCandidate &backend : candidates) {
        if (std::string why = left_alone(backend); !why.empty()) {
            if (backend.verdict != PluginVerdict::unavailable)
                chosen.notices.push_back("passed over: " + why);
            obstacles.push_back(std::move(why));
            continue;
        }
        Working working = find_working(backend, false);
        for (const std::string &fault : working.faults)
            chosen.notices.push_back("passed over: " + fault);
        if (!working.devices.empty()) {
            chosen.devices = std::move(working.devices);
            chosen.summary = fmt::format("all GPUs of {}, the first backend that has some: {}", backend.plugin->name(),
                                         text_of(chosen.devices));
            return chosen;
        }
        obstacles.push_back(fmt::format("{} has no GPU that works", backend.plugin->name()));
    }
    chosen.devices = {{std::string(cpu_backend)}};
    chosen.summary =
        fmt::format("the CPU, because no GPU can be used: {}",
                    obstacles.empty() ? "there is no plugin" : fmt::format("{}", fmt::join(obstacles, "; ")));
    return chosen;
}

/// The devices of one entry that names a plugin.
Result<std::vector<ListedDevice>> choose_wished(const DeviceWish &wish, const BackendCandidate &backend,
                                                std::vector<std::string> &notices) {
    if (wish.which == Which::one)
        return std::vector{listed(TRY(open_tested(backend, wish.index)))};
    Working working = find_working(backend, true);
    if (working.devices.empty())
        return fail(ErrorCode::unavailable,
                    fmt::format("no device of {} works: {}", wish.backend, fmt::join(working.faults, "; ")));
    for (const std::string &fault : working.faults)
        notices.push_back("passed over: " + fault);
    if (wish.which == Which::first)
        working.devices.resize(1);
    return std::move(working.devices);
}

/// Parts of one GPU have one address, so devices of one backend may share it.
Result<void> check_repeated(const std::vector<ListedDevice> &devices, const ListedDevice &added) {
    for (const ListedDevice &device : devices) {
        if (device.label() == added.label())
            return refuse(added.label(), "it is taken twice; --workers N gives each device N workers");
        if (!added.pci_id.empty() && device.pci_id == added.pci_id && device.backend != added.backend)
            return refuse(added.label(), fmt::format("it is the same GPU as {}, at {}: name one of them",
                                                     device.label(), added.pci_id));
    }
    return {};
}

Result<ListedDevices> choose_listed(const std::vector<DeviceWish> &wishes, const std::vector<std::string> &folders) {
    ListedDevices chosen;
    for (const DeviceWish &wish : wishes) {
        const bool plugin = !runs_without_plugin(wish.backend);
        const std::vector<ListedDevice> devices =
            plugin ? TRY(choose_wished(wish, TRY(find_backend(wish.backend, folders)), chosen.notices))
                   : std::vector{ListedDevice{wish.backend}};
        for (const ListedDevice &device : devices) {
            TRY(check_repeated(chosen.devices, device));
            chosen.devices.push_back(device);
        }
    }
    chosen.summary = fmt::format("{}, as the list of devices says", text_of(chosen.devices));
    return chosen;
}

} // namespace

Result<std::vector<DeviceWish>> parse_device_list(std::string_view text) {
    std::vector<DeviceWish> wishes;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string_view entry = text.substr(start, end - start);
        DeviceWish wish = TRY(parse_entry(entry));
        if (std::ranges::count(wishes, wish) > 0)
            return refuse(entry, "it is taken twice; --workers N gives each device N workers");
        wishes.push_back(std::move(wish));
        start = end + 1;
    }
    if (wishes.size() > 1 && std::ranges::count(wishes, Which::every_gpu, &DeviceWish::which) > 0)
        return refuse(text, "all stands alone");
    return wishes;
}

std::string ListedDevice::label() const { return index ? fmt::format("{}:{}", backend, *index) : backend; }

namespace {

/// The devices that are CPUs, or those that are not. Whoever opens a device that cannot be described finds out why.
std::vector<ListedDevice> described(const BackendCandidate &backend, bool cpus) {
    std::vector<ListedDevice> devices;
    for (int i = 0; i < static_cast<int>(backend.runtime.device_count); i++) {
        const auto info = backend.plugin->describe(static_cast<std::uint32_t>(i));
        if (info ? info->cpu == cpus : !cpus)
            devices.push_back(info ? ListedDevice{backend.plugin->name(), i, info->name, info->pci_id}
                                   : ListedDevice{backend.plugin->name(), i});
    }
    return devices;
}

} // namespace

Result<std::vector<ListedDevice>> find_devices(std::string_view backend, const std::vector<std::string> &folders) {
    if (backend != auto_backend) {
        const BackendCandidate named = TRY(find_backend(backend, folders));
        std::vector<ListedDevice> gpus = described(named, false);
        return gpus.empty() ? described(named, true) : gpus;
    }
    return find_gpus(TRY(find_backends(folders)));
}

Result<std::vector<ListedDevice>> find_gpus(const Candidates &found) {
    std::vector<std::string> obstacles;
    for (const BackendCandidate &candidate : found) {
        std::string why = left_alone(candidate);
        if (why.empty()) {
            if (std::vector<ListedDevice> gpus = described(candidate, false); !gpus.empty())
                return gpus;
            why = fmt::format("{} has no GPU", candidate.plugin->name());
        }
        obstacles.push_back(std::move(why));
    }
    return fail(ErrorCode::unavailable,
                fmt::format("there is no GPU: {}",
                            obstacles.empty() ? "there is no plugin" : fmt::format("{}", fmt::join(obstacles, "; "))));
}

Result<ListedDevices> choose_devices(std::string_view list, const std::vector<std::string> &folders) {
    const std::vector<DeviceWish> wishes = TRY(parse_device_list(list));
    if (wishes.front().which == Which::every_gpu)
        return choose_every_gpu(TRY(find_backends(folders)));
    return choose_listed(wishes, folders);
}

} // namespace isovmaf
