// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/backends.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backend_folders.hpp"
#include "device/backend_names.hpp"
#include "device/host_pictures.hpp"
#include "device/self_test.hpp"

namespace isovmaf {

namespace {

namespace fs = std::filesystem;

bool is_plugin_file(const fs::directory_entry &entry) {
    const std::string name = entry.path().filename().string();
    std::error_code error;
    return name.starts_with("libvmaf_") && name.ends_with(".so") && !entry.is_directory(error);
}

/// In the order of their names; those of the same name in the order of their folders.
Result<std::vector<fs::path>> plugin_files(const std::vector<fs::path> &folders) {
    std::vector<fs::path> files;
    for (const fs::path &folder : folders) {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
             entry.increment(error))
            if (is_plugin_file(*entry))
                files.push_back(entry->path());
        if (error)
            return fail(ErrorCode::io, fmt::format("cannot list the folder {} for backend plugins: {}", folder.string(),
                                                   error.message()));
    }
    std::ranges::stable_sort(files, {}, [](const fs::path &file) { return file.filename(); });
    return files;
}

std::string count_devices(std::uint32_t count) { return fmt::format("{} device{}", count, count == 1 ? "" : "s"); }

/// Starts the runtime of a plugin.
void probe(BackendCandidate &candidate) {
    const Result<isovmaf_runtime_info> runtime = candidate.plugin->probe();
    if (runtime) {
        candidate.verdict = PluginVerdict::loaded;
        candidate.runtime = *runtime;
    }
    candidate.reason = runtime ? fmt::format("{} through {}", count_devices(runtime->device_count), runtime->runtime)
                               : runtime.error().message;
}

/// Does not ask for the runtime of a plugin that has another name than `wanted`, unless that is empty: its verdict is
/// that it is unavailable.
BackendCandidate examine(const fs::path &file, const std::vector<BackendCandidate> &earlier, std::string_view wanted) {
    BackendCandidate candidate;
    candidate.file = file;
    Result<std::shared_ptr<const Plugin>> plugin = Plugin::open(file);
    if (!plugin) {
        candidate.reason = plugin.error().message;
        return candidate;
    }
    const std::string name = (*plugin)->name();
    for (const BackendCandidate &other : earlier)
        if (other.plugin && other.plugin->name() == name) {
            candidate.reason =
                fmt::format("{}: a second backend that calls itself \"{}\", after {}; remove one of them",
                            file.string(), name, other.file.string());
            return candidate;
        }
    candidate.plugin = *std::move(plugin);
    candidate.verdict = PluginVerdict::unavailable;
    if (wanted.empty() || wanted == name)
        probe(candidate);
    return candidate;
}

std::string describe(const Device &device) {
    return fmt::format("device {} of {} ({})", device.index(), device.plugin().name(), device.info().name);
}

/// The end of a sentence about a device that is not there.
std::string hidden_note(std::string_view backend) {
    const std::string variables = hiding_variables_of(backend);
    return variables.empty() ? "" : fmt::format("; devices that {} hides are not counted", variables);
}

/// The devices of `backend` that may be used; fails when it has none of the number asked for.
Result<std::vector<std::uint32_t>> wanted_devices(const BackendCandidate &backend, std::optional<int> wanted) {
    const std::uint32_t count = backend.runtime.device_count;
    std::vector<std::uint32_t> devices;
    for (std::uint32_t i = 0; i < count; i++)
        if (!wanted || static_cast<std::int64_t>(i) == *wanted)
            devices.push_back(i);
    if (devices.empty())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} has no device {}: it has {}, counted from 0{}", backend.plugin->name(), *wanted,
                                count_devices(count), hidden_note(backend.plugin->name())));
    return devices;
}

Result<Device> open_tested(const std::shared_ptr<const Plugin> &plugin, std::uint32_t index) {
    Result<Device> device = Device::open(plugin, index);
    if (!device) {
        const ErrorCode why = device.error().code;
        return fail(why == ErrorCode::unsupported ? ErrorCode::unavailable : why,
                    fmt::format("device {} of {} cannot be used: {}", index, plugin->name(), device.error().message));
    }
    device->set_f32_fault(TRY(self_test_once(*device)).f32_fault);
    device->set_host_pictures(TRY(find_host_pictures(*device)));
    return device;
}

bool is_cpu(const Plugin &plugin, std::uint32_t index) {
    const Result<isovmaf_device_info> info = plugin.describe(index);
    return info && info->cpu;
}

enum class Cpus { used, left_out };

/// A device that `cpus` leaves out is not opened.
Result<Device> open_allowed(const std::shared_ptr<const Plugin> &plugin, std::uint32_t index, Cpus cpus) {
    if (cpus == Cpus::left_out && is_cpu(*plugin, index))
        return fail(ErrorCode::unavailable,
                    fmt::format("device {} of {} ({}) is a CPU, used only when {} is asked for by name", index,
                                plugin->name(), plugin->describe(index)->name, plugin->name()));
    return open_tested(plugin, index);
}

/// The first device that may be used, opens and passes; else everything that stood in the way. Devices that are lost to
/// the user, because they do not open or do not pass, go to `passed_over`, a sentence each.
Result<Device> open_first(const BackendCandidate &backend, std::optional<int> wanted, Cpus cpus,
                          std::vector<std::string> &passed_over) {
    const std::vector<std::uint32_t> devices = TRY(wanted_devices(backend, wanted));
    Error failure{ErrorCode::device_failed, ""};
    for (const std::uint32_t index : devices) {
        Result<Device> device = open_allowed(backend.plugin, index, cpus);
        if (device)
            return device;
        if (cpus == Cpus::used || !is_cpu(*backend.plugin, index))
            passed_over.push_back(device.error().message);
        failure.code = device.error().code;
        failure.message += (failure.message.empty() ? "" : "; ") + device.error().message;
    }
    return tl::unexpected(failure);
}

std::string plugin_file_name(std::string_view backend) { return fmt::format("libvmaf_{}.so", backend); }

/// What other plugins there are, for who asked for one that is not there.
std::vector<std::string> names_of(const std::vector<BackendCandidate> &candidates) {
    std::vector<std::string> names;
    for (const BackendCandidate &candidate : candidates)
        names.push_back(candidate.plugin ? std::string(candidate.plugin->name()) : candidate.file.filename().string());
    return names;
}

std::string other_plugins(const std::vector<std::string> &names) {
    return names.empty() ? "there is no plugin"
                         : fmt::format("there {} {}", names.size() == 1 ? "is" : "are", fmt::join(names, ", "));
}

std::string searched(const std::vector<std::string> &given) {
    std::vector<std::string> names;
    for (const fs::path &folder : backend_folders(given).value_or(std::vector<fs::path>()))
        names.push_back(folder.string());
    return names.empty() ? "no folder was searched" : fmt::format("searched: {}", fmt::join(names, ", "));
}

/// One sentence about all that a user would want to mend; nothing when there is nothing.
std::vector<std::string> notices_about(const std::vector<std::string> &passed_over) {
    if (passed_over.empty())
        return {};
    return {fmt::format("passed over: {} (isovmaf backends says more)", fmt::join(passed_over, "; "))};
}

Result<BackendChoice> choose_named(const BackendRequest &request) {
    const BackendCandidate found = TRY(find_backend(request.name, request.folders));
    std::vector<std::string> passed_over;
    Device device = TRY(open_first(found, request.device, Cpus::used, passed_over));
    std::string reason = fmt::format("{} was asked for by name", describe(device));
    return BackendChoice{std::move(device), found.runtime, std::move(reason), notices_about(passed_over)};
}

Result<BackendChoice> choose_any(const BackendRequest &request, const std::vector<BackendCandidate> &candidates) {
    std::vector<std::string> obstacles, passed_over;
    for (const BackendCandidate &candidate : candidates) {
        if (candidate.verdict == PluginVerdict::refused)
            passed_over.push_back(candidate.reason);
        Result<Device> device = candidate.verdict == PluginVerdict::loaded
                                    ? open_first(candidate, request.device, Cpus::left_out, passed_over)
                                    : Result<Device>(fail(ErrorCode::unavailable, candidate.reason));
        if (!device) {
            obstacles.push_back(std::move(device.error().message));
            continue;
        }
        std::string reason = fmt::format("{} is the first that passed its self-test", describe(*device));
        if (!obstacles.empty())
            reason += fmt::format(" ({})", fmt::join(obstacles, "; "));
        return BackendChoice{*std::move(device), candidate.runtime, std::move(reason), notices_about(passed_over)};
    }
    const std::string why = obstacles.empty() ? "no backend plugin for GPUs was found; " + searched(request.folders)
                                              : fmt::format("{}", fmt::join(obstacles, "; "));
    if (request.device)
        return fail(ErrorCode::not_found, fmt::format("there is no device {} to use: {}", *request.device, why));
    return BackendChoice{
        std::nullopt, {}, fmt::format("the CPU, because no GPU can be used: {}", why), notices_about(passed_over)};
}

struct HidingVariable {
    const char *name;
    std::array<std::string_view, 2> readers; ///< names of backends
};

/// CUDA and HIP programming guides, "environment variables". HIP reads CUDA's variable too.
constexpr std::array known_hiding_variables{
    HidingVariable{"CUDA_VISIBLE_DEVICES", {"cuda", "hip"}},
    HidingVariable{"HIP_VISIBLE_DEVICES", {"hip"}},
    HidingVariable{"ROCR_VISIBLE_DEVICES", {"hip"}},
    HidingVariable{"GPU_DEVICE_ORDINAL", {"hip"}},
};

template <class Condition>
std::string set_variables(const Condition &wanted) {
    std::string text;
    for (const HidingVariable &hiding : known_hiding_variables)
        if (const char *const value = std::getenv(hiding.name); value && wanted(hiding))
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", hiding.name, escape_controls(value));
    return text;
}

} // namespace

std::string_view verdict_name(PluginVerdict verdict) {
    switch (verdict) {
    case PluginVerdict::loaded:
        return "loaded";
    case PluginVerdict::unavailable:
        return "unavailable";
    case PluginVerdict::refused:
        break;
    }
    return "refused";
}

namespace {

/// See find_backends and examine.
Result<std::vector<BackendCandidate>> examine_all(const std::vector<std::string> &folders, std::string_view wanted) {
    const std::vector<fs::path> paths = TRY(backend_folders(folders));
    const std::vector<fs::path> files = TRY(plugin_files(paths));
    std::vector<BackendCandidate> candidates;
    for (const fs::path &file : files)
        candidates.push_back(examine(file, candidates, wanted));
    return candidates;
}

/// The candidate of that name. The error says why that one cannot be used, or what there is in place of it.
Result<const BackendCandidate *> find_loaded(const std::vector<BackendCandidate> &candidates, std::string_view name,
                                             const std::vector<std::string> &folders) {
    auto found = std::ranges::find_if(candidates, [&](const BackendCandidate &candidate) {
        return candidate.plugin && candidate.plugin->name() == name;
    });
    if (found == candidates.end()) // one that was refused has no name but that of its file
        found = std::ranges::find_if(candidates, [&](const BackendCandidate &candidate) {
            return !candidate.plugin && candidate.file.filename() == plugin_file_name(name);
        });
    if (found == candidates.end()) {
        const std::vector<std::string> plugins = names_of(candidates);
        std::vector<std::string> backends(plugins);
        for (const std::string_view other : {auto_backend, cpu_backend, definition_backend})
            backends.emplace_back(other);
        return fail(ErrorCode::not_found,
                    fmt::format("backend {} was not found{}: no {}, {}; {}", name, did_you_mean(name, backends),
                                plugin_file_name(name), other_plugins(plugins), searched(folders)));
    }
    if (found->verdict != PluginVerdict::loaded)
        return fail(ErrorCode::unavailable,
                    fmt::format("backend {} cannot be used here: {}{}", name, found->reason, hidden_note(name)));
    return &*found;
}

} // namespace

Result<std::vector<BackendCandidate>> find_backends(const std::vector<std::string> &folders) {
    return examine_all(folders, {});
}

Result<BackendCandidate> find_backend(std::string_view name, const std::vector<std::string> &folders) {
    const std::vector<BackendCandidate> candidates = TRY(examine_all(folders, name));
    return *TRY(find_loaded(candidates, name, folders));
}

Result<Device> open_tested(const BackendCandidate &backend, int index) {
    return open_tested(backend.plugin, TRY(wanted_devices(backend, index)).front());
}

Result<BackendChoice> choose_backend(const BackendRequest &request) {
    if (runs_without_plugin(request.name)) {
        if (request.device)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{} has no device {}: leave the device out", request.name, *request.device));
        return BackendChoice{std::nullopt,
                             {},
                             request.name == cpu_backend ? "the CPU was asked for"
                                                         : "the definitions were asked for, on the CPU",
                             {}};
    }
    if (request.name != auto_backend)
        return choose_named(request);
    if (request.found)
        return choose_any(request, *request.found);
    return choose_any(request, TRY(find_backends(request.folders)));
}

std::string hiding_variables() {
    return set_variables([](const HidingVariable &) { return true; });
}

std::string hiding_variables_of(std::string_view backend) {
    return set_variables([&](const HidingVariable &hiding) { return std::ranges::count(hiding.readers, backend) > 0; });
}

} // namespace isovmaf
