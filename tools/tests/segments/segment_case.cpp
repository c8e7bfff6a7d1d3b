// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "segment_case.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "content/patterns.hpp"
#include "features/semantics.hpp"
#include "input/pair/pair_source.hpp"

namespace isovmaf::testing {

namespace {

[[noreturn]] void refuse(const std::string &word) {
    throw Failure({ErrorCode::invalid_argument, fmt::format("cannot read the argument {}", quote(word))});
}

int number(const std::string &text, const std::string &word) {
    try {
        return std::stoi(text);
    } catch (const std::exception &) {
        refuse(word);
    }
}

void parse_size(const std::string &text, VideoFormat &format, const std::string &word) {
    const std::size_t by = text.find('x');
    if (by == std::string::npos)
        refuse(word);
    format.width = number(text.substr(0, by), word);
    format.height = number(text.substr(by + 1), word);
}

Chroma parse_chroma(const std::string &text, const std::string &word) {
    constexpr std::array names{"400", "420", "422", "444"};
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        refuse(word);
    return static_cast<Chroma>(found - names.begin());
}

void parse_clip(const std::string &key, const std::string &value, SegmentCase &parsed, const std::string &word) {
    const std::vector<std::string> items = split_items(value);
    if (items.size() != (key == "generated" ? 4u : key == "raw" ? 3u : 2u))
        refuse(word);
    if (key == "generated") {
        parse_size(items[0], parsed.generated, word);
        parsed.generated.chroma = parse_chroma(items[1], word);
        parsed.generated.bit_depth = number(items[2], word);
        parsed.generated_frames = number(items[3], word);
        return;
    }
    parsed.reference = items[0];
    parsed.distorted = items[1];
    if (key == "raw")
        parse_size(items[2], parsed.raw.emplace(), word);
}

void parse_request(const std::string &key, const std::string &value, SegmentCase &parsed, const std::string &word) {
    if (key == "feature")
        parsed.scoring.features.push_back(value_of(FeatureRequest::parse(value)));
    else if (key == "model")
        parsed.scoring.models.push_back(value_of(ModelRequest::parse(value)));
    else if (key == "subsample")
        parsed.scoring.subsample = number(value, word);
    else if (key == "semantics" && find_semantics(value))
        parsed.scoring.semantics = *find_semantics(value);
    else
        refuse(word);
}

CasePairs open_generated(const SegmentCase &the_case, std::int64_t first) {
    return {the_case.generated,
            [clip = std::make_shared<GeneratedClip>(the_case.generated), next = first,
             end = the_case.generated_frames]() mutable -> std::optional<FramePair> {
                if (next >= end)
                    return std::nullopt;
                return clip->frame(static_cast<std::uint32_t>(next++));
            }};
}

} // namespace

SegmentCase SegmentCase::parse(const std::vector<std::string> &words) {
    SegmentCase parsed;
    for (const std::string &word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            refuse(word);
        const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
        if (key == "generated" || key == "videos" || key == "raw")
            parse_clip(key, value, parsed, word);
        else
            parse_request(key, value, parsed, word);
    }
    return parsed;
}

CasePairs open_pairs(const SegmentCase &the_case, std::int64_t first) {
    if (the_case.reference.empty())
        return open_generated(the_case, first);
    const SourceOptions source{
        .stated = the_case.raw ? StatedFormat(*the_case.raw) : StatedFormat(), .decode_threads = 1, .log = {}};
    std::shared_ptr<PairSource> pairs = value_of(PairSource::create(
        value_of(open_source(the_case.reference, source)), value_of(open_source(the_case.distorted, source)),
        {.skip_reference = first, .skip_distorted = first}));
    return {pairs->format(), [pairs] { return value_of(pairs->read()); }};
}

} // namespace isovmaf::testing
