// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "device/backend_folders.hpp"
#include "device/backends.hpp"
#include "device/self_test.hpp"
#include "isovmaf/isovmaf.hpp"
#include "simd/level.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

/// A device of a plugin, with the facts that could be read.
struct DeviceState {
    std::uint32_t index = 0;
    std::optional<isovmaf_device_info> info;
    std::string fault;     ///< why it is not used; empty when it passed its self-test
    std::string f32_fault; ///< why features in f32 do not run on it; empty when they do, or when it is not used
    std::optional<isovmaf_memory_statistics> memory; ///< after the self-test, before the device was closed
};

struct BackendState {
    BackendCandidate candidate;
    std::vector<DeviceState> devices;
};

/// The backends and devices of this machine.
struct BackendsReport {
    std::vector<std::filesystem::path> folders; ///< that were searched
    std::vector<BackendState> backends;
};

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

std::string or_dash(const std::string &text) { return text.empty() ? "-" : text; }

bool is_cpu(const DeviceState &device) { return device.info && device.info->cpu; }

/// Makes each column as wide as its widest cell, with two spaces between columns.
std::string aligned(const std::vector<Row> &rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row &row : rows)
        for (std::size_t i = 0; i + 1 < row.size(); i++)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row &row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < row.size(); i++)
            fmt::format_to(std::back_inserter(line), " {:<{}} ", row[i], widths[i]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

Row device_row(const DeviceState &device) {
    const std::string result = !device.fault.empty()       ? "not used: " + device.fault
                               : !device.f32_fault.empty() ? "passed, except for features in f32: " + device.f32_fault
                                                           : "passed";
    if (!device.info)
        return {std::to_string(device.index), "-", "-", "-", "-", "-", "-", result};
    const isovmaf_device_info &info = *device.info;
    return {std::to_string(device.index),
            or_dash(info.name),
            or_dash(info.arch),
            fmt::format("{:.1f} GiB", static_cast<double>(info.memory_bytes) / (1 << 30)),
            std::to_string(info.compute_units),
            std::to_string(info.wave_width),
            or_dash(info.pci_id),
            result};
}

std::string devices_text(const std::vector<DeviceState> &devices) {
    std::vector<Row> rows{{"device", "name", "arch", "memory", "units", "wave", "PCI", "self-test"}};
    std::ranges::transform(devices, std::back_inserter(rows), device_row);
    return aligned(rows);
}

/// Facts that have no column in the table: one line for each device.
std::string details_text(const std::vector<DeviceState> &devices, const char *backend) {
    std::string text;
    for (const DeviceState &device : devices) {
        std::vector<std::string> parts;
        if (is_cpu(device))
            parts.push_back(fmt::format("a CPU, used only when {} is asked for by name", backend));
        if (device.info && *device.info->details)
            parts.emplace_back(device.info->details);
        if (!parts.empty())
            text += fmt::format("  device {}: {}\n", device.index, fmt::join(parts, "; "));
    }
    return text;
}

std::string memory_text(const std::vector<DeviceState> &devices) {
    const auto mebibytes = [](std::uint64_t bytes) {
        return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / (1 << 20));
    };
    std::vector<Row> rows{{"device", "allocated", "at most", "reserved", "at most", "pinned", "allocations"}};
    for (const DeviceState &device : devices)
        if (const auto &memory = device.memory)
            rows.push_back({std::to_string(device.index), mebibytes(memory->allocated_bytes),
                            mebibytes(memory->allocated_peak_bytes), mebibytes(memory->reserved_bytes),
                            mebibytes(memory->reserved_peak_bytes), mebibytes(memory->pinned_bytes),
                            std::to_string(memory->allocations)});
    return rows.size() > 1 ? aligned(rows) : "";
}

std::string backend_text(const BackendState &backend, bool memory) {
    const BackendCandidate &candidate = backend.candidate;
    const std::string verdict(verdict_name(candidate.verdict));
    if (!candidate.plugin)
        return fmt::format("{}: {}\n  {}\n", candidate.file.filename().string(), verdict, candidate.reason);
    const isovmaf_backend &plugin = candidate.plugin->backend();
    std::string text =
        fmt::format("{}: {}, {}\n  {}\n  plugin {}, isovmaf {}, build {}\n", plugin.name, verdict, candidate.reason,
                    plugin.summary, candidate.file.string(), plugin.version, plugin.build_id);
    if (candidate.verdict != PluginVerdict::loaded)
        return text;
    text += fmt::format("  runtime {} {}, driver {}\n", candidate.runtime.runtime,
                        or_dash(candidate.runtime.runtime_version), or_dash(candidate.runtime.driver_version));
    text += devices_text(backend.devices) + details_text(backend.devices, plugin.name);
    return memory ? text + memory_text(backend.devices) : text;
}

/// "scalar", "sse4" and so on.
std::vector<std::string_view> cpu_level_names() {
    std::vector<std::string_view> names;
    std::ranges::transform(usable_cpu_levels(), std::back_inserter(names), cpu_level_name);
    return names;
}

/// The device that "auto" takes, or what to do when there is none.
std::string conclusion(const BackendsReport &report) {
    for (const BackendState &backend : report.backends)
        for (const DeviceState &device : backend.devices)
            if (device.fault.empty() && !is_cpu(device))
                return fmt::format("--backend auto takes device {} of {}.\n", device.index,
                                   backend.candidate.plugin->name());
    return std::string("No GPU can be used here: --backend auto scores on the CPU. ") +
           (report.backends.empty() ? "No plugin was found: install one, or name its folder with --backend-dir.\n"
                                    : "The list above says what is missing.\n");
}

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
        json["runtime_version"] = text_or_null(candidate.runtime.runtime_version);
        json["driver_version"] = text_or_null(candidate.runtime.driver_version);
        json["devices"] = Json::array();
        for (const DeviceState &device : backend.devices)
            json["devices"].push_back(device_json(device, memory));
    }
    return json;
}

/// The report as a text for people, and as JSON. `memory` adds statistics of the allocators.
std::string backends_text(const BackendsReport &report, bool memory) {
    std::vector<std::string> folders;
    for (const std::filesystem::path &folder : report.folders)
        folders.push_back(folder.string());
    std::string text =
        fmt::format("searched: {}\n", folders.empty() ? "no folder" : fmt::format("{}", fmt::join(folders, ", ")));
    for (const BackendState &backend : report.backends)
        text += '\n' + backend_text(backend, memory);
    text += fmt::format("\ncpu: this processor, at the levels {}; --backend cpu takes the last one\n",
                        fmt::join(cpu_level_names(), ", "));
    return text + '\n' + conclusion(report);
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

struct BackendsArguments {
    std::vector<std::string> folders;
    bool json = false;
    bool memory = false;
};

DeviceState examine(const std::shared_ptr<const Plugin> &plugin, std::uint32_t index) {
    DeviceState state{.index = index, .info = {}, .fault = {}, .f32_fault = {}, .memory = {}};
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
    state.memory = device->memory();
    return state;
}

Result<BackendsReport> examine(const std::vector<std::string> &folders) {
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

} // namespace

void add_backends_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<BackendsArguments>();
    CLI::App *command = app.add_subcommand("backends", "List backend plugins, and test their devices");
    command->set_help_flag("-h,--help", "Print this help and exit");
    declare_backend_folders(*command, arguments->folders);
    command->add_flag("--memory", arguments->memory,
                      "Add the memory that each device's allocator holds after the self-test");
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] {
        const Result<BackendsReport> report = examine(arguments->folders);
        if (!report) {
            print_error("isovmaf: error: {}\n", report.error().message);
            exit_code = exit_failed;
            return;
        }
        const auto text = arguments->json ? backends_json : backends_text;
        write_output(text(*report, arguments->memory));
    });
}

} // namespace isovmaf::tool
