// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/backends.hpp"
#include "isovmaf/result.hpp"

/// Several places to compute at once, as `isovmaf batch --devices` names them.
namespace isovmaf {

/// An entry of a list, as it was written.
struct DeviceWish {
    enum class Which : std::uint8_t {
        every_gpu, ///< "all": of the first backend that has a GPU
        every,     ///< "cuda:*"
        first,     ///< "cuda": the first that works; "cpu" and "cpu-ref"
        one,       ///< "cuda:1"
    };
    std::string backend = {}; ///< empty for "all"
    Which which = Which::first;
    int index = 0; ///< of one

    friend bool operator==(const DeviceWish &, const DeviceWish &) = default;
};

/// Reads a list with commas, such as "hip:0,hip:1,cpu". Fails when an entry is no entry or stands there twice, and when
/// there are others beside "all".
[[nodiscard]] Result<std::vector<DeviceWish>> parse_device_list(std::string_view text);

/// A place to compute.
struct ListedDevice {
    std::string backend;           ///< a plugin's name, "cpu" or "cpu-ref"
    std::optional<int> index = {}; ///< of the plugin's device; none without a plugin
    std::string name = {};         ///< of the device; empty without a plugin
    std::string pci_id = {};       ///< "0000:c1:00.0"; empty when the device has or tells none

    /// "hip:1"
    [[nodiscard]] std::string label() const;
};

struct ListedDevices {
    std::vector<ListedDevice> devices; ///< at least one
    std::string summary;               ///< one sentence: what was taken, and why
    std::vector<std::string> notices;  ///< a sentence each: devices that do not work where all of them were asked for
};

/// The GPUs of a backend, or, when it has none, its other devices, without opening one. "auto" is the first backend
/// that has a GPU, as for the entry "all" of a list. Fails when there is no device.
[[nodiscard]] Result<std::vector<ListedDevice>> find_devices(std::string_view backend,
                                                             const std::vector<std::string> &folders);

/// The same of backends that were found, for "auto".
[[nodiscard]] Result<std::vector<ListedDevice>> find_gpus(const std::vector<BackendCandidate> &found);

/// Opens and tests every device of the list, and closes it again. Devices are counted as the runtimes count them, among
/// those that variables such as CUDA_VISIBLE_DEVICES leave visible. "all" takes the devices of one backend, so that no
/// GPU is taken twice, and the CPU when there is no GPU. It skips a backend whose runtime ignores a visibility variable
/// that is set. A list fails when it names a device that is missing or does not work, and when it names one GPU through
/// two backends.
[[nodiscard]] Result<ListedDevices> choose_devices(std::string_view list, const std::vector<std::string> &folders);

} // namespace isovmaf
