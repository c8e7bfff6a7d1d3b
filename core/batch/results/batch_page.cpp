// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/batch_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "batch/manifest/row.hpp"
#include "batch/results/rate_curves.hpp"
#include "html/page.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/number_text.hpp"
#include "report/score_spans.hpp"

namespace isovmaf::batch {

namespace {

/// Orders scores that are no numbers first.
double rank(double score) { return std::isnan(score) ? -INFINITY : score; }

} // namespace

std::vector<ScoredFrame> worst_of_shots(const ScoreTable &table, std::size_t column, std::size_t count) {
    const std::vector<std::int64_t> starts = shot_starts(table);
    const auto shot_of = [&](std::int64_t frame) { return std::ranges::upper_bound(starts, frame) - starts.begin(); };
    std::vector<ScoredFrame> frames, worst;
    for (const FrameScores &frame : table.frames)
        frames.push_back({frame.frame, frame.scores[column]});
    std::ranges::sort(frames, {}, [](const ScoredFrame &f) { return std::pair(rank(f.score), f.frame); });
    for (const ScoredFrame &candidate : frames) {
        if (worst.size() == count)
            break;
        const auto in_shot = [&](const ScoredFrame &taken) {
            return starts.empty() ? std::abs(taken.frame - candidate.frame) < frames_apart
                                  : shot_of(taken.frame) == shot_of(candidate.frame);
        };
        if (std::ranges::none_of(worst, in_shot))
            worst.push_back(candidate);
    }
    return worst;
}

namespace {

constexpr std::size_t most_listed = 2000; ///< rows of a table: the page stays usable

std::string counted_rows(std::size_t count, std::string_view noun) {
    return counted(static_cast<std::int64_t>(count), noun);
}

/// The name of a row in a table: its label, or its distorted file.
std::string title_of(const Row &row) {
    return row.label.empty() ? fmt::format("<b>{}</b>", html_escape(row.distorted))
                             : fmt::format("<b>{}</b><br>{}", html_escape(row.label), html_escape(row.distorted));
}

std::string headline_html(std::span<const PageRow> rows, std::size_t failures) {
    const auto warned = std::ranges::count_if(rows, [](const PageRow &row) { return !row.warnings.empty(); });
    const std::string some = warned == 0 ? "" : fmt::format(", {} with warnings", count_text(warned));
    const std::string failed =
        failures == 0 ? "" : fmt::format(", {} failed", count_text(static_cast<std::int64_t>(failures)));
    return fmt::format("<header class=\"verdict {}\"><h1>{} scored{}{}</h1><p>isovmaf {}</p></header>\n",
                       failures > 0 ? "differ"
                       : warned > 0 ? "warned"
                                    : "equal",
                       counted_rows(rows.size(), "pair"), some, failed, version());
}

std::string more_html(std::size_t count, std::string_view file) {
    return count <= most_listed ? ""
                                : fmt::format("<p>The first {} of {}; all are in {}.</p>\n", count_text(most_listed),
                                              count_text(static_cast<std::int64_t>(count)), file);
}

std::string worst_text(std::span<const ScoredFrame> worst) {
    std::string out;
    for (const ScoredFrame &frame : worst)
        out += fmt::format("{}{} <small>({:.1f})</small>", out.empty() ? "" : ", ", frame.frame, frame.score);
    return out;
}

std::string warnings_html(std::span<const PairWarning> warnings) {
    std::string out;
    for (const PairWarning &warning : warnings)
        out += fmt::format("<p class=warning>&#9888; {}</p>", html_escape(warning.sentence));
    return out;
}

std::string score_row_html(const PageRow &row) {
    return fmt::format(
        "<tr><td>{}{}</td><td class=count data-name=\"bit rate\">{}</td><td class=count data-name=frames>{}</td>"
        "<td class=count data-name=mean><b>{:.3f}</b></td><td class=count data-name=\"5th percentile\">{:.3f}</td>"
        "<td class=count data-name=lowest>{:.3f}</td><td class=worst data-name=\"worst frames\">{}</td></tr>\n",
        title_of(row.row), warnings_html(row.warnings),
        row.row.bit_rate ? fmt::format("{:.10g}", *row.row.bit_rate) : "", count_text(row.frames), row.pooled.mean,
        row.pooled.percentile_5, row.pooled.min, worst_text(row.worst));
}

/// Rows of one reference and one score that follow each other stand below one heading.
std::string scores_html(std::span<const PageRow> rows) {
    if (rows.empty())
        return {};
    std::string out = "<h2>Scores</h2>\n<div class=\"card scroll pairs scores\"><table><thead><tr><th>pair</th><th "
                      "class=count>bit rate</th>"
                      "<th class=count>frames</th><th class=count>mean</th><th class=count>5th percentile</th>"
                      "<th class=count>lowest</th><th>worst frames</th></tr></thead><tbody>\n";
    const PageRow *last = nullptr;
    for (const PageRow &row : rows.first(std::min(rows.size(), most_listed))) {
        if (last == nullptr || last->row.reference != row.row.reference || last->score != row.score)
            out += fmt::format("<tr class=group><th colspan=7>{}<span>{}</span></th></tr>\n",
                               html_escape(row.row.reference), html_escape(row.score));
        out += score_row_html(row);
        last = &row;
    }
    return out +
           fmt::format("</tbody></table></div>\n<p class=note>Worst frames are the frames with the lowest score in "
                       "each shot, and their scores; a shot begins where the motion score peaks. In a video without "
                       "such peaks, worst frames are at least {} frames apart. The time that each pair took is in <a "
                       "href=timings.csv>timings.csv</a>, the slowest first; it differs from run to run.</p>\n",
                       frames_apart) +
           more_html(rows.size(), "results.csv");
}

/// Rows that failed for one reason.
struct Reason {
    FailureKind kind = FailureKind::invalid;
    std::string message; ///< without the names of the row's files
    std::vector<const PageFailure *> rows = {};
};

/// Reasons in the order of the rows that have them first.
std::vector<Reason> group_by_reason(std::span<const PageFailure> failures) {
    std::vector<Reason> reasons;
    std::map<std::pair<FailureKind, std::string>, std::size_t> places;
    for (const PageFailure &failure : failures) {
        const std::string message = hide_names(failure.message, failure.row.reference, failure.row.distorted);
        const auto [place, added] = places.try_emplace({failure.kind, message}, reasons.size());
        if (added)
            reasons.push_back({failure.kind, message});
        reasons[place->second].rows.push_back(&failure);
    }
    return reasons;
}

/// The first rows of a reason; their names take the places of {distorted} and {reference} in its message.
std::string failed_rows_html(const Reason &reason) {
    constexpr std::size_t most_shown = 5;
    std::string out;
    for (const PageFailure *const failure : std::span(reason.rows).first(std::min(reason.rows.size(), most_shown)))
        out += fmt::format("{}line {}: {}", out.empty() ? "" : "<br>", failure->row.line,
                           html_escape(failure->row.distorted));
    if (reason.rows.size() > most_shown)
        out += fmt::format("<br>and {} more", count_text(static_cast<std::int64_t>(reason.rows.size() - most_shown)));
    return out;
}

std::string failures_html(std::span<const PageFailure> failures) {
    if (failures.empty())
        return {};
    const std::vector<Reason> reasons = group_by_reason(failures);
    std::string out = "<h2>Failures by reason</h2>\n<div class=\"card scroll pairs\"><table><thead><tr>"
                      "<th class=count>pairs</th><th>kind</th><th>reason</th><th>which</th></tr></thead><tbody>\n";
    for (const Reason &reason : std::span(reasons).first(std::min(reasons.size(), most_listed)))
        out += fmt::format("<tr><td class=count>{}</td><td class=kind>{}</td><td>{}</td><td>{}</td></tr>\n",
                           count_text(static_cast<std::int64_t>(reason.rows.size())), failure_kind_name(reason.kind),
                           html_escape(reason.message), failed_rows_html(reason));
    return out + "</tbody></table></div>\n<p class=note>{reference} and {distorted} stand for the files of each pair. "
                 "All pairs are in <a href=failures.csv>failures.csv</a>.</p>\n";
}

constexpr std::string_view page_style = R"css(
.pairs td { overflow-wrap: anywhere; }
.pairs td.count, .pairs .kind { white-space: nowrap; overflow-wrap: normal; }
.pairs td:first-child { padding-left: 0; }
.pairs .group th { padding-top: 1rem; border-top: 2px solid var(--line); position: static; overflow-wrap: anywhere; }
.pairs .group span { margin-left: .75rem; color: var(--quiet); font-weight: 400; }
.pairs .worst { min-width: 9rem; overflow-wrap: normal; }
.pairs small { color: var(--quiet); }
.pairs .warning { margin: .25rem 0 0; max-width: 40rem; color: var(--warn); font-size: .875rem; }
.warned { background: var(--warn-back); border-color: var(--warn); }
.note { margin-top: .5rem; color: var(--quiet); font-size: .875rem; }
a { color: inherit; }
@media (max-width: 36rem) { /* a pair is a few lines, in which each number has its name */
  .scores thead { display: none; } .scores tr { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0;
    border-top: 1px solid var(--line); }
  .scores td, .scores th, .scores .group th { padding: 0; border: 0; } .scores td:first-child { flex-basis: 100%; }
  .scores td[data-name]:not(:empty)::before { content: attr(data-name) " "; color: var(--quiet); }
  .scores .worst { min-width: 0; } }
)css";

} // namespace

std::string_view failure_kind_name(FailureKind kind) {
    switch (kind) {
    case FailureKind::invalid:
        return "invalid";
    case FailureKind::permanent:
        return "permanent";
    case FailureKind::transient:
        return "transient";
    }
    return {};
}

std::string batch_page_html(std::span<const PageRow> rows, std::span<const PageFailure> failures) {
    const std::string curves = rate_curves_html(rows);
    return html_page("Batch",
                     headline_html(rows, failures.size()) + failures_html(failures) +
                         (curves.empty() ? "" : "<h2>Quality over bit rate</h2>\n" + curves) + scores_html(rows),
                     fmt::format("{}{}", page_style, rate_curves_style()));
}

} // namespace isovmaf::batch
