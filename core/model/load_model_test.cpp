// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "model/builtin.hpp"
#include "model/model.hpp"
#include "model/testing/model_text.hpp"

namespace isovmaf {
namespace {

using testing::Contains;
using testing::HasSubstr;

class LoadModel : public testing::Test {
  protected:
    LoadModel() : folder_(testing::TempDir() + "isovmaf_load_model_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(folder_);
    }
    ~LoadModel() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string &name, const std::string &text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }

    std::filesystem::path folder_;
};

void expect_error(const Result<std::unique_ptr<Model>> &model, ErrorCode code, const std::string &message) {
    ASSERT_FALSE(model) << message;
    EXPECT_EQ(model.error().code, code);
    EXPECT_THAT(model.error().message, HasSubstr(message));
}

TEST_F(LoadModel, EveryBuiltInModelLoads) {
    ASSERT_EQ(builtin_model_versions().size(), builtin_models().size());
    EXPECT_THAT(builtin_model_versions(), Contains(std::string_view(ModelRequest{}.version)));
    for (const std::string_view version : builtin_model_versions()) {
        const auto model = load_model({.version = std::string(version)});
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_EQ((*model)->origin(), "built in: " + std::string(version));
        EXPECT_EQ((*model)->inputs().size(), version.starts_with("vmaf_v1") ? 4u : 6u);
        EXPECT_EQ((*model)->outputs().size(), version == "vmaf_b_v0.6.3" ? 25u : 1u);
    }
}

TEST_F(LoadModel, VersionsAreFoundInFolders) {
    const std::string path = write("mine.json", small_model().dump());
    const std::vector<std::string> folders{folder_.string() + "/none", folder_.string()};
    const auto model = load_model({.version = "mine"}, folders);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->origin(), path);
}

TEST_F(LoadModel, AnUnknownVersionListsWhatThereIs) {
    const std::vector<std::string> folders{"/first", "/second"};
    expect_error(load_model({.version = "vmaf_v9"}, folders), ErrorCode::not_found,
                 "there is no model \"vmaf_v9\": the built-in ones are vmaf_v0.6.1, vmaf_v0.6.1neg, vmaf_4k_v0.6.1, "
                 "vmaf_4k_v0.6.1neg, vmaf_b_v0.6.3, vmaf_v1.0.16_3d0h, vmaf_v1.0.16_hfr_3d0h, vmaf_v1.0.16_5d0h, "
                 "vmaf_v1.0.16_hfr_5d0h, vmaf_v1.0.16_3d0h_2160, vmaf_v1.0.16_hfr_3d0h_2160, vmaf_v1.0.16_1d5h_2160, "
                 "vmaf_v1.0.16_hfr_1d5h_2160, and the folders searched are /first, /second");
    expect_error(load_model({.version = "vmaf_v0.61"}), ErrorCode::not_found,
                 "there is no model \"vmaf_v0.61\" (did you mean vmaf_v0.6.1?): the built-in ones are");
    expect_error(load_model({.version = "vmaf_v9"}), ErrorCode::not_found, "no model folder is set");
    expect_error(load_model({.version = ""}, folders), ErrorCode::not_found, "there is no model \"\"");
    expect_error(load_model({.version = "../x"}, folders), ErrorCode::invalid_argument, "ask for it with path=");
}

TEST_F(LoadModel, FilesThatCannotBeReadAreToldApart) {
    expect_error(load_model({.path = "/nowhere/x.json"}), ErrorCode::not_found,
                 "cannot load model /nowhere/x.json: there is no such file");
    expect_error(load_model({.path = folder_.string()}), ErrorCode::io, "it is a directory");
    expect_error(load_model({.path = write("empty.json", "")}), ErrorCode::corrupt_data, "the file is empty");
    expect_error(load_model({.path = write("text.json", "hello")}), ErrorCode::corrupt_data, "it is no JSON");

    const std::string large = write("large.json", "{}");
    std::filesystem::resize_file(large, (64u << 20) + 1);
    expect_error(load_model({.path = large}), ErrorCode::unsupported, "it is larger than 64 MiB");
}

} // namespace
} // namespace isovmaf
