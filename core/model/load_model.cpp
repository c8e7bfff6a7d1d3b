// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file_io.hpp"
#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "model/builtin.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t max_file_size = 64 * mebibyte;

tl::unexpected<Error> cannot_load(const std::string &path, ErrorCode code, std::string_view why) {
    return fail(code, fmt::format("cannot load model {}: {}", path, why));
}

Result<ModelText> read_file(const std::string &path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return cannot_load(path, ErrorCode::io, "it is a directory, not a model file");
    std::string text;
    const int error = read_whole_file(path, text, max_file_size);
    if (error != 0)
        return cannot_load(path, error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                           error == ENOENT ? "there is no such file" : std::generic_category().message(error));
    if (text.size() > max_file_size)
        return cannot_load(path, ErrorCode::unsupported,
                           fmt::format("it is larger than {} MiB", max_file_size / mebibyte));
    if (text.empty())
        return cannot_load(path, ErrorCode::corrupt_data, "the file is empty");
    return ModelText{path, std::move(text)};
}

tl::unexpected<Error> unknown_version(const std::string &version, std::span<const std::string> folders) {
    const std::string searched = folders.empty() ? "no model folder is set"
                                                 : fmt::format("the folders searched are {}", fmt::join(folders, ", "));
    const std::vector<std::string> builtin(builtin_model_versions().begin(), builtin_model_versions().end());
    return fail(ErrorCode::not_found,
                fmt::format("there is no model {}{}: the built-in ones are {}, and {}", quote(version),
                            did_you_mean(version, builtin), fmt::join(builtin, ", "), searched));
}

} // namespace

Result<ModelText> read_model_text(const ModelRequest &request, std::span<const std::string> folders) {
    if (!request.path.empty())
        return read_file(request.path);
    const std::string &version = request.version;
    if (const auto model = std::ranges::find(builtin_models(), version, &BuiltinModel::version);
        model != builtin_models().end())
        return ModelText{fmt::format("built in: {}", version), model->json()};
    if (version.find('/') != std::string::npos)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the model version {} is a path: ask for it with path=", quote(version)));
    for (const std::string &folder : folders) {
        const std::string path = (std::filesystem::path(folder) / (version + ".json")).string();
        std::error_code ignored;
        if (!version.empty() && std::filesystem::exists(path, ignored))
            return read_file(path);
    }
    return unknown_version(version, folders);
}

Result<std::unique_ptr<Model>> load_model(const ModelRequest &request, std::span<const std::string> folders) {
    const ModelText text = TRY(read_model_text(request, folders));
    return parse_model(text.json, request, text.origin);
}

} // namespace isovmaf
