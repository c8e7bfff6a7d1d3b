// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/finish_words.hpp"

#include <vector>

namespace isovmaf {

namespace {

/// Passes the scores of one variant to its columns.
class VariantSink final : public ScoreSink {
  public:
    VariantSink(ColumnSink &sink, const std::vector<std::size_t> &columns) : sink_(sink), columns_(columns) {}

    void set(std::int64_t frame, std::size_t output, double score) override {
        sink_.set(frame, columns_[output], score);
    }
    void set_aggregate(std::string_view name, double score) override { sink_.set_aggregate(name, score); }

  private:
    ColumnSink &sink_;
    const std::vector<std::size_t> &columns_;
};

} // namespace

void finish_words(const EnginePlan &plan, const WordsOfFrame &words, int subsample, ColumnSink &sink) {
    for (std::size_t e = 0; e < plan.features.size(); e++) {
        const PlannedFeature &planned = plan.features[e];
        if (words.features[e].empty() || !runs_on_frame(*planned.feature, words.frame, subsample))
            continue;
        for (std::size_t v = 0; v < planned.plan.variants.size(); v++) {
            VariantSink variant(sink, planned.columns[v]);
            planned.plan.variants[v].finisher->push(words.frame, words.features[e], variant);
        }
    }
}

void finish_video(const EnginePlan &plan, ColumnSink &sink) {
    for (const PlannedFeature &planned : plan.features)
        for (std::size_t v = 0; v < planned.plan.variants.size(); v++) {
            VariantSink variant(sink, planned.columns[v]);
            planned.plan.variants[v].finisher->flush(variant);
        }
}

} // namespace isovmaf
