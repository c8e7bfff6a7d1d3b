// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/settings_lock.hpp"

#include <filesystem>
#include <future>
#include <optional>

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::settings_lock_test {
namespace {

using batch::SettingsLock;

/// Takes the lock beside what holds it now. Locks of one process exclude each other as those of several do.
std::future<Result<SettingsLock>> take_beside(const TemporaryFolder &folder, SettingsLock::Mode mode) {
    return std::async(std::launch::async, [&folder, mode] { return SettingsLock::take(folder.path(), mode); });
}

bool waits(const std::future<Result<SettingsLock>> &lock) {
    return lock.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout;
}

TEST(SettingsLock, ManyKeepAndOneChanges) {
    const TemporaryFolder folder;
    std::optional first = *SettingsLock::take(folder.path(), SettingsLock::Mode::keep);
    std::optional second = *SettingsLock::take(folder.path(), SettingsLock::Mode::keep);
    auto change = take_beside(folder, SettingsLock::Mode::change);
    EXPECT_TRUE(waits(change));
    first.reset();
    EXPECT_TRUE(waits(change));
    second.reset();
    std::optional changing = *change.get();
    for (const auto mode : {SettingsLock::Mode::keep, SettingsLock::Mode::change}) {
        auto next = take_beside(folder, mode);
        EXPECT_TRUE(waits(next));
        changing.reset();
        changing.emplace(*next.get());
    }
}

/// What the caller does next fails by itself there, as it needs the folder.
TEST(SettingsLock, WithoutAFolderItLocksNothingAndMakesNone) {
    const TemporaryFolder folder;
    EXPECT_TRUE(SettingsLock::take(folder.path() / "gone", SettingsLock::Mode::change));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "gone"));
}

} // namespace
} // namespace isovmaf::testing::settings_lock_test
