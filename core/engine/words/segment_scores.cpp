// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "engine/plan/map_request.hpp"
#include "engine/scoring.hpp"
#include "engine/words/segments.hpp"
#include "engine/words/words_schema.hpp"
#include "model/model_choice.hpp"

namespace isovmaf {

namespace {

Result<void> check_meaning(const ScoringOptions &options, const WordsSchema &schema) {
    if (schema.semantics != options.semantics)
        return fail(ErrorCode::mismatch,
                    fmt::format("the words were extracted for scores of {}, and scores of {} are wanted",
                                schema.semantics.name(), options.semantics.name()));
    if (options.subsample % schema.subsample != 0)
        return fail(ErrorCode::mismatch,
                    fmt::format("the words were extracted with subsample {}, and scores with subsample {} are wanted: "
                                "ask for a multiple of {}",
                                schema.subsample, options.subsample, schema.subsample));
    return {};
}

/// Gives the words of segments to a Scoring whose plan has some of the schema's features.
class Replay {
  public:
    Replay(const WordsSchema &schema, const EnginePlan &plan) : schema_(schema), rows_(plan.features.size()) {
        for (const WordsFeature &feature : schema.features) {
            const auto planned = std::ranges::find_if(
                plan.features, [&](const PlannedFeature &p) { return p.feature->name == feature.name; });
            row_of_.push_back(static_cast<std::size_t>(planned - plan.features.begin()));
        }
    }

    void play(const WordsFile &segment, Scoring &scoring) {
        ConstWords rest = segment.words;
        for (std::int64_t frame = segment.first_frame; frame < segment.end_frame(); frame++) {
            std::ranges::fill(rows_, ConstWords());
            for (std::size_t f = 0; f < schema_.features.size(); f++) {
                if (!schema_.runs_on_frame(schema_.features[f], frame))
                    continue;
                const std::size_t count = schema_.features[f].words.size();
                if (row_of_[f] < rows_.size())
                    rows_[row_of_[f]] = rest.first(count);
                rest = rest.subspan(count);
            }
            scoring.take({frame, rows_});
        }
    }

  private:
    const WordsSchema &schema_;
    std::vector<std::size_t> row_of_; ///< per feature of the schema: its row, or the number of rows when it has none
    std::vector<ConstWords> rows_;    ///< of one frame, per feature of the plan
};

} // namespace

class SegmentScoring::Impl {
  public:
    Impl(EnginePlan made_plan, std::vector<BoundModel> models, const ScoringOptions &options)
        : plan(std::move(made_plan)), scoring(plan, std::move(models), options.subsample, options.keep_words) {}

    /// Compares the pictures that the segment and the one before it both have read.
    Result<void> check_border(const WordsFile &segment) const {
        const std::size_t shared = std::min(last.size(), segment.lead_in.size());
        for (std::size_t back = 1; back <= shared; back++) {
            const PairDigest &before = last[last.size() - back], &here = segment.lead_in[segment.lead_in.size() - back];
            if (before != here)
                return fail(ErrorCode::mismatch,
                            fmt::format("frame {} of the {} came with other samples when the frames behind it were "
                                        "read on their own: score the videos in one piece",
                                        segment.first_frame - static_cast<std::int64_t>(back),
                                        before.reference != here.reference ? "reference" : "distorted video"));
        }
        return {};
    }

    Result<void> add(const WordsFile &segment) {
        if (segment.first_frame != next_frame)
            return fail(ErrorCode::internal, fmt::format("a segment begins with frame {}, and frame {} is the next",
                                                         segment.first_frame, next_frame));
        TRY(check_border(segment));
        if (!schema) {
            TRY(check_words(segment.schema, plan));
            schema.emplace(segment.schema);
        }
        Replay(*schema, plan).play(segment, scoring);
        next_frame = segment.end_frame();
        if (segment.last.size() < segment.last_count()) // a piece of a segment that goes on
            last.clear();
        last.insert(last.end(), segment.last.begin(), segment.last.end());
        if (last.size() > max_lead_in)
            last.erase(last.begin(), last.end() - max_lead_in);
        return {};
    }

    EnginePlan plan;
    Scoring scoring; // after the plan, which it uses
    std::optional<WordsSchema> schema;
    std::int64_t next_frame = 0;
    std::vector<PairDigest> last; ///< of the frames before next_frame, oldest first
};

Result<SegmentScoring> SegmentScoring::create(const ScoringOptions &options, const VideoFormat &format) {
    const RequestedScores requested = TRY(load_requested(options, format.height));
    EnginePlan plan = TRY(make_plan(
        requested.features, {.format = format, .semantics = options.semantics, .chroma_edge = ChromaEdge::present}));
    std::vector<BoundModel> models = TRY(bind_models(requested.models, plan));
    return guarded([&]() -> Result<SegmentScoring> {
        return SegmentScoring(std::make_unique<Impl>(std::move(plan), std::move(models), options));
    });
}

SegmentScoring::SegmentScoring(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentScoring::~SegmentScoring() = default;
SegmentScoring::SegmentScoring(SegmentScoring &&) noexcept = default;
SegmentScoring &SegmentScoring::operator=(SegmentScoring &&) noexcept = default;

Result<void> SegmentScoring::add(const WordsFile &segment) {
    return guarded([&] { return impl_->add(segment); });
}

std::optional<FrameScores> SegmentScoring::next_result() { return impl_->scoring.next_result(); }

Result<void> SegmentScoring::end() {
    return guarded([&]() -> Result<void> {
        impl_->scoring.end();
        return {};
    });
}

const ScoreTable &SegmentScoring::table() const { return impl_->scoring.table(); }

const std::vector<std::string> &SegmentScoring::aggregate_names() const { return impl_->plan.aggregates; }

std::size_t SegmentScoring::feature_score_count() const { return impl_->scoring.feature_score_count(); }

class SegmentScorer::Impl {
  public:
    static Result<std::shared_ptr<const Impl>> load(const ScoringOptions &options) {
        Impl impl(options);
        impl.wanted_ = TRY(load_with_open_options(options, most_rows_of_hd));
        TRY(refuse_maps(impl.wanted_.features, "words hold no maps: leave the option out, or score the videos again"));
        if (std::ranges::any_of(options.models, depends_on_rows))
            impl.wanted_above_hd_ = TRY(load_with_open_options(options, most_rows_of_hd + 1));
        return std::make_shared<const Impl>(std::move(impl));
    }

    [[nodiscard]] Result<WordScores> score(std::span<const WordsFile> segments) const;

  private:
    explicit Impl(ScoringOptions options) : options_(std::move(options)) {}

    [[nodiscard]] const RequestedScores &wanted_for(const VideoFormat &format) const {
        return wanted_above_hd_ && format.height > most_rows_of_hd ? *wanted_above_hd_ : wanted_;
    }

    ScoringOptions options_;
    RequestedScores wanted_;                         ///< with open options: the words say what was taken of their video
    std::optional<RequestedScores> wanted_above_hd_; ///< where models depend on the rows of pictures
};

Result<WordScores> SegmentScorer::Impl::score(std::span<const WordsFile> segments) const {
    TRY(check_segments(segments));
    const WordsSchema &schema = segments.front().schema;
    TRY(check_meaning(options_, schema));
    const FeatureSet extracted = TRY(features_of(schema));
    const RequestedScores &wanted = wanted_for(schema.format);
    FeatureSet features = wanted.features;
    features.take_facts(extracted);
    const EnginePlan plan =
        TRY(make_plan(extracted, features,
                      {.format = schema.format, .semantics = schema.semantics, .chroma_edge = ChromaEdge::present}));
    TRY(check_words(schema, plan));
    std::vector<BoundModel> models = TRY(bind_models(wanted.models, plan));

    return guarded([&]() -> Result<WordScores> {
        Scoring scoring(plan, std::move(models), options_.subsample);
        Replay replay(schema, plan);
        for (const WordsFile *segment : in_frame_order(segments))
            replay.play(*segment, scoring);
        scoring.end();
        return WordScores{scoring.table(), scoring.feature_score_count(), schema.format, use_facts(features, {}).facts};
    });
}

SegmentScorer::SegmentScorer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<SegmentScorer> SegmentScorer::create(const ScoringOptions &options) {
    return SegmentScorer(TRY(Impl::load(options)));
}

Result<WordScores> SegmentScorer::score(std::span<const WordsFile> segments) const { return impl_->score(segments); }

Result<WordScores> score_segments(const ScoringOptions &options, std::span<const WordsFile> segments) {
    return TRY(SegmentScorer::create(options)).score(segments);
}

} // namespace isovmaf
