// SPDX-License-Identifier: BSD-2-Clause-Patent
// The order of the places. What is opened in them: verdict_test.py.
#include "hip/rocm_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "base/testing/variable.hpp"

namespace isovmaf::gpu {
namespace {

using ::testing::ElementsAre;
using testing::TemporaryFolder;
using testing::Variable;

class RuntimePlaces : public ::testing::Test {
  protected:
    std::vector<std::string> places() {
        std::vector<std::string> texts;
        for (const RuntimePlace &place : runtime_places(rocm_.path()))
            texts.push_back(place.kind == RuntimePlace::Kind::loaded   ? "loaded"
                            : place.kind == RuntimePlace::Kind::linker ? "linker"
                                                                       : place.folder.string());
        return texts;
    }

    Variable path_{"ROCM_PATH", nullptr}, home_{"ROCM_HOME", nullptr}, fallback_{"ISOVMAF_ROCM_FALLBACK", nullptr};
    TemporaryFolder rocm_;
};

TEST_F(RuntimePlaces, WithoutVariablesTheUsualFoldersFollowTheLinkers) {
    EXPECT_THAT(places(), ElementsAre("loaded", "linker", rocm_.path() / "lib"));
    const Variable empty("ROCM_PATH", "");
    EXPECT_THAT(places(), ElementsAre("loaded", "linker", rocm_.path() / "lib")) << "an empty variable names nothing";
}

TEST_F(RuntimePlaces, VariablesComeFirstAndTheFallbackLast) {
    const Variable path("ROCM_PATH", "/one"), home("ROCM_HOME", "/two"), fallback("ISOVMAF_ROCM_FALLBACK", "/three");
    EXPECT_THAT(places(), ElementsAre("loaded", "/one/lib", "/two/lib", "linker", rocm_.path() / "lib", "/three/lib"));
}

TEST_F(RuntimePlaces, NewerVersionsComeBeforeOlderOnes) {
    for (const char *const name :
         {"core-7.14", "core-10.2", "core-10.10", "core-9", "core-10", "core-next", "lib", "llvm"})
        std::filesystem::create_directory(rocm_.path() / name);
    const auto lib = [&](const char *name) { return (rocm_.path() / name / "lib").string(); };
    EXPECT_THAT(places(), ElementsAre("loaded", "linker", rocm_.path() / "lib", lib("core-10.10"), lib("core-10.2"),
                                      lib("core-10"), lib("core-9"), lib("core-7.14"), lib("core-next")));
}

} // namespace
} // namespace isovmaf::gpu
