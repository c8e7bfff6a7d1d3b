// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/try.hpp"
#include "model/json_value.hpp"
#include "model/model_dict.hpp"
#include "model/svm_text.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view single_type = "LIBSVMNUSVR";

Result<ModelDescription> read_model(const JsonValue &model) {
    const JsonValue dict = TRY(model.at("model_dict"));
    return read_model_dict(dict);
}

Result<ModelFile> read_single(const JsonValue &top) {
    ModelDescription model = TRY(read_model(top));
    ModelFile file;
    file.models.push_back(std::move(model));
    return file;
}

bool same_inputs(const ModelDescription &a, const ModelDescription &b) {
    return std::ranges::equal(a.inputs, b.inputs, [](const ModelInput &x, const ModelInput &y) {
        return x.base_name == y.base_name && x.options == y.options;
    });
}

/// Fails unless a member has the type and the inputs of the first model, and the file stays within its limits.
Result<void> check_member(const ModelFile &file, const ModelDescription &member, const std::string &path,
                          std::size_t vectors) {
    const ModelDescription &first = file.models.empty() ? member : file.models.front();
    if (member.type == single_type)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} has the type {}, which cannot be part of a collection", path, member.type));
    if (member.type != first.type)
        return fail(ErrorCode::mismatch,
                    fmt::format("{} has the type {}, but model 0 of the file has {}", path, member.type, first.type));
    if (!same_inputs(member, first))
        return fail(
            ErrorCode::mismatch,
            fmt::format("{} does not read the same features with the same options as model 0 of the file", path));
    if (vectors > max_support_vectors)
        return fail(ErrorCode::unsupported,
                    fmt::format("{}: the model file has more than {} support vectors up to this model", path,
                                max_support_vectors));
    return {};
}

/// Fails when a key is a number beyond those of the models read, because a model is missing before it. Keys that are
/// not numbers are ignored, as in files of single models.
Result<void> check_keys(const JsonValue &top, std::size_t members) {
    const auto entries = TRY(top.members());
    for (const auto &[key, value] : entries)
        if (const auto number = parse_integer(key); number && (*number < 0 || std::cmp_greater_equal(*number, members)))
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} has the model {}, but not the model {}", top.path(), key, members));
    return {};
}

Result<ModelFile> read_collection(const JsonValue &top) {
    ModelFile file{true, {}};
    std::size_t vectors = 0;
    for (;;) {
        const std::optional<JsonValue> value = TRY(top.find(std::to_string(file.models.size())));
        if (!value)
            break;
        if (file.models.size() > max_members)
            return fail(ErrorCode::unsupported, fmt::format("{} has more than {} members", top.path(), max_members));
        ModelDescription model = TRY(read_model(*value));
        vectors += model.predictor.svr.coefficients.size();
        TRY(check_member(file, model, value->path(), vectors));
        file.models.push_back(std::move(model));
    }
    if (file.models.size() < 2)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} is a collection without members: it has only model 0", top.path()));
    return check_keys(top, file.models.size()).map([&] { return std::move(file); });
}

} // namespace

Result<ModelFile> parse_model_file(std::string_view text, const std::string &origin) {
    const nlohmann::json document = TRY(parse_json(text, origin));
    const JsonValue top(document, origin);
    if (!document.is_object())
        return top.must_be("an object");
    if (document.contains("model_dict"))
        return read_single(top);
    if (document.contains("0"))
        return read_collection(top);
    return fail(ErrorCode::corrupt_data,
                fmt::format("{} lacks the key \"model_dict\" of a model, and \"0\" of a collection", top.path()));
}

} // namespace isovmaf
