// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace isovmaf::testing {

/// A folder for a test's plugins, gone with the object.
class PluginFolder {
  public:
    PluginFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "isovmaf-test-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw std::runtime_error("cannot make a folder like " + pattern);
        path_ = std::filesystem::canonical(pattern);
    }
    PluginFolder(const PluginFolder &) = delete;
    PluginFolder &operator=(const PluginFolder &) = delete;
    ~PluginFolder() { std::filesystem::remove_all(path_); }

    /// Puts the plugin that the build made as fake_NAME.so here as libvmaf_NAME.so.
    std::filesystem::path add(const std::string &name) const { return add(name, "libvmaf_" + name + ".so"); }
    std::filesystem::path add(const std::string &name, const std::string &file) const {
        std::filesystem::copy_file(std::filesystem::path(ISOVMAF_FAKE_BACKENDS) / ("fake_" + name + ".so"),
                                   path_ / file);
        return path_ / file;
    }

    std::filesystem::path write(const std::string &file, const std::string &content) const {
        std::ofstream(path_ / file) << content;
        return path_ / file;
    }

    [[nodiscard]] const std::filesystem::path &path() const { return path_; }
    [[nodiscard]] std::string text() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

} // namespace isovmaf::testing
