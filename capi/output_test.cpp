// SPDX-License-Identifier: BSD-2-Clause-Patent
// Reports of a context.
#include <cerrno>
#include <fstream>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/testing/temporary_folder.hpp"
#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::output_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::string text_of(const std::filesystem::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string written(const Client &client, VmafOutputFormat format) {
    const isovmaf::testing::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "report";
    EXPECT_EQ(vmaf_write_output(client, path.c_str(), format), 0);
    return text_of(path);
}

std::vector<std::string> metrics(const Json &object) {
    std::vector<std::string> names;
    for (const auto &[name, value] : object.items())
        names.push_back(name);
    return names;
}

TEST(Output, ColumnsAreInTheOrderOfLibvmaf) {
    for (const unsigned threads : {0u, 2u}) {
        const Client client({"motion", "psnr"}, threads);
        for (unsigned n = 0; n < 2; n++)
            ASSERT_EQ(client.read(n), 0);
        ASSERT_EQ(vmaf_import_feature_score(client, "mine", 1, 0), 0);
        ASSERT_EQ(client.flush(), 0);
        const Json json = Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON));
        EXPECT_EQ(json["version"], "3.2.0");
        EXPECT_GT(json["fps"], 0);
        const std::vector<std::string> psnr = {"psnr_y", "psnr_cb", "psnr_cr"};
        std::vector<std::string> expected = {"VMAF_integer_feature_motion_sad_score"};
        expected.insert(threads == 0 ? expected.end() : expected.begin(), psnr.begin(), psnr.end());
        for (const char *const name : {"mine", "integer_motion2", "integer_motion3"})
            expected.emplace_back(name);
        EXPECT_EQ(metrics(json["pooled_metrics"]), expected);
    }
}

TEST(Output, ModelsComeInTheOrderOfTheirFirstPrediction) {
    const Client client;
    const ClientModel first("first"), second("second"), unused("unused");
    for (VmafModel *const model :
         {static_cast<VmafModel *>(first), static_cast<VmafModel *>(second), static_cast<VmafModel *>(unused)})
        EXPECT_EQ(vmaf_use_features_from_model(client, model), 0);
    ASSERT_EQ(client.read(0, 0, medium), 0);
    ASSERT_EQ(client.flush(), 0);
    double score = 0;
    EXPECT_EQ(vmaf_score_pooled(client, second, VMAF_POOL_METHOD_MEAN, &score, 0, 0), 0);
    EXPECT_EQ(vmaf_score_pooled(client, first, VMAF_POOL_METHOD_MEAN, &score, 0, 0), 0);
    const Json json = Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON));
    std::vector<std::string> names = metrics(json["frames"][0]["metrics"]);
    ASSERT_GE(names.size(), 4u);
    EXPECT_EQ(std::vector(names.end() - 3, names.end()),
              (std::vector<std::string>{"integer_motion3", "second", "first"}));
}

TEST(Output, LeavesOutWhatIsMissing) {
    const Client client({"psnr"}, 0, 2);
    for (const unsigned n : {2u, 3u, 8u})
        ASSERT_EQ(client.read(n, 0), 0);
    ASSERT_EQ(vmaf_import_feature_score(client, "a<b", 0.5, 8), 0);
    ASSERT_EQ(vmaf_import_feature_score(client, "a<b", 0.5, 9), 0);
    ASSERT_EQ(client.flush(), 0);
    const Json json = Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON));
    ASSERT_EQ(json["frames"].size(), 2u);
    EXPECT_EQ(json["frames"][0]["frameNum"], 2);
    EXPECT_EQ(metrics(json["frames"][0]["metrics"]), (std::vector<std::string>{"psnr_y", "psnr_cb", "psnr_cr"}));
    EXPECT_EQ(json["frames"][1]["metrics"]["a<b"], 0.5);
    EXPECT_TRUE(json["pooled_metrics"]["psnr_y"].empty()); // frame 0 of 0 to 2 is missing
    EXPECT_THAT(written(client, VMAF_OUTPUT_FORMAT_CSV), HasSubstr(",,\n8,"));
    EXPECT_THAT(written(client, VMAF_OUTPUT_FORMAT_SUB), HasSubstr("{8}{9}frame: 8|psnr_y: "));
    const std::string xml = written(client, VMAF_OUTPUT_FORMAT_XML);
    EXPECT_THAT(xml, HasSubstr("<metric name=\"a&lt;b\" />"));
    EXPECT_THAT(xml, HasSubstr("qualityWidth=\"64\" qualityHeight=\"48\""));
}

TEST(Output, PoolsTheFramesThatWereAccepted) {
    const Client client({"psnr"});
    for (const unsigned n : {0u, 1u})
        ASSERT_EQ(client.read(n), 0);
    EXPECT_EQ(client.read(1), -EINVAL);
    EXPECT_EQ(client.read(2, 2, medium), -EINVAL);
    ASSERT_EQ(client.flush(), 0);
    const Json json = Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON));
    EXPECT_EQ(json["pooled_metrics"]["psnr_y"].size(), 4u);
}

TEST(Output, HasAggregates) {
    const Client client;
    VmafFeatureDictionary *options = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"), 0);
    EXPECT_EQ(vmaf_use_feature(client, "psnr", options), 0);
    ASSERT_EQ(client.read(0), 0);
    EXPECT_TRUE(Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON))["aggregate_metrics"].empty());
    ASSERT_EQ(client.flush(), 0);
    EXPECT_EQ(metrics(Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON))["aggregate_metrics"]),
              (std::vector<std::string>{"apsnr_y", "apsnr_cb", "apsnr_cr"}));
}

/// Pictures come without a frame rate: 25 is taken.
TEST(Output, HasTheAveragesOfXpsnr) {
    const auto aggregates = [](const char *rate) {
        const Client client;
        VmafFeatureDictionary *options = nullptr;
        if (rate && vmaf_feature_dictionary_set(&options, "frame_rate", rate) != 0)
            ADD_FAILURE() << rate;
        EXPECT_EQ(vmaf_use_feature(client, "xpsnr", options), 0);
        for (unsigned n = 0; n < 3; n++)
            EXPECT_EQ(client.read(n), 0);
        EXPECT_EQ(client.flush(), 0);
        return Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON))["aggregate_metrics"];
    };
    const Json found = aggregates(nullptr);
    EXPECT_EQ(metrics(found), (std::vector<std::string>{"axpsnr_y", "axpsnr_u", "axpsnr_v", "axpsnr_min"}));
    EXPECT_EQ(found, aggregates("25"));
    EXPECT_NE(found, aggregates("60"));
}

TEST(Output, IsValidWithoutPictures) {
    const Client client;
    ASSERT_EQ(vmaf_import_feature_score(client, "nan", std::numeric_limits<double>::quiet_NaN(), 1), 0);
    const Json json = Json::parse(written(client, VMAF_OUTPUT_FORMAT_JSON));
    EXPECT_EQ(json["fps"], 0);
    EXPECT_TRUE(json["frames"][0]["metrics"]["nan"].is_null());
    EXPECT_TRUE(json["pooled_metrics"]["nan"].empty());
    EXPECT_THAT(written(Client(), VMAF_OUTPUT_FORMAT_XML), HasSubstr("qualityWidth=\"0\" qualityHeight=\"0\""));
}

TEST(Output, ReplacesAnyFileButNotBeforeItIsSure) {
    const isovmaf::testing::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "notes";
    std::ofstream(path) << "not a report";
    const Client client({"psnr"});
    for (const unsigned format : {0u, 5u, 1000u})
        EXPECT_EQ(vmaf_write_output(client, path.c_str(), static_cast<VmafOutputFormat>(format)), -EINVAL);
    EXPECT_EQ(vmaf_write_output(nullptr, path.c_str(), VMAF_OUTPUT_FORMAT_CSV), -EINVAL);
    EXPECT_EQ(vmaf_write_output(client, nullptr, VMAF_OUTPUT_FORMAT_CSV), -EINVAL);
    EXPECT_EQ(text_of(path), "not a report");
    EXPECT_EQ(vmaf_write_output(client, path.c_str(), VMAF_OUTPUT_FORMAT_CSV), 0);
    EXPECT_EQ(text_of(path), "Frame,\n");
}

TEST(Output, GoesToDevicesAndFailsWhereItCannotBeWritten) {
    const isovmaf::testing::TemporaryFolder folder;
    const Client client({"psnr"});
    ASSERT_EQ(client.read(0), 0);
    EXPECT_EQ(vmaf_write_output(client, "/dev/null", VMAF_OUTPUT_FORMAT_XML), 0);
    EXPECT_EQ(vmaf_write_output(client, "/dev/full", VMAF_OUTPUT_FORMAT_XML), -EINVAL);
    EXPECT_EQ(vmaf_write_output(client, folder.path().c_str(), VMAF_OUTPUT_FORMAT_XML), -EINVAL);
    EXPECT_EQ(vmaf_write_output(client, (folder.path() / "none/report").c_str(), VMAF_OUTPUT_FORMAT_XML), -EINVAL);
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(vmaf_write_output(client, "/dev/stdout", VMAF_OUTPUT_FORMAT_SUB), 0);
    EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("{0}{1}frame: 0|psnr_y: "));
}

} // namespace
} // namespace isovmaf::capi::testing::output_test
