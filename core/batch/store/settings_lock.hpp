// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// While it exists, no other process does the opposite with the settings of a run folder: either processes keep them as
/// they are, any number at a time, or one process changes them. It is a lock of the file run.lock in the folder, which
/// the kernel frees when the process ends, however it ends. Where the file system has no locks, and where the file
/// cannot be opened, it locks nothing.
class SettingsLock {
  public:
    enum class Mode : std::uint8_t { keep, change };

    /// Waits for other processes; fails when one of them does not go on.
    [[nodiscard]] static Result<SettingsLock> take(const std::filesystem::path &folder, Mode mode);
    ~SettingsLock();
    SettingsLock(SettingsLock &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    SettingsLock &operator=(SettingsLock &&) = delete;

  private:
    explicit SettingsLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_;
};

} // namespace isovmaf::batch
