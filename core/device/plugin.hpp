// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "isovmaf/backend.h"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A backend plugin whose contract is this core's. Its code stays in the process for as long as the process lives.
class Plugin {
  public:
    /// Opens a file. Fails with what is wrong with it: not loadable, not a backend, or built for another contract.
    [[nodiscard]] static Result<std::shared_ptr<const Plugin>> open(const std::filesystem::path &path);

    /// The software below the plugin and how many devices it sees; at least one. Fails with what is missing.
    [[nodiscard]] Result<isovmaf_runtime_info> probe() const;

    /// A device that the probe counted.
    [[nodiscard]] Result<isovmaf_device_info> describe(std::uint32_t index) const;

    [[nodiscard]] const isovmaf_backend &backend() const { return *backend_; }
    [[nodiscard]] std::string name() const { return backend_->name; }
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

  private:
    Plugin(std::filesystem::path path, const isovmaf_backend *backend) : path_(std::move(path)), backend_(backend) {}

    std::filesystem::path path_;
    const isovmaf_backend *backend_;
};

} // namespace isovmaf
