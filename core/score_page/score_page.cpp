// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/score_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "device/backend_names.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "report/writers.hpp"
#include "score_page/embedded.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

std::string score_page_html(const ScorePage &page) {
    const Report &report = page.report;
    const std::vector<ShownColumn> columns = shown_columns(report.scores, page.first_model);
    std::string body = headline_html(page, columns);
    body += notices_html(page);
    body += chart_html(page, columns);
    body += worst_frames_html(page, columns);
    body += distribution_html(report, columns);
    body += comparison_html(report);
    body += execution_html(report);
    if (!page.command.empty())
        body += fmt::format("<footer>Made by<pre>{}</pre></footer>\n", html_escape(page.command));
    body += fmt::format("<script type=\"application/json\" id=scores>{}</script>\n<script>\n{}</script>\n",
                        page_data_json(report, columns, page.most_numbers), score_page_script);
    const std::string title =
        fmt::format("isovmaf score: {} {}, {}", columns.front().label,
                    score_text(pool_column(report.scores, columns.front().index).mean), report.distorted.path);
    return html_page(title, body, score_page_style);
}

namespace {

std::string count_html(std::string_view name, std::string_view value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
}

/// The main scores; that of the first column is the headline itself.
std::string other_scores_html(const Report &report, std::span<const ShownColumn> columns) {
    std::string out;
    for (const ShownColumn &column : columns.subspan(1))
        if (column.main)
            out += count_html(html_escape(column.label), score_text(pool_column(report.scores, column.index).mean));
    return out;
}

std::string length_html(const Report &report) {
    const auto frames = static_cast<std::int64_t>(report.scores.frames.size());
    std::string out = count_html(frames == 1 ? "frame" : "frames", count_text(frames));
    if (report.video_rate > 0 && frames > 0) {
        const std::int64_t numbers = report.scores.frames.back().frame - report.scores.frames.front().frame + 1;
        out += count_html("duration", time_code(static_cast<double>(numbers) / report.video_rate));
    }
    return out;
}

std::string notice(std::string_view kind, std::string_view text) {
    return fmt::format("<li><b>{}</b> {}</li>\n", kind, html_escape(text));
}

} // namespace

std::string models_html(const Report &report, std::span<const ShownColumn> columns) {
    std::string out;
    for (const ShownColumn &column : columns)
        if (const std::string model = model_of(report, column.index); column.main && !model.empty())
            out += fmt::format("; {} is a score of the model {}", html_escape(column.label), html_escape(model));
    return out;
}

std::string headline_html(const ScorePage &page, std::span<const ShownColumn> columns) {
    const Report &report = page.report;
    const ShownColumn &column = columns.front();
    const PooledScore pooled = pool_column(report.scores, column.index);
    return fmt::format("<header class=\"verdict headline\"><h1><span>{}</span> {}</h1>\n"
                       "<p><b>{}</b> compared with its reference <b>{}</b></p>\n<p>isovmaf {}, {}{}</p>\n"
                       "<dl class=counts>{}{}{}{}{}</dl></header>\n",
                       html_escape(column.label), score_text(pooled.mean), html_escape(report.distorted.path),
                       html_escape(report.reference.path), html_escape(report.version), html_escape(report.semantics),
                       models_html(report, columns), count_html("lowest", score_text(pooled.min)),
                       count_html("5th percentile", score_text(pooled.percentile_5)),
                       count_html("harmonic mean", score_text(pooled.harmonic_mean)),
                       other_scores_html(report, columns), length_html(report));
}

std::string notices_html(const ScorePage &page) {
    std::string items;
    if (page.report.incomplete)
        items += notice("Incomplete:", std::string_view(incomplete_mark).substr(sizeof "incomplete:"));
    for (const PairWarning &warning : page.report.warnings)
        items += notice("Warning:", warning.sentence);
    const auto add_unless_warned = [&](std::string_view heading, const std::string &sentence) {
        const auto &warnings = page.report.warnings;
        if (!sentence.empty() && std::ranges::find(warnings, sentence, &PairWarning::sentence) == warnings.end())
            items += notice(heading, sentence);
    };
    for (const std::string &note : page.report.notes)
        add_unless_warned("Note:", note);
    add_unless_warned("Hint:", page.report.sync.hint);
    return items.empty() ? items : "<ul class=notices>\n" + items + "</ul>\n";
}

namespace {

std::string mebibytes_text(std::uint64_t bytes) {
    return bytes == 0 ? "" : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string positive(int count) { return count > 0 ? count_text(count) : ""; }

std::string place_card(const Execution &execution) {
    const std::vector<HtmlFact> facts{{"backend", execution.backend}, {"why", execution.reason}};
    return "<article class=card><h3>Backend</h3>" + fact_list_html(facts) + "</article>\n";
}

std::string device_card(const Execution &execution) {
    if (execution.plugin.empty())
        return "";
    const std::vector<HtmlFact> facts{{"device", execution.device},
                                      {"architecture", execution.arch},
                                      {"PCI address", execution.pci_id},
                                      {"runtime", execution.runtime},
                                      {"driver", execution.driver},
                                      {"plugin", execution.plugin},
                                      {"build id", execution.build_id},
                                      {"frames in flight", positive(execution.frames_in_flight)},
                                      {"queues", positive(execution.queues)},
                                      {"device memory, most", mebibytes_text(execution.memory.allocated_peak)},
                                      {"pinned memory", mebibytes_text(execution.memory.pinned)}};
    return "<article class=card><h3>Device</h3>" + fact_list_html(facts) + "</article>\n";
}

/// Kernel launches, device time and frames left to the CPU; empty cells for a feature that did not run on the device.
std::string work_cells(const Execution &execution, std::string_view feature, bool timing) {
    const auto work = std::ranges::find(execution.work, feature, &FeatureWork::feature);
    if (work == execution.work.end())
        return timing ? "<td></td><td></td><td></td>" : "<td></td><td></td>";
    return fmt::format("<td class=count>{}</td>{}<td class=count>{}</td>", count_text(work->launches),
                       timing ? fmt::format("<td class=count>{:.1f} ms</td>", work->milliseconds) : "",
                       count_text(work->flagged));
}

std::string placement_table(const Report &report) {
    const Execution &execution = report.execution;
    if (execution.placement.empty())
        return "";
    const bool device = !execution.plugin.empty();
    std::string out = "<div class=\"card scroll\"><table><thead><tr><th>feature</th><th>ran on</th><th>code</th>";
    if (device)
        out += fmt::format("<th class=count>kernel launches</th>{}<th class=count>frames left to the CPU</th>",
                           report.timing ? "<th class=count>device time</th>" : "");
    out += "<th></th></tr></thead><tbody>\n";
    for (const FeaturePlacement &place : execution.placement)
        out +=
            fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td>{}<td>{}</td></tr>\n", html_escape(place.feature),
                        html_escape(place.backend), html_escape(place.code),
                        device ? work_cells(execution, place.feature, report.timing) : "", html_escape(place.reason));
    out += "</tbody></table></div>\n";
    for (const auto &[feature, origin] : origins_of(report.scores))
        out += fmt::format("<p>The scores of {} are those of {}.</p>\n", html_escape(feature), html_escape(origin));
    return out;
}

} // namespace

std::string execution_html(const Report &report) {
    const std::string speed =
        report.timing ? fmt::format("<p class=speed>{:.2f} frames per second</p>\n", report.fps) : "";
    return "<h2>Where it was computed</h2>\n" + placement_table(report) + "<div class=cards>\n" +
           place_card(report.execution) + device_card(report.execution) + "</div>\n" + speed;
}

} // namespace isovmaf
