// SPDX-License-Identifier: BSD-2-Clause-Patent
// Clients that round otherwise, drop subnormal numbers or trap floating-point exceptions.
#include <bit>
#include <cstdint>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "base/testing/hostile_environments.hpp"
#include "base/testing/temporary_folder.hpp"
#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::hostile_client_test {
namespace {

using isovmaf::testing::hostile_environments;
using isovmaf::testing::HostileEnvironment;
using isovmaf::testing::use_in;

constexpr unsigned frames = 4;

/// Everything that the interface says: scores as bits, reports.
struct Everything {
    std::vector<std::uint64_t> scores;
    std::vector<std::string> reports;

    bool operator==(const Everything &) const = default;
};

void add(Everything &all, double score) { all.scores.push_back(std::bit_cast<std::uint64_t>(score)); }

void add(Everything &all, const VmafModelCollectionScore &score) {
    for (const double value :
         {score.bootstrap.bagging_score, score.bootstrap.stddev, score.bootstrap.ci.p95.lo, score.bootstrap.ci.p95.hi})
        add(all, value);
}

/// The report in `path` without the frames per second.
std::string report_in(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return std::regex_replace(text.str(), std::regex("(fps\"?[:=] ?\"?)[0-9.]+"), "$1");
}

/// Uses every function that computes, reads or prints numbers; each call runs as `call` runs it.
template <class Call>
Everything use_interface(unsigned threads, const Call &call) {
    Everything all;
    const auto succeed = [&](const auto &function) { EXPECT_EQ(call(function), 0); };
    VmafContext *context = nullptr;
    VmafModel *model = nullptr, *mean = nullptr;
    VmafModelCollection *collection = nullptr;
    VmafModelConfig config{nullptr, 0}, members{"members", 0};
    VmafFeatureDictionary *options = nullptr, *overloads = nullptr;
    succeed([&] { return vmaf_init(&context, {VMAF_LOG_LEVEL_NONE, threads, 1, 0, 0}); });
    succeed([&] { return vmaf_model_load(&model, &config, "vmaf_v0.6.1"); });
    succeed([&] { return vmaf_model_collection_load(&mean, &collection, &members, "vmaf_b_v0.6.3"); });
    succeed([&] { return vmaf_feature_dictionary_set(&overloads, "vif_enhn_gain_limit", "1.3"); });
    succeed([&] { return vmaf_model_feature_overload(model, "vif", overloads); });
    succeed([&] { return vmaf_feature_dictionary_set(&options, "adm_enhn_gain_limit", "1.1"); });
    succeed([&] { return vmaf_use_feature(context, "adm", options); });
    succeed([&] { return vmaf_use_feature(context, "psnr", nullptr); });
    succeed([&] { return vmaf_use_features_from_model(context, model); });
    succeed([&] { return vmaf_use_features_from_model_collection(context, collection); });
    for (unsigned n = 0; n < frames; n++) {
        auto [reference, distorted] = pictures(n, medium);
        succeed([&, pair = std::pair(&reference, &distorted)] {
            return vmaf_read_pictures(context, pair.first, pair.second, n);
        });
        const double own_score = 1.0 / (n + 3);
        succeed([&] { return vmaf_import_feature_score(context, "mine", own_score, n); });
    }
    succeed([&] { return vmaf_read_pictures(context, nullptr, nullptr, 0); });

    double score = 0;
    VmafModelCollectionScore scores{};
    for (unsigned n = 0; n < frames; n++) {
        succeed([&] { return vmaf_score_at_index(context, model, &score, n); });
        add(all, score);
        succeed([&] { return vmaf_feature_score_at_index(context, "psnr_y", &score, n); });
        add(all, score);
        succeed([&] { return vmaf_score_at_index_model_collection(context, collection, &scores, n); });
        add(all, scores);
    }
    for (const VmafPoolingMethod method : {VMAF_POOL_METHOD_MEAN, VMAF_POOL_METHOD_HARMONIC_MEAN}) {
        succeed([&] { return vmaf_score_pooled(context, model, method, &score, 0, frames - 1); });
        add(all, score);
        succeed([&] { return vmaf_feature_score_pooled(context, "mine", method, &score, 0, frames - 1); });
        add(all, score);
        succeed(
            [&] { return vmaf_score_pooled_model_collection(context, collection, method, &scores, 0, frames - 1); });
        add(all, scores);
    }
    const isovmaf::testing::TemporaryFolder folder;
    const std::string path = (folder.path() / "report").string();
    for (const VmafOutputFormat format :
         {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV, VMAF_OUTPUT_FORMAT_SUB}) {
        succeed([&] { return vmaf_write_output(context, path.c_str(), format); });
        all.reports.push_back(report_in(path));
    }
    succeed([&] { return vmaf_close(context); });
    vmaf_model_destroy(model);
    vmaf_model_destroy(mean);
    vmaf_model_collection_destroy(collection);
    return all;
}

TEST(HostileClient, GetsTheSameBitsAndKeepsItsEnvironment) {
    for (const unsigned threads : {0u, 2u}) {
        const Everything expected = use_interface(threads, [](const auto &function) { return function(); });
        for (const HostileEnvironment &environment : hostile_environments()) {
            const Everything found =
                use_interface(threads, [&](const auto &function) { return use_in(environment, function); });
            EXPECT_EQ(found.scores, expected.scores) << environment.name;
            EXPECT_EQ(found.reports, expected.reports) << environment.name;
        }
    }
}

} // namespace
} // namespace isovmaf::capi::testing::hostile_client_test
