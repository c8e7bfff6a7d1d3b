// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "golden/golden_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"
#include "features/semantics.hpp"
#include "model/model.hpp"

namespace isovmaf {

namespace {

using Json = nlohmann::ordered_json;

/// The number in "-0x1.8p+3" or "nan".
double hex_number(const std::string &text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = std::string_view(text).substr(negative ? 1 : 0);
    const bool hexadecimal = digits.starts_with("0x");
    digits.remove_prefix(hexadecimal ? 2 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                              hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('-'))
        throw std::runtime_error(fmt::format("\"{}\" is no number", text));
    return negative ? -value : value;
}

std::vector<double> hex_numbers(const Json &texts) {
    std::vector<double> values;
    for (const Json &text : texts)
        values.push_back(hex_number(text.get<std::string>()));
    return values;
}

Chroma chroma_of(int digits) {
    switch (digits) {
    case 400:
        return Chroma::k400;
    case 420:
        return Chroma::k420;
    case 422:
        return Chroma::k422;
    case 444:
        return Chroma::k444;
    default:
        throw std::runtime_error(fmt::format("chroma {}", digits));
    }
}

/// Whether the model is built in, and this version has all features that it reads.
bool has_model(const std::string &version) {
    const auto versions = builtin_model_versions();
    if (std::ranges::find(versions, version) == versions.end())
        return false;
    const std::unique_ptr<Model> model = load_model({.version = version}).value();
    return std::ranges::all_of(
        model->inputs(), [](const ModelInput &input) { return find_feature_of_output(input.base_name) != nullptr; });
}

/// A feature with the options that a golden file of generated clips calls `name`.
struct Configuration {
    const FeatureDescriptor *feature = nullptr;
    const NamedOptions *options = nullptr;
};

std::optional<Configuration> find_configuration(std::string_view name) {
    for (const FeatureDescriptor *feature : all_features())
        for (const NamedOptions &options : feature->golden_options)
            if (options.name == name)
                return Configuration{feature, &options};
    return std::nullopt;
}

/// The report's name of a score whose name the golden file shortens: "adm2" for VMAF_integer_feature_adm2_score,
/// "uv" for the score of speed_chroma with the alias speed_chroma_uv.
std::string score_name(std::string_view shortened, const FeatureDescriptor &feature, const OptionSet &options) {
    const auto by_alias = std::ranges::find(feature.outputs, shortened, &OutputSpec::alias); // "cambi"
    if (by_alias != feature.outputs.end())
        return report_name(stored_name(*by_alias, options));
    for (const OutputSpec &output : feature.outputs)
        for (const std::string &name : {std::string(shortened), fmt::format("integer_{}", shortened),
                                        fmt::format("VMAF_integer_feature_{}_score", shortened)})
            if (output.base_name == name || output.alias == fmt::format("{}_{}", feature.name, shortened))
                return report_name(stored_name(output.base_name, output.alias, options));
    throw std::runtime_error(fmt::format("feature {} has no score \"{}\"", feature.name, shortened));
}

/// Adds a feature that the file names as requests do, with scores that it names as reports do.
void add_request(GoldenClip &clip, const std::string &request, const Json &scores) {
    clip.features.push_back(request);
    for (const auto &[name, values] : scores.items())
        clip.columns.push_back({name, hex_numbers(values)});
}

void add_configuration(GoldenClip &clip, const Configuration &configuration, const Json &scores) {
    const FeatureDescriptor &feature = *configuration.feature;
    clip.features.push_back(request_text(feature, configuration.options->options));
    const FeatureRequest request = value_of(FeatureRequest::parse(clip.features.back()));
    const OptionSet options = value_of(OptionSet::parse(feature.name, feature.options, request.options));
    for (const auto &[shortened, values] : scores.items())
        clip.columns.push_back({score_name(shortened, feature, options), hex_numbers(values)});
}

/// What the generator makes, without scores.
GoldenClip generated_pictures(const Json &json) {
    GoldenClip clip;
    clip.format = {json.at("width"), json.at("height"), chroma_of(json.at("chroma")), json.at("bits")};
    clip.frames = json.at("frames");
    clip.title = fmt::format("generated {}x{} {} {}-bit", clip.format.width, clip.format.height,
                             json.at("chroma").get<int>(), clip.format.bit_depth);
    clip.sha256_reference = json.at("sha256_ref");
    return clip;
}

/// The clip's scores under one semantics.
GoldenClip generated_clip(const Json &json, Semantics semantics) {
    GoldenClip clip = generated_pictures(json);
    clip.semantics = semantics;
    const bool is_default = semantics == all_semantics().front(); // models and requests are recorded of it alone
    if (!is_default)
        clip.title += fmt::format(" ({})", semantics.row().release);
    for (const auto &[name, scores] : json.at("features").items()) {
        const std::optional<Configuration> configuration = find_configuration(name);
        const std::size_t colon = name.find(':');
        if (colon != std::string::npos && find_feature(name.substr(0, colon))) {
            if (is_default)
                add_request(clip, name, scores);
        } else if (!configuration)
            clip.skipped.push_back(name);
        else if (*configuration->options->semantics == semantics)
            add_configuration(clip, *configuration, scores);
    }
    if (is_default)
        for (const auto &[version, values] : json.at("models").items()) {
            if (!has_model(version)) {
                clip.skipped.push_back(version);
                continue;
            }
            clip.models.push_back(version);
            clip.columns.push_back({version, hex_numbers(values)});
        }
    return clip;
}

/// Appends the values of a frame to the columns. The first frame creates the columns.
void add_frame(GoldenClip &clip, const Json &scores) {
    for (const auto &[stored, value] : scores.items()) {
        const std::string name = report_name(stored);
        auto column = std::ranges::find(clip.columns, name, &GoldenColumn::name);
        if (column == clip.columns.end())
            column = clip.columns.insert(column, {name, {}});
        column->frames.push_back(value.get<double>());
    }
}

/// The clip that a file is about, without scores.
GoldenClip real_clip(const Json &about, const std::filesystem::path &folder) {
    GoldenClip clip;
    clip.title = about.at("name");
    clip.format = {about.at("w"), about.at("h"), chroma_of(std::stoi(about.at("fmt").get<std::string>())),
                   about.at("bpc")};
    clip.frames = about.at("frames");
    const std::size_t split = clip.title.find('_');
    const std::string tail =
        fmt::format("{}_{}_{}f.yuv", clip.title.substr(split), about.at("fmt").get<std::string>(), clip.frames);
    clip.reference = folder / (clip.title.substr(0, split) + "_ref" + tail);
    clip.distorted = folder / (clip.title.substr(0, split) + "_dis" + tail);

    return clip;
}

/// What the file says of a request: "ok", or how libvmaf failed at it, which leaves values of no meaning.
bool is_ok(const Json &json, const std::string &request) {
    return json.at("summary").at(0).at("summary").value("status", Json::object()).value(request, "ok") == "ok";
}

/// Adds the requests of the file, each to a clip that has no score of the same names: two requests may both have
/// cambi_source, but not in one session. Adds clips like `empty` where it needs them.
void add_real_requests(const Json &json, const GoldenClip &empty, std::vector<GoldenClip> &clips) {
    const Json aggregates = json.at("summary").at(0).value("aggregate", Json::object());
    for (const auto &[request, scores] : json.at("frames").at(0).at("features").items()) {
        if (!is_ok(json, request) || !find_feature(request.substr(0, request.find(':')))) {
            clips.front().skipped.push_back(request);
            continue;
        }
        const auto has_none = [&names = scores](const GoldenClip &clip) {
            return std::ranges::none_of(clip.columns, [&](const GoldenColumn &column) {
                const auto &items = names.items();
                return std::any_of(items.begin(), items.end(),
                                   [&](const auto &item) { return report_name(item.key()) == column.name; });
            });
        };
        auto clip = std::ranges::find_if(clips, has_none);
        if (clip == clips.end())
            clip = clips.insert(clip, empty);
        clip->features.push_back(request);
        for (const Json &frame : json.at("frames"))
            add_frame(*clip, frame.at("features").at(request));
        if (const auto found = aggregates.find(request); found != aggregates.end())
            for (const auto &[name, value] : found->items())
                clip->aggregates.push_back({name, value});
    }
}

void add_real_models(const Json &json, GoldenClip &clip) {
    for (const auto &[version, score] : json.at("frames").at(0).at("models").items())
        (is_ok(json, version) && has_model(version) ? clip.models : clip.skipped).push_back(version);
    for (const Json &frame : json.at("frames"))
        for (const std::string &version : clip.models)
            add_frame(clip, Json{{version, frame.at("models").at(version)}});
    const Json means = json.at("summary").at(0).value("pooled_mean", Json::object());
    for (const std::string &version : clip.models)
        if (means.contains(version))
            clip.means.push_back({version, means.at(version)});
}

std::vector<GoldenClip> real_clips(const Json &json, const std::filesystem::path &folder) {
    const GoldenClip empty = real_clip(json.at("clip"), folder);
    std::vector<GoldenClip> clips{empty};
    add_real_requests(json, empty, clips);
    add_real_models(json, clips.front());
    return clips;
}

/// Clips like `clip`, one for each request: requests of one feature have scores of the same names.
void add_request_clips(GoldenClip clip, const Json &json, std::vector<GoldenClip> &clips) {
    clip.chroma_edge = ChromaEdge::present;
    clip.identical = json.value("note", "") == "the distorted video is the reference";
    for (const auto &[request, scores] : json.at("features").items()) {
        GoldenClip &added = clips.emplace_back(clip);
        if (!find_feature(request.substr(0, request.find(':')))) {
            added.skipped.push_back(request);
            continue;
        }
        add_request(added, request, scores);
        for (const auto &[name, value] : json.at("aggregates").at(request).items())
            added.aggregates.push_back({name, hex_number(value.get<std::string>())});
    }
}

/// Of a file with requests alone.
std::vector<GoldenClip> requested_clips(const Json &json, const std::filesystem::path &folder) {
    std::vector<GoldenClip> clips;
    for (const Json &clip : json.at("clips"))
        add_request_clips(generated_pictures(clip), clip, clips);
    for (const Json &clip : json.at("recorded"))
        add_request_clips(real_clip(clip, folder), clip, clips);
    return clips;
}

std::vector<GoldenClip> clips_of(const Json &json, const std::filesystem::path &folder) {
    if (!json.contains("clips"))
        return real_clips(json, folder);
    if (json.contains("recorded"))
        return requested_clips(json, folder);
    std::vector<GoldenClip> clips;
    for (const Json &clip : json.at("clips"))
        for (const Semantics &semantics : all_semantics())
            clips.push_back(generated_clip(clip, semantics));
    return clips;
}

/// Searches for a member that only golden files have, and stops when it has found one.
class GoldenMembers final : public nlohmann::json_sax<Json> {
  public:
    [[nodiscard]] bool found() const { return found_; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ > 0; }
    bool start_array(std::size_t) override {
        return ++depth_ > 1;
    } // false for an outermost array: a golden file is an object
    bool end_object() override { return --depth_ >= 0; }
    bool end_array() override { return --depth_ >= 0; }
    bool key(string_t &name) override {
        found_ = depth_ == 1 && (name == "clips" || name == "clip");
        return !found_;
    }
    bool parse_error(std::size_t, const std::string &, const Json::exception &) override { return false; }

  private:
    int depth_ = 0;
    bool found_ = false;
};

} // namespace

Result<std::vector<GoldenClip>> read_golden_file(const std::filesystem::path &path,
                                                 const std::filesystem::path &folder) {
    try {
        std::ifstream stream(path);
        if (!stream)
            return fail(ErrorCode::not_found, fmt::format("cannot open the golden file {}", path.string()));
        return clips_of(Json::parse(stream), folder);
    } catch (const std::exception &exception) {
        return fail(ErrorCode::corrupt_data,
                    fmt::format("cannot read the golden file {}: {}", path.string(), exception.what()));
    }
}

Result<SessionOptions> golden_options(const GoldenClip &clip) {
    SessionOptions options{.format = clip.format,
                           .scoring = {.chroma_edge = clip.chroma_edge, .semantics = clip.semantics}};
    for (const std::string &text : clip.features)
        options.scoring.features.push_back(TRY(FeatureRequest::parse(text)));
    for (const std::string &version : clip.models)
        options.scoring.models.push_back({.version = version, .name = version});
    return options;
}

bool is_golden_file(const std::filesystem::path &path) {
    std::ifstream stream(path);
    GoldenMembers members;
    if (stream.peek() !=
        std::ifstream::traits_type::eof()) // a missing or empty file, or a folder, has no first character
        Json::sax_parse(stream, &members);
    return members.found();
}

} // namespace isovmaf
