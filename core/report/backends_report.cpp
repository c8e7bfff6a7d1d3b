// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/backends_report.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "device/backend_folders.hpp"
#include "device/host_pictures.hpp"
#include "device/self_test.hpp"
#include "isovmaf/isovmaf.hpp"
#include "simd/level.hpp"

namespace isovmaf {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const char *text) { return *text ? Json(text) : Json(nullptr); }

Json memory_json(const isovmaf_memory_statistics &memory) {
    return {{"allocated_bytes", memory.allocated_bytes}, {"allocated_peak_bytes", memory.allocated_peak_bytes},
            {"reserved_bytes", memory.reserved_bytes},   {"reserved_peak_bytes", memory.reserved_peak_bytes},
            {"pinned_bytes", memory.pinned_bytes},       {"allocations", memory.allocations}};
}

Json device_json(const DeviceState &device, bool memory) {
    Json json{{"index", device.index}, {"usable", device.fault.empty()}};
    json["fault"] = device.fault.empty() ? Json(nullptr) : Json(device.fault);
    json["f32_fault"] = device.f32_fault.empty() ? Json(nullptr) : Json(device.f32_fault);
    if (const auto &info = device.info) {
        json["name"] = text_or_null(info->name);
        json["arch"] = text_or_null(info->arch);
        json["pci_id"] = text_or_null(info->pci_id);
        json["memory_bytes"] = info->memory_bytes;
        json["memory_free_bytes"] = info->memory_free_bytes;
        json["compute_units"] = info->compute_units;
        json["wave_width"] = info->wave_width;
        json["replays"] = info->replays != 0;
        json["cpu"] = info->cpu != 0;
        json["shares_memory"] = info->shares_memory != 0;
        if (info->shares_memory && device.fault.empty())
            json["host_pictures"] = {{"in_place", device.host_pictures.in_place},
                                     {"reason", device.host_pictures.reason}};
        json["details"] = text_or_null(info->details);
    }
    if (memory && device.memory)
        json["memory"] = memory_json(*device.memory);
    return json;
}

Json backend_json(const BackendState &backend, bool memory) {
    const BackendCandidate &candidate = backend.candidate;
    Json json{
        {"file", candidate.file.string()}, {"verdict", verdict_name(candidate.verdict)}, {"reason", candidate.reason}};
    if (candidate.plugin) {
        const isovmaf_backend &plugin = candidate.plugin->backend();
        json["name"] = plugin.name;
        json["summary"] = plugin.summary;
        json["version"] = plugin.version;
        json["build_id"] = plugin.build_id;
    }
    if (candidate.verdict == PluginVerdict::loaded) {
        json["runtime"] = text_or_null(candidate.runtime.runtime);
        json["runtime_file"] = text_or_null(candidate.runtime.file);
        json["runtime_version"] = text_or_null(candidate.runtime.runtime_version);
        json["driver_version"] = text_or_null(candidate.runtime.driver_version);
        json["devices"] = Json::array();
        for (const DeviceState &device : backend.devices)
            json["devices"].push_back(device_json(device, memory));
    }
    return json;
}

DeviceState examine(const std::shared_ptr<const Plugin> &plugin, std::uint32_t index) {
    DeviceState state{.index = index, .info = {}, .fault = {}, .f32_fault = {}, .host_pictures = {}, .memory = {}};
    if (const Result<isovmaf_device_info> info = plugin->describe(index))
        state.info = *info;
    const Result<Device> device = Device::open(plugin, index);
    if (!device) {
        state.fault = device.error().message;
        return state;
    }
    if (const Result<SelfTestReport> report = self_test_once(*device))
        state.f32_fault = report->f32_fault;
    else
        state.fault = report.error().message;
    if (state.fault.empty()) {
        if (Result<HostPictures> pictures = find_host_pictures(*device))
            state.host_pictures = *std::move(pictures);
        else
            state.fault = pictures.error().message;
    }
    state.memory = device->memory();
    return state;
}

} // namespace

Result<BackendsReport> examine_backends(const std::vector<std::string> &folders) {
    std::vector<std::filesystem::path> searched = TRY(backend_folders(folders));
    std::vector<BackendCandidate> candidates = TRY(find_backends(folders));
    BackendsReport report{std::move(searched), {}};
    for (BackendCandidate &candidate : candidates) {
        BackendState backend{std::move(candidate), {}};
        for (std::uint32_t i = 0; i < backend.candidate.runtime.device_count; i++)
            backend.devices.push_back(examine(backend.candidate.plugin, i));
        report.backends.push_back(std::move(backend));
    }
    return report;
}

std::vector<std::string_view> cpu_level_names() {
    std::vector<std::string_view> names;
    std::ranges::transform(usable_cpu_levels(), std::back_inserter(names), cpu_level_name);
    return names;
}

std::string backends_json(const BackendsReport &report, bool memory) {
    Json json{{"version", version()},
              {"cpu_levels", cpu_level_names()},
              {"folders", Json::array()},
              {"backends", Json::array()}};
    for (const std::filesystem::path &folder : report.folders)
        json["folders"].push_back(folder.string());
    for (const BackendState &backend : report.backends)
        json["backends"].push_back(backend_json(backend, memory));
    return json.dump(2) + '\n';
}

} // namespace isovmaf
