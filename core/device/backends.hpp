// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/plugin.hpp"
#include "isovmaf/result.hpp"

/// Environment variables by which users and schedulers hide devices from runtimes. A runtime counts the devices that
/// are left from 0.

/// Which backend plugins there are, and which device of them is used.
namespace isovmaf {

/// Whether a plugin file can be used.
enum class PluginVerdict : std::uint8_t {
    loaded,      ///< it has devices
    unavailable, ///< the plugin is in order, but there is no runtime, driver or device for it
    refused,     ///< the file is no plugin of this isovmaf
};

/// A file that by its name is a plugin.
struct BackendCandidate {
    std::filesystem::path file;
    PluginVerdict verdict = PluginVerdict::refused;
    std::string reason;                   ///< one sentence: why not, or what it found
    std::shared_ptr<const Plugin> plugin; ///< unless refused
    isovmaf_runtime_info runtime{};       ///< when loaded
};

/// What find_backends found, for several who choose among it.
using FoundBackends = std::shared_ptr<const std::vector<BackendCandidate>>;

/// Every file libvmaf_*.so of the folders in use (backend_folders), sorted by name, each with its verdict. Of two
/// plugins that call themselves the same, the one in the earlier folder is taken. Fails on a folder that is not there.
[[nodiscard]] Result<std::vector<BackendCandidate>> find_backends(const std::vector<std::string> &folders);

struct BackendRequest {
    std::string name = "auto";        ///< of a plugin, or one of backend_names.hpp
    std::optional<int> device;        ///< default: the first that passes its self-test
    std::vector<std::string> folders; ///< in place of the default ones
    FoundBackends found = {};         ///< in these folders, for "auto"; null: they are looked for
};

struct BackendChoice {
    std::optional<Device> device;   ///< none: the CPU
    isovmaf_runtime_info runtime{}; ///< what the plugin of the device uses
    std::string reason;             ///< one sentence: what was taken, and why
    /// A sentence about plugins that were refused and GPUs that do not work, when the choice passed over any. Plugins
    /// without a runtime or device, and devices that are CPUs, are no reason for it.
    std::vector<std::string> notices;
};

/// Opens the device that was asked for and tests it, or fails. "auto" takes the first device of the first plugin in the
/// order of find_backends that passes and is no CPU, else the CPU; with a device number it fails where no device has
/// it.
[[nodiscard]] Result<BackendChoice> choose_backend(const BackendRequest &request);

/// The candidate of that name in the folders. Fails when there is none and when it cannot be used: the error says what
/// was found. Else no runtime of another backend is started, as that may take longer than the backend itself.
[[nodiscard]] Result<BackendCandidate> find_backend(std::string_view name, const std::vector<std::string> &folders);

/// Opens the device of a loaded backend that has this number, and tests it.
[[nodiscard]] Result<Device> open_tested(const BackendCandidate &backend, int index);

/// The word for a verdict: "loaded", "unavailable" or "refused".
[[nodiscard]] std::string_view verdict_name(PluginVerdict verdict);

/// The environment variables that hide devices from runtimes and are set, as "CUDA_VISIBLE_DEVICES=0,1", with commas
/// between them; empty when none is set. A runtime counts the devices that are left from 0.
[[nodiscard]] std::string hiding_variables();

/// The same, only those that the runtime of a backend reads.
[[nodiscard]] std::string hiding_variables_of(std::string_view backend);

} // namespace isovmaf
