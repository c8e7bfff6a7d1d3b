// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gmock/gmock.h>

#include "model/model.hpp"
#include "model/svm_text.hpp"
#include "model/testing/model_text.hpp"

namespace isovmaf {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_refused(const std::string &text, const std::string &message) {
    const auto model = parse_model(text, {}, "bad.json");
    ASSERT_FALSE(model) << message;
    EXPECT_THAT(model.error().message,
                AllOf(StartsWith("cannot load model bad.json: "), HasSubstr(message), Not(HasSubstr("\n"))));
}

struct Change {
    const char *place;       ///< JSON pointer below model_dict
    const char *replacement; ///< JSON text; empty removes the value
    const char *message;
};

json changed(const Change &change) {
    json model = small_model();
    const json::json_pointer place(std::string("/model_dict") + change.place);
    if (*change.replacement != '\0')
        model[place] = json::parse(change.replacement);
    else
        model[place.parent_pointer()].erase(place.back());
    return model;
}

const Change changes[] = {
    {"/model_type", "", "model_dict lacks the key \"model_type\""},
    {"/model_type", "3", "model_dict.model_type must be a string, but is 3"},
    {"/model_type", R"("LIBSVMSVC")",
     "must be LIBSVMNUSVR or BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR, "
     "but is \"LIBSVMSVC\""},
    {"/norm_type", "", "model_dict lacks the key \"norm_type\""},
    {"/norm_type", R"("clip_0to1")", "model_dict.norm_type must be linear_rescale or none"},
    {"/feature_names", "", "model_dict lacks the key \"feature_names\""},
    {"/feature_names", "[]", "must be an array of 1 to 64 names, but is an array of 0"},
    {"/feature_names", "{}", "model_dict.feature_names must be an array, but is an object"},
    {"/feature_names/1", "null", "model_dict.feature_names[1] must be a string, but is null"},
    {"/feature_names/1", R"("")", "model_dict.feature_names[1] must be a feature's name"},
    {"/feature_opts_dicts", "[{}]", "must be an array of 2, one entry for each feature, but is an array of 1"},
    {"/feature_opts_dicts", "7", "model_dict.feature_opts_dicts must be an array, but is 7"},
    {"/feature_opts_dicts/0", "[]", "model_dict.feature_opts_dicts[0] must be an object, but is an array of 0"},
    {"/feature_opts_dicts/0/debug", "null",
     "model_dict.feature_opts_dicts[0].debug must be a number, true, false or a short string, but is null"},
    {"/feature_opts_dicts/0/debug", R"("a\nb")", "[0].debug must be a number, true, false or a short string"},
    {"/feature_opts_dicts/0", R"({"a\nb": 1})",
     "model_dict.feature_opts_dicts[0].a text of 3 bytes is no option's name"},
    {"/feature_names/1", R"("a\nb")", "model_dict.feature_names[1] must be a feature's name, but is a text of 3 bytes"},
    {"/slopes", "", "model_dict lacks the key \"slopes\""},
    {"/slopes", "[1, 2]", "must be an array of 3, one number for the score and one for each feature"},
    {"/slopes/2", R"("x")", "model_dict.slopes[2] must be a number, but is \"x\""},
    {"/slopes/0", "0", "model_dict.slopes[0] must not be 0"},
    {"/intercepts", "", "model_dict lacks the key \"intercepts\""},
    {"/intercepts", "[1, 2, 3, 4]", "must be an array of 3"},
    {"/score_clip", "null", "model_dict.score_clip must be an array, but is null"},
    {"/score_clip", "[0]", "model_dict.score_clip must be an array of a lower and an upper limit"},
    {"/score_clip", "[100, 0]", "model_dict.score_clip must be an array of a lower and an upper limit"},
    {"/score_clip/1", "true", "model_dict.score_clip[1] must be a number, but is true"},
    {"/score_transform", "null", "model_dict.score_transform must be an object, but is null"},
    {"/score_transform/enabled", R"("true")", "model_dict.score_transform.enabled must be true or false"},
    {"/score_transform/p1", "[]", "model_dict.score_transform.p1 must be a number or null, but is an array of 0"},
    {"/score_transform/out_gte_in", "true", "model_dict.score_transform.out_gte_in must be a string, but is true"},
    {"/score_transform/knots", "[[0, 0]]", "null or an array of 2 to 10 knots, but is an array of 1"},
    {"/score_transform/knots", "[0,1,2,3,4,5,6,7,8,9,10]", "but is an array of 11"},
    {"/score_transform/knots", "[[0, 0], [1]]", "model_dict.score_transform.knots[1] must be an array [x, y]"},
    {"/score_transform/knots", "[[0, 0], 1]", "model_dict.score_transform.knots[1] must be an array, but is 1"},
    {"/score_transform/knots", "[[0, 0], [0, 1]]", "knots[1] is [0, 1] after [0, 0], but x has to rise"},
    {"/score_transform/knots", "[[0, 2], [1, 1]]", "knots[1] is [1, 1] after [0, 2], but x has to rise"},
    {"/chroma_correction_parameter", R"("x")", "model_dict.chroma_correction_parameter must be a number"},
    {"/chroma_correction_parameter", "120", "needs exactly one feature with adm3 in its name, but there are 0"},
    {"/model", "", "model_dict lacks the key \"model\""},
    {"/model", "{}", "model_dict.model must be a string, but is an object"},
    {"/model", R"("svm_type c_svc SV")", "model_dict.model: svm_type \"c_svc\" is not supported"},
};

TEST(BadModel, EachWrongValueIsNamedWithItsPlace) {
    ASSERT_TRUE(parse_model(small_model().dump(), {}, "good.json"));
    for (const Change &change : changes)
        expect_refused(changed(change).dump(), change.message);
}

TEST(BadModel, MembersOfCollectionsAreNamedToo) {
    const std::pair<const char *, const char *> mistakes[] = {
        {R"([{"op": "remove", "path": "/2/model_dict"}])", "2 lacks the key \"model_dict\""},
        {R"([{"op": "replace", "path": "/2/model_dict/slopes/1", "value": []}])", "2.model_dict.slopes[1] must be"},
        {R"([{"op": "replace", "path": "/0/model_dict/model_type", "value": "LIBSVMNUSVR"}])",
         "0 has the type LIBSVMNUSVR, which cannot be part of a collection"},
        {R"([{"op": "replace", "path": "/1/model_dict/model_type", "value": "RESIDUEBOOTSTRAP_LIBSVMNUSVR"}])",
         "1 has the type RESIDUEBOOTSTRAP_LIBSVMNUSVR, but model 0 of the file has BOOTSTRAP_LIBSVMNUSVR"},
        {R"([{"op": "replace", "path": "/1/model_dict/feature_names/0", "value": "x"}])", "1 does not read the same"},
        {R"([{"op": "replace", "path": "/1/model_dict/feature_opts_dicts/0/debug", "value": false}])",
         "1 does not read the same"},
        {R"([{"op": "remove", "path": "/1"}, {"op": "remove", "path": "/2"}])", "it has only model 0"},
        {R"([{"op": "remove", "path": "/1"}])", "it has only model 0"},
        {R"([{"op": "move", "from": "/2", "path": "/7"}])", "has the model 7, but not the model 2"},
    };
    ASSERT_TRUE(parse_model(small_collection(2).dump(), {}, "good.json"));
    for (const auto &[patch, message] : mistakes)
        expect_refused(small_collection(2).patch(json::parse(patch)).dump(), message);
}

TEST(BadModel, TextThatIsNoUsableJson) {
    const std::string good = small_model().dump();
    expect_refused("", "it ends in the middle");
    expect_refused(good.substr(0, good.size() / 2), "it ends in the middle");
    expect_refused(good.substr(0, good.size() - 1), "it ends in the middle");
    expect_refused(good + "x", "it is no JSON: at byte");
    expect_refused("NaN", "it is no JSON: at byte");
    expect_refused(std::string("\0\1", 2), "it is no JSON: at byte");
    expect_refused("\"\xff\"", "it is no JSON: at byte");
    expect_refused(R"({"model_dict": {"slopes": [1e999]}})", "the number \"1e999\" is too large");
    expect_refused(R"({"model_dict": {"slopes": [1e-999]}})", "the number \"1e-999\" is too small or too large");
    expect_refused(R"({"model_dict": {}, "model_dict": {}})", "the key \"model_dict\" stands twice in one object");
    expect_refused("[1]", "the file must be an object, but is an array of 1");
    expect_refused("{}", "the file lacks the key \"model_dict\" of a model, and \"0\" of a collection");
}

TEST(BadModel, TextThatAsksForTooMuch) {
    expect_refused(std::string(1'000'000, '['), "it nests deeper than 32 levels");
    std::string deep_key;
    for (int i = 0; i < 100; i++)
        deep_key += R"({"a":)";
    expect_refused(deep_key, "it nests deeper than 32 levels");
    std::string many = "[0";
    for (int i = 0; i < 1'000'000; i++)
        many += ",0";
    expect_refused(many + "]", "it holds more than 1000000 values");

    json wide = small_model();
    wide["model_dict"]["feature_names"] = std::vector<std::string>(65, "x");
    expect_refused(wide.dump(), "must be an array of 1 to 64 names, but is an array of 65");
}

TEST(BadModel, CollectionsShareOneLimitOfSupportVectors) {
    std::string text = "svm_type nu_svr kernel_type rbf gamma 1 nr_class 2 rho 0 total_sv 40000\nSV\n";
    for (int i = 0; i < 40'000; i++)
        text += "1\n";
    json file = small_collection(1);
    file["0"]["model_dict"]["model"] = text;
    ASSERT_TRUE(parse_model(file.dump(), {}, "good.json"));
    file["1"]["model_dict"]["model"] = text;
    expect_refused(file.dump(), "1: the model file has more than 65536 support vectors up to this model");
}

TEST(BadModel, ChromaCorrectionDividesByItsSlopes) {
    json model = small_model();
    model["model_dict"]["feature_names"] = {"a_adm3", "a_speed_chroma"};
    model["model_dict"]["chroma_correction_parameter"] = 120;
    ASSERT_TRUE(parse_model(model.dump(), {}, "good.json"));
    model["model_dict"]["slopes"][2] = 0;
    expect_refused(model.dump(), "model_dict.slopes[2] must not be 0");
    model["model_dict"]["feature_names"] = {"a_adm3_speed_chroma", "b_adm3"};
    expect_refused(model.dump(), "exactly one feature with adm3 in its name, but there are 2");
}

} // namespace
} // namespace isovmaf
