// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing {

/// A folder for a test's plugins.
class PluginFolder : public TemporaryFolder {
  public:
    /// Puts the plugin that the build made as fake_NAME.so here as libvmaf_NAME.so.
    std::filesystem::path add(const std::string &name) const { return add(name, "libvmaf_" + name + ".so"); }
    std::filesystem::path add(const std::string &name, const std::string &file) const {
        std::filesystem::copy_file(std::filesystem::path(ISOVMAF_FAKE_BACKENDS) / ("fake_" + name + ".so"),
                                   path() / file);
        return path() / file;
    }

    [[nodiscard]] std::string text() const { return path().string(); }
};

} // namespace isovmaf::testing
