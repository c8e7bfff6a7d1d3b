// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/backends_report.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

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
        if (!device.host_pictures.reason.empty())
            parts.push_back(fmt::format("pictures of the host are {} ({})",
                                        device.host_pictures.in_place ? "read in place" : "uploaded",
                                        device.host_pictures.reason));
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
    if (*candidate.runtime.file)
        text += fmt::format("  opened {}\n", candidate.runtime.file);
    text += devices_text(backend.devices) + details_text(backend.devices, plugin.name);
    return memory ? text + memory_text(backend.devices) : text;
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

/// The report as a text for people. `memory` adds statistics of the allocators.
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

struct BackendsArguments {
    std::vector<std::string> folders;
    bool json = false;
    bool memory = false;
};

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
        const Result<BackendsReport> report = examine_backends(arguments->folders);
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
