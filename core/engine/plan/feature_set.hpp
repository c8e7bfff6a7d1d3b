// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/feature.hpp"
#include "isovmaf/scores.hpp"

namespace isovmaf {

/// Which features a session runs, with which options. Equal requests, whoever makes them, become one.
class FeatureSet {
  public:
    /// Adds an option set; one whose output names are there already is merged with it (scores.md §3).
    Result<void> add(const FeatureDescriptor &feature, const OptionSet &options);

    /// The option sets of one feature; all of them run on one extraction.
    struct Entry {
        const FeatureDescriptor *feature = nullptr;
        std::vector<OptionSet> option_sets;
    };

    [[nodiscard]] const std::vector<Entry> &entries() const { return entries_; }

    /// Calls `value_of(feature, options, index)` for each option that stands for a fact of the video, and gives it the
    /// value that this returns; nothing leaves the option as it is.
    void close_options(const std::function<std::optional<double>(const FeatureDescriptor &, const OptionSet &,
                                                                 std::size_t)> &value_of);

    /// Gives all options that are still open what is assumed where nobody states the fact.
    void assume_facts();

    /// Gives all options that are open the values that `extracted` has of option sets with the same names.
    void take_facts(const FeatureSet &extracted);

    /// One option set: entries()[entry].option_sets[option_set].
    struct Position {
        std::size_t entry = 0;
        std::size_t option_set = 0;
    };

    /// All option sets in the order in which they were added, whatever their features.
    [[nodiscard]] const std::vector<Position> &added() const { return added_; }

  private:
    std::vector<Entry> entries_; ///< in the order in which features were first asked for
    std::vector<Position> added_;
};

/// Whether a feature runs on a frame of the video: on every scored frame, a temporal feature on all frames.
[[nodiscard]] bool runs_on_frame(const FeatureDescriptor &feature, std::int64_t frame, int subsample);

/// A feature's plan and where its scores go.
struct PlannedFeature {
    const FeatureDescriptor *feature = nullptr;
    FeaturePlan plan;
    /// Column of output k of variant v is columns[v][k].
    std::vector<std::vector<std::size_t>> columns;
    std::vector<std::string> map_folders = {}; ///< of each variant: where its maps are written; empty: nowhere

    [[nodiscard]] bool writes_maps() const;
};

/// A feature set made ready for a format.
struct EnginePlan {
    PlanContext context = {};
    std::vector<PlannedFeature> features = {};
    std::vector<std::string> columns = {};        ///< stored names, in report order
    std::vector<std::string> aggregates = {};     ///< names of the scores of the whole video, in report order
    std::vector<FeatureSet::Position> added = {}; ///< features and variants in the order in which they were asked for

    /// Earlier frames that some extractor reads.
    [[nodiscard]] EarlierFrames earlier() const;

    /// Planes of a picture that some extractor reads.
    [[nodiscard]] int planes_read() const;

    /// Whether some extractor reads the last column and row of chroma planes of odd sizes.
    [[nodiscard]] ChromaEdge chroma_edge() const;
};

/// What the words of each feature are, in the plan's order.
[[nodiscard]] std::vector<FeatureWordSpecs> describe_words(const EnginePlan &plan);

/// How many words each feature's extractors write, in the plan's order.
[[nodiscard]] std::vector<std::size_t> word_counts(const EnginePlan &plan);

/// Checks the format and builds the shared extraction of every feature. No option may be open: see OptionSet::is_open.
[[nodiscard]] Result<EnginePlan> make_plan(const FeatureSet &set, const PlanContext &context);

/// A plan that extracts `extracted` and gives the scores of `reported` alone. The scores are those of
/// make_plan(reported); the words are those of make_plan(extracted), without the features that nothing reports. Fails
/// when `extracted` lacks an option set of `reported`.
[[nodiscard]] Result<EnginePlan> make_plan(const FeatureSet &extracted, const FeatureSet &reported,
                                           const PlanContext &context);

/// The plan's columns in the order of libvmaf's reports: see Session::libvmaf_order.
[[nodiscard]] std::vector<std::size_t> libvmaf_order(const EnginePlan &plan, int threads, int subsample);

} // namespace isovmaf
