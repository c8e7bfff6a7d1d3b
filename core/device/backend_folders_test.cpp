// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/backend_folders.hpp"

#include <gmock/gmock.h>

#include "device/testing/plugin_folder.hpp"

namespace isovmaf {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PluginFolder;

/// The environment variable for one test.
class BackendFolders : public ::testing::Test {
  protected:
    BackendFolders() { unsetenv("ISOVMAF_BACKEND_DIR"); }
    ~BackendFolders() override { unsetenv("ISOVMAF_BACKEND_DIR"); }
    static void set(const std::string &value) { setenv("ISOVMAF_BACKEND_DIR", value.c_str(), 1); }

    PluginFolder a_, b_, c_;
};

TEST_F(BackendFolders, WhatIsGivenReplacesTheVariable) {
    set(c_.text());
    EXPECT_THAT(*backend_folders({b_.text(), a_.text()}), ElementsAre(b_.path(), a_.path()));
}

TEST_F(BackendFolders, TheVariableIsAListThatReplacesTheDefault) {
    set(b_.text() + ":" + a_.text());
    EXPECT_THAT(*backend_folders({}), ElementsAre(b_.path(), a_.path()));
    set(":" + c_.text() + "::");
    EXPECT_THAT(*backend_folders({}), ElementsAre(c_.path())) << "an empty item is not the current directory";
}

TEST_F(BackendFolders, AnEmptyVariableSaysNothing) {
    const auto without = *backend_folders({});
    set("");
    EXPECT_EQ(*backend_folders({}), without);
    set(":");
    EXPECT_EQ(*backend_folders({}), without);
}

TEST_F(BackendFolders, RelativeFoldersAreMadeAbsolute) {
    const fs::path before = fs::current_path();
    fs::current_path(a_.path());
    fs::create_directory("plugins");
    EXPECT_THAT(*backend_folders({"plugins"}), ElementsAre(a_.path() / "plugins"));
    fs::current_path(before);
}

TEST_F(BackendFolders, AFolderThatIsNotThereIsAnError) {
    const auto given = backend_folders({a_.text(), "/nonexistent/plugins"});
    ASSERT_FALSE(given);
    EXPECT_THAT(given.error().message, AllOf(HasSubstr("--backend-dir"), HasSubstr("/nonexistent/plugins")));
    set(a_.write("file", ""));
    const auto variable = backend_folders({});
    ASSERT_FALSE(variable);
    EXPECT_THAT(variable.error().message, AllOf(HasSubstr("ISOVMAF_BACKEND_DIR"), HasSubstr("is no folder")));
}

TEST_F(BackendFolders, TheDefaultIsNeverTheCurrentDirectory) {
    const fs::path before = fs::current_path();
    const auto elsewhere = *backend_folders({});
    fs::current_path(a_.path());
    EXPECT_EQ(*backend_folders({}), elsewhere);
    fs::current_path(before);
}

TEST_F(BackendFolders, InstalledPluginsBelongToTheProgramAndTheLibrary) {
    const fs::path binaries = a_.path() / "usr/bin", libraries = (binaries / ISOVMAF_BACKENDS_FROM_BINDIR / "../..");
    const fs::path plugins = libraries.lexically_normal() / "isovmaf/backends";
    fs::create_directories(binaries);
    EXPECT_THAT(default_backend_folders(binaries), IsEmpty());
    fs::create_directories(plugins);
    EXPECT_THAT(default_backend_folders(binaries), ElementsAre(plugins));
    EXPECT_THAT(default_backend_folders(libraries.lexically_normal()), ElementsAre(plugins));
}

TEST_F(BackendFolders, PluginsOfAPythonPackageLieBesideItsCode) {
    const fs::path package = a_.path() / "site-packages/isovmaf";
    fs::create_directories(package);
    EXPECT_THAT(default_backend_folders(package), IsEmpty());
    fs::create_directories(package / "backends");
    EXPECT_THAT(default_backend_folders(package), ElementsAre(package / "backends"));
}

TEST_F(BackendFolders, ABuildTreesPluginsBelongToItsPrograms) {
    for (const char *const folder : {"backends/hip", "backends/cuda", "tools/isovmaf", "core"})
        fs::create_directories(a_.path() / folder);
    EXPECT_THAT(default_backend_folders(a_.path() / "tools/isovmaf"), IsEmpty());
    fs::create_directories(a_.path() / "meson-private");
    const auto built = ElementsAre(a_.path() / "backends/cuda", a_.path() / "backends/hip");
    EXPECT_THAT(default_backend_folders(a_.path() / "tools/isovmaf"), built);
    EXPECT_THAT(default_backend_folders(a_.path() / "core"), built);
}

TEST_F(BackendFolders, ThisProgramFindsItsOwnBuildTree) {
    EXPECT_EQ(*backend_folders({}), default_backend_folders(fs::path(ISOVMAF_BUILD_ROOT) / "core"));
}

} // namespace
} // namespace isovmaf
