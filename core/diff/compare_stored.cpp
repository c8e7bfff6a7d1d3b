// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/compare_stored.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/writers.hpp"

namespace isovmaf::diff {

namespace {

constexpr std::size_t most_named = 8;

class Comparer {
  public:
    Comparer(const StoredReport &report, const ScoreTable &computed,
             const std::function<void(const StoredValue &)> &visit)
        : report_(report), computed_(computed), visit_(visit) {}

    StoredCoverage run() {
        match_columns();
        compare_frames();
        name_scores();
        coverage_.totals_compared = coverage_.frames_not_computed.empty() && coverage_.frames_not_stored.empty();
        if (coverage_.totals_compared) {
            compare_pooled();
            compare_aggregates();
        }
        return std::move(coverage_);
    }

  private:
    /// Finds the column of the computed scores for each name of the report.
    void match_columns() {
        for (const std::string &name : report_.names) {
            const auto found = std::ranges::find(computed_.names, name);
            const auto column = static_cast<std::size_t>(found - computed_.names.begin());
            columns_.push_back(found == computed_.names.end() ? std::nullopt : std::optional(column));
        }
        compared_.resize(columns_.size());
    }

    /// Scores that no common frame has count as not computed.
    void name_scores() {
        for (std::size_t i = 0; i < columns_.size(); i++)
            (compared_[i] ? coverage_.scores : coverage_.not_computed).push_back(report_.names[i]);
        for (const std::string &name : computed_.names)
            if (std::ranges::find(report_.names, name) == report_.names.end())
                coverage_.not_stored.push_back(name);
    }

    /// Merges the frames of both, which are in rising order.
    void compare_frames() {
        auto stored = report_.frames.begin();
        auto computed = computed_.frames.begin();
        while (stored != report_.frames.end() || computed != computed_.frames.end())
            if (computed == computed_.frames.end() ||
                (stored != report_.frames.end() && stored->frame < computed->frame))
                coverage_.frames_not_computed.push_back((stored++)->frame);
            else if (stored == report_.frames.end() || computed->frame < stored->frame)
                coverage_.frames_not_stored.push_back((computed++)->frame);
            else
                compare_frame(*stored++, *computed++);
    }

    void compare_frame(const StoredFrame &stored, const FrameScores &computed) {
        for (std::size_t i = 0; i < columns_.size(); i++)
            if (columns_[i] && stored.texts[i].empty())
                coverage_.gaps++;
            else if (columns_[i]) {
                compare({report_.names[i], {}, stored.frame, stored.texts[i], computed.scores[*columns_[i]], {}});
                compared_[i] = true;
            }
    }

    void compare_pooled() {
        std::optional<PooledScore> pooled;
        std::string_view pooled_name;
        for (const StoredTotal &total : report_.pooled) {
            const auto found = std::ranges::find(computed_.names, total.name);
            if (found == computed_.names.end())
                continue; // the name is already listed for its frames
            if (!pooled || pooled_name != total.name)
                pooled = pool_column(computed_, static_cast<std::size_t>(found - computed_.names.begin()));
            pooled_name = total.name;
            const auto statistic = std::ranges::find(pooled_statistics, total.statistic, &PooledStatistic::name);
            if (statistic == pooled_statistics.end())
                coverage_.not_computed.push_back(fmt::format("{} of {}", total.statistic, total.name));
            else
                compare({total.name, total.statistic, -1, total.text, (*pooled).*statistic->value, {}});
        }
    }

    void compare_aggregates() {
        const auto &aggregates = computed_.aggregates;
        for (const StoredTotal &total : report_.aggregates) {
            const auto found = std::ranges::find(aggregates, total.name, &std::pair<std::string, double>::first);
            if (found == aggregates.end())
                coverage_.not_computed.push_back(total.name);
            else
                compare({total.name, {}, -1, total.text, found->second, {}});
        }
        for (const auto &aggregate : aggregates)
            if (std::ranges::find(report_.aggregates, aggregate.first, &StoredTotal::name) == report_.aggregates.end())
                coverage_.not_stored.push_back(aggregate.first);
    }

    void compare(StoredValue value) {
        value.comparison = compare_stored_number(value.text, report_.style, value.computed);
        coverage_.values++;
        coverage_.different += value.comparison.equal ? 0 : 1;
        visit_(value);
    }

    const StoredReport &report_;
    const ScoreTable &computed_;
    const std::function<void(const StoredValue &)> &visit_;
    StoredCoverage coverage_;
    std::vector<std::optional<std::size_t>> columns_; ///< per name of the report: its column in computed_
    std::vector<bool> compared_;                      ///< per name of the report: some frame was compared
};

/// The first few names, and how many more there are.
std::string name_some(std::span<const std::string> names) {
    if (names.empty())
        return "nothing";
    const std::span<const std::string> first = names.first(std::min(names.size(), most_named));
    const std::string more =
        names.size() > first.size() ? fmt::format(" and {} more", names.size() - first.size()) : "";
    return fmt::format("{}{}", fmt::join(first, ", "), more);
}

} // namespace

Result<StoredCoverage> compare_stored(const StoredReport &report, const ScoreTable &computed,
                                      const std::function<void(const StoredValue &)> &visit) {
    StoredCoverage coverage = Comparer(report, computed, visit).run();
    if (coverage.values > 0)
        return coverage;
    if (std::ranges::find_first_of(report.names, computed.names) == report.names.end())
        return fail(ErrorCode::mismatch, fmt::format("nothing can be compared: the report has {}, computed were {}",
                                                     name_some(report.names), name_some(computed.names)));
    return fail(ErrorCode::mismatch,
                fmt::format("nothing can be compared: of the report's {} frames and the {} that were computed, none "
                            "has a score in both",
                            report.frames.size(), computed.frames.size()));
}

} // namespace isovmaf::diff
