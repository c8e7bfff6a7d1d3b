// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "features/video_fact.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

/// Options of features that stand for facts of the video, such as its frame rate, get their values before anything is
/// planned (docs/adr/0120).
namespace isovmaf {

/// What the two files state.
struct PairFacts {
    VideoFacts reference = {}, distorted = {};

    friend bool operator==(const PairFacts &, const PairFacts &) = default;
};

/// An option that decides by a fact how a feature is computed, as reports list it.
struct UsedFact {
    std::string feature = {}; ///< "xpsnr"
    std::string option = {};  ///< "frame_rate"
    std::string value = {};   ///< "23.976"
    std::string source = {};  ///< "distorted video", "reference", "option", or "assumed"
    std::string meaning = {}; ///< see OptionSpec::meaning; may be empty

    static constexpr const char *from_distorted = "distorted video";
    static constexpr const char *from_reference = "reference";
    static constexpr const char *from_option = "option";
    static constexpr const char *nobody = "assumed";

    friend bool operator==(const UsedFact &, const UsedFact &) = default;
};

/// "xpsnr takes the frame_rate 23.976 (first order): that of the distorted video"
[[nodiscard]] std::string used_fact_text(const UsedFact &fact);

/// What options take of a pair's facts.
struct FactUse {
    std::vector<UsedFact> facts = {};          ///< also of options that the request gives
    std::vector<FeatureRequest> requests = {}; ///< each states the options that an option set leaves to the video
    std::vector<std::string> warnings = {};    ///< sentences about facts by which the two videos mean different things
};

/// What the options of `features` that are open take: the fact of the distorted video, else that of the reference, else
/// what is assumed. An option that has a value keeps it.
[[nodiscard]] FactUse use_facts(const FeatureSet &features, const PairFacts &pair);

/// A request of features and models for the videos of a pair.
struct StatedScoring {
    ScoringOptions scoring = {}; ///< what was asked for, and behind it FactUse::requests
    FactUse use = {};

    /// The values of the facts that features use: extractions of equal requests with equal keys do the same.
    [[nodiscard]] std::string key() const;
};

/// Makes a request one that leaves nothing to the video. `rows` as in load_requested, which fails alike.
[[nodiscard]] Result<StatedScoring> state_facts(const ScoringOptions &asked, const PairFacts &pair, int rows);

} // namespace isovmaf
