// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/settings_lock.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/text.hpp"

namespace isovmaf::batch {

namespace {

bool is_held_elsewhere(int descriptor, SettingsLock::Mode mode) {
    return set_file_lock(descriptor, mode == SettingsLock::Mode::keep ? F_RDLCK : F_WRLCK, 0, 0) == EAGAIN;
}

} // namespace

Result<SettingsLock> SettingsLock::take(const std::filesystem::path &folder, Mode mode) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience{30}; // a lock is held for a few renames
    constexpr std::chrono::milliseconds between_tries{10};
    const std::filesystem::path path = folder / "run.lock";
    SettingsLock lock(retry([&] { return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); }));
    if (lock.descriptor_ == -1)
        return lock;
    for (const auto end = Clock::now() + patience; is_held_elsewhere(lock.descriptor_, mode);) {
        if (Clock::now() > end)
            return fail(ErrorCode::io,
                        fmt::format("another process has been writing results or settings into {} for {} s: end that "
                                    "process if it stands still, and run this command again",
                                    escape_controls(folder.string()), patience.count()));
        std::this_thread::sleep_for(between_tries);
    }
    return lock;
}

SettingsLock::~SettingsLock() {
    if (descriptor_ != -1)
        close(descriptor_);
}

} // namespace isovmaf::batch
