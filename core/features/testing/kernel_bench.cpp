// SPDX-License-Identifier: BSD-2-Clause-Patent
// kernel_bench: cycles per pixel of the CPU paths, whole and function by function, at every level.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "content/patterns.hpp"
#include "features/registry.hpp"
#include "features/testing/bench_functions.hpp"
#include "features/testing/bench_timing.hpp"
#include "isovmaf/request.hpp"

namespace isovmaf::testing {

namespace {

std::vector<BenchFunction> &registered() {
    static std::vector<BenchFunction> all;
    return all;
}

} // namespace

BenchFunctions::BenchFunctions(std::initializer_list<BenchFunction> functions) {
    registered().insert(registered().end(), functions);
}

namespace {

constexpr std::string_view usage =
    R"(kernel_bench [--function NAME] [--request REQUEST]... [--size WIDTHxHEIGHT] [--bits DEPTH] [--level LEVEL]
             [--seconds TIME]
             times features and single functions of vector code, and prints cycles for each pixel of the picture
kernel_bench --list
             what can be timed
  --function NAME    only what begins with NAME
  --request REQUEST  a feature with options, as isovmaf score --feature takes it. Several requests of one feature are
                     timed alone and together, in one extraction: the last row shows what they share
  --size, --bits     of the pictures (1920x1080, 8)
  --level LEVEL      only this level, beside the definition
  --seconds TIME     the least time of one of five measurements (0.05); the least result counts
)";

constexpr int smallest_side = 33; // that all features take

struct Arguments {
    std::string function;
    std::vector<FeatureRequest> requests;
    VideoFormat format{.width = 1920, .height = 1080, .chroma = Chroma::k420, .bit_depth = 8};
    std::optional<CpuLevel> level;
    double seconds = 0.05;
    bool list = false, help = false;
};

int bounded(std::string_view text, std::string_view what, int least, int most) {
    const auto value = parse_integer(text);
    if (!value || *value < least || *value > most)
        throw Failure(
            {ErrorCode::invalid_argument, fmt::format("\"{}\" is no {}: give {} to {}", text, what, least, most)});
    return static_cast<int>(*value);
}

void parse_value(Arguments &arguments, std::string_view name, std::string_view value) {
    if (name == "--function") {
        arguments.function = value;
    } else if (name == "--request") {
        arguments.requests.push_back(value_of(FeatureRequest::parse(value)));
    } else if (name == "--size") {
        const std::size_t x = std::min(value.find('x'), value.size());
        arguments.format.width = bounded(value.substr(0, x), "width", smallest_side, max_frame_side);
        arguments.format.height =
            bounded(value.substr(std::min(x + 1, value.size())), "height", smallest_side, max_frame_side);
    } else if (name == "--bits") {
        arguments.format.bit_depth = bounded(value, "bit depth", 8, 16);
    } else if (name == "--level") {
        arguments.level = value_of(parse_cpu_level(value));
    } else if (name == "--seconds" && parse_double(value).value_or(0) > 0) {
        arguments.seconds = *parse_double(value);
    } else {
        throw Failure({ErrorCode::invalid_argument, fmt::format("what is \"{} {}\"?\n{}", name, value, usage)});
    }
}

Arguments parse_arguments(std::span<char *const> texts) {
    Arguments arguments;
    for (std::size_t i = 1; i < texts.size(); i++) {
        const std::string_view name = texts[i];
        if (name == "--list" || name == "--help")
            (name == "--list" ? arguments.list : arguments.help) = true;
        else
            parse_value(arguments, name, ++i < texts.size() ? texts[i] : "");
    }
    return arguments;
}

/// One extractor of a feature on the second pair of pictures, for all option sets together.
BenchWork extraction(const FeatureDescriptor &feature, std::span<const OptionTexts> option_texts, Semantics semantics,
                     const BenchPictures &pictures, CpuLevel level) {
    std::vector<OptionSet> option_sets;
    for (const OptionTexts &texts : option_texts)
        option_sets.push_back(value_of(OptionSet::parse(feature.name, feature.options, texts)));
    for (const OptionSet &options : option_sets)
        if (!check_needs(feature, pictures.format(), options))
            return {};
    const auto plan = std::make_shared<FeaturePlan>(
        value_of(make_feature_plan(feature, {pictures.format(), semantics, level}, option_sets)));
    const Extractor *const extractor = level == CpuLevel::scalar ? plan->definition.get() : plan->cpu.get();
    if (!extractor || (level != CpuLevel::scalar && extractor->level() != cpu_level_name(level)))
        return {};
    const HostPicture first(pictures.first.reference), first_distorted(pictures.first.distorted);
    const PictureWindow inputs{HostPicture(pictures.second.reference),
                               HostPicture(pictures.second.distorted),
                               {first, first},
                               {first_distorted, first_distorted}};
    return [plan, extractor, inputs, workspace = std::make_shared<Workspace>(),
            words = std::vector<std::int64_t>(plan->extracted().size())]() mutable {
        workspace->reset();
        extractor->extract(inputs, *workspace, words);
    };
}

/// A row of the table. `prepare` gives the work at a level, or nothing.
using Rows = std::vector<BenchFunction>;

BenchFunction feature_row(std::string name, const FeatureDescriptor &feature, std::vector<OptionTexts> option_texts,
                          Semantics semantics) {
    return {std::move(name), [=, &feature](const BenchPictures &pictures, CpuLevel level) {
                return extraction(feature, option_texts, semantics, pictures, level);
            }};
}

/// Requests of one feature, each alone and all together.
Rows request_rows(const std::vector<FeatureRequest> &requests) {
    const FeatureDescriptor *const feature = find_feature(requests.front().name);
    if (!feature)
        throw Failure({ErrorCode::not_found, fmt::format("there is no feature \"{}\"", requests.front().name)});
    Rows rows;
    std::vector<OptionTexts> all;
    for (const FeatureRequest &request : requests) {
        if (request.name != feature->name)
            throw Failure({ErrorCode::invalid_argument, "requests that are timed together are of one feature"});
        rows.push_back(feature_row(fmt::format("request {}", rows.size() + 1), *feature, {request.options},
                                   Semantics::libvmaf_3_2));
        all.push_back(request.options);
    }
    rows.push_back(feature_row("all requests", *feature, all, Semantics::libvmaf_3_2));
    return rows;
}

Rows find_rows(const std::string &prefix) {
    Rows rows;
    const auto add = [&](const BenchFunction &row) {
        if (row.name.starts_with(prefix))
            rows.push_back(row);
    };
    for (const FeatureDescriptor *feature : all_features())
        for (const NamedOptions &named : feature->golden_options)
            add(feature_row(std::string(named.name), *feature,
                            {value_of(FeatureRequest::parse(request_text(*feature, named.options))).options},
                            *named.semantics));
    for (const BenchFunction &function : registered())
        add({function.name, [=](const BenchPictures &pictures, CpuLevel level) {
                 return level == CpuLevel::scalar ? BenchWork{} : function.prepare(pictures, level);
             }});
    if (rows.empty())
        throw Failure({ErrorCode::not_found, fmt::format("nothing to time begins with \"{}\": see --list", prefix)});
    return rows;
}

std::vector<CpuLevel> chosen_levels(const Arguments &arguments) {
    if (arguments.level && *arguments.level != CpuLevel::scalar)
        return {CpuLevel::scalar, *arguments.level};
    const auto levels = usable_cpu_levels();
    return {levels.begin(), arguments.level ? levels.begin() + 1 : levels.end()};
}

void print_row(const BenchFunction &row, const BenchPictures &pictures, const std::vector<CpuLevel> &levels,
               double seconds) {
    std::vector<BenchWork> works;
    std::map<CpuLevel, std::size_t> column;
    for (const CpuLevel level : levels)
        if (BenchWork work = row.prepare(pictures, level)) {
            column[level] = works.size();
            works.push_back(std::move(work));
        }
    const std::vector<double> times = least_times(works, 5, seconds);
    const double clock = measured_clock();
    const double pixels = static_cast<double>(pictures.format().width) * pictures.format().height;
    fmt::print("{:24}", row.name);
    for (const CpuLevel level : levels)
        fmt::print("{:>11}",
                   column.contains(level) ? fmt::format("{:.3f}", times[column[level]] * clock / pixels) : "-");
    fmt::print("{:>8.2f}\n", clock / 1e9);
    std::fflush(stdout);
}

void run(const Arguments &arguments) {
    const Rows rows = arguments.requests.empty() ? find_rows(arguments.function) : request_rows(arguments.requests);
    if (arguments.list) {
        for (const BenchFunction &row : rows)
            fmt::print("{}\n", row.name);
        return;
    }
    const std::vector<CpuLevel> levels = chosen_levels(arguments);
    GeneratedClip clip(arguments.format);
    const FramePair first = clip.frame(0);
    const BenchPictures pictures{first, clip.frame(1)};
    fmt::print("Cycles per luma pixel of {}x{}, {} bits, and the clock in GHz\n{:24}", arguments.format.width,
               arguments.format.height, arguments.format.bit_depth, "");
    for (const CpuLevel level : levels)
        fmt::print("{:>11}", level == CpuLevel::scalar ? "definition" : cpu_level_name(level));
    fmt::print("{:>8}\n", "GHz");
    for (const BenchFunction &row : rows)
        print_row(row, pictures, levels, arguments.seconds);
}

} // namespace

} // namespace isovmaf::testing

int main(int count, char **texts) {
    try {
        const auto arguments = isovmaf::testing::parse_arguments({texts, static_cast<std::size_t>(count)});
        if (arguments.help)
            fmt::print("{}", isovmaf::testing::usage);
        else
            isovmaf::testing::run(arguments);
        return 0;
    } catch (const std::exception &failure) {
        fmt::print(stderr, "kernel_bench: {}\n", failure.what());
        return 2;
    }
}
