// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>

#include <CLI/CLI.hpp>

#include "base/try.hpp"
#include "device/backend_folders.hpp"
#include "device/self_test.hpp"
#include "tools/isovmaf/backends_report.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

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
    command->set_help_flag("--help", "Print this help and exit");
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
