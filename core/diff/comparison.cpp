// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/comparison.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/ulp.hpp"
#include "features/registry.hpp"

namespace isovmaf::diff {

namespace {

/// What a feature's descriptor promises; nothing for a model.
std::string promise(std::string_view subject) {
    const FeatureDescriptor *const feature = find_feature(subject);
    return feature ? std::string(exactness_name(feature->exactness)) : std::string();
}

} // namespace

void Comparison::start(std::string content, std::vector<std::string> names, std::vector<std::string> sources,
                       std::vector<FeatureWordSpecs> words) {
    content_ = std::move(content);
    names_ = std::move(names);
    sources_ = std::move(sources);
    words_ = std::move(words);
    suspects_.clear();
}

Tally &Comparison::tally(std::size_t side, std::string_view subject) {
    const auto [found, added] = tallies_.try_emplace({side, std::string(subject)});
    if (added) {
        found->second.side = sides_[side];
        found->second.subject = subject;
        found->second.exactness = promise(subject);
        if (std::ranges::find(subjects_, subject) == subjects_.end())
            subjects_.emplace_back(subject);
    }
    return found->second;
}

void Comparison::suspect(std::size_t side, std::string_view subject, std::int64_t frame, Evidence evidence) {
    if (!find_feature(subject))
        return;
    const bool words = evidence == Evidence::words;
    const auto known =
        std::ranges::find_if(suspects_, [&](const Suspect &s) { return s.side == side && s.feature == subject; });
    if (known == suspects_.end())
        suspects_.push_back({side, std::string(subject), frame, words});
    else if (words && !known->words)
        *known = {side, std::string(subject), frame, words};
}

std::uint64_t Comparison::add_value(std::size_t side, std::string_view subject, std::string_view score,
                                    std::int64_t frame, double expected, double found) {
    const std::uint64_t ulp = ulp_distance(expected, found);
    const std::uint64_t ulp_f32 = ulp_distance(static_cast<float>(expected), static_cast<float>(found));
    add_distance(side, subject, {content_, frame, std::string(score), expected, found, ulp, ulp_f32});
    return ulp;
}

void Comparison::add_distance(std::size_t side, std::string_view subject, const Difference &difference) {
    Tally &counts = tally(side, subject);
    counts.values++;
    counts.histogram[ulp_bucket(difference.ulp)]++;
    if (difference.ulp == 0)
        return;
    counts.different++;
    counts.max_ulp = std::max(counts.max_ulp, difference.ulp);
    counts.max_ulp_f32 = std::max(counts.max_ulp_f32, difference.ulp_f32);
    if (!counts.first)
        counts.first = difference;
}

/// What the word of that number is; a feature's words may be unknown.
WordSpec Comparison::word_spec(std::string_view feature, std::size_t word) const {
    const auto specs = std::ranges::find(words_, feature, &FeatureWordSpecs::feature);
    if (specs != words_.end() && word < specs->words.size())
        return specs->words[word];
    return {fmt::format("word {}", word)};
}

/// How many words differ.
std::size_t Comparison::add_words(std::size_t side, std::int64_t frame, const std::vector<FeatureWords> &expected,
                                  const std::vector<FeatureWords> &found) {
    assert(expected.size() == found.size());
    std::size_t all = 0;
    for (std::size_t f = 0; f < expected.size(); f++) {
        const std::vector<std::int64_t> &a = expected[f].words, &b = found[f].words;
        Tally &counts = tally(side, expected[f].feature);
        std::size_t different = 0;
        for (std::size_t i = 0; i < a.size(); i++) {
            if (a[i] == b[i])
                continue;
            different++;
            if (counts.first_word)
                continue;
            WordSpec spec = word_spec(expected[f].feature, i);
            counts.first_word = WordDifference{content_, frame, std::move(spec.name), spec.kind, a[i], b[i]};
        }
        counts.words += static_cast<std::int64_t>(a.size());
        counts.words_different += static_cast<std::int64_t>(different);
        if (different > 0)
            suspect(side, expected[f].feature, frame, Evidence::words);
        all += different;
    }
    return all;
}

void Comparison::add_frame(const FrameOnSides &frame) {
    const FrameScores &expected = frame.front();
    frames_++;
    for (std::size_t side = 1; side < frame.size(); side++) {
        const FrameScores &found = frame[side];
        std::uint64_t worst = 0;
        for (std::size_t i = 0; i < names_.size(); i++) {
            const std::uint64_t ulp =
                add_value(side, sources_[i], names_[i], expected.frame, expected.scores[i], found.scores[i]);
            if (ulp > 0)
                suspect(side, sources_[i], expected.frame, Evidence::score);
            worst = std::max(worst, ulp);
        }
        if (add_words(side, expected.frame, expected.words, found.words) > 0)
            worst = std::max<std::uint64_t>(worst, 1);
        strips_[side].push_back(static_cast<std::uint8_t>(ulp_bucket(worst)));
    }
}

void Comparison::add_aggregates(std::size_t side, const std::vector<std::pair<std::string, double>> &expected,
                                const std::vector<std::pair<std::string, double>> &found) {
    assert(expected.size() == found.size());
    for (std::size_t i = 0; i < expected.size(); i++)
        add_value(side, whole_video, expected[i].first, 0, expected[i].second, found[i].second);
}

void Comparison::finish(DiffResult &result) && {
    result.frames += frames_;
    for (const std::string &subject : subjects_)
        for (std::size_t side = 0; side < sides_.size(); side++) {
            const auto found = tallies_.find(std::pair(side, subject));
            if (found == tallies_.end())
                continue;
            const Tally &counts = found->second;
            result.values += counts.values;
            result.words += counts.words;
            result.different += counts.different + counts.words_different;
            result.tallies.push_back(counts);
        }
    for (std::size_t side = 0; side < sides_.size(); side++)
        if (!strips_[side].empty())
            result.strips.push_back({sides_[side], std::move(strips_[side])});
}

} // namespace isovmaf::diff
