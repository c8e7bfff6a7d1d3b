// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/result_files.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/results/batch_page.hpp"
#include "batch/results/bd_rate.hpp"
#include "report/escape.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "report/writers.hpp"
#include "request/pair_job.hpp"

namespace isovmaf::batch {

namespace {

/// Statistics that the table has for each score. The JSON lines have more.
const std::span<const PooledStatistic> csv_statistics = statistics_of(ReportLayout::libvmaf);

std::string number(double value) {
    std::string text;
    append_number(text, value, Precision::max);
    return text;
}

std::string json_number(double value) {
    std::string text;
    append_json_number(text, value, Precision::max);
    return text;
}

/// "line": 2, "reference": "a.mkv", ...
std::string json_start(const Row &row) {
    std::string text = fmt::format("{{\"line\": {}, \"reference\": \"{}\", \"distorted\": \"{}\"", row.line,
                                   json_escape(row.reference), json_escape(row.distorted));
    if (!row.label.empty())
        text += fmt::format(", \"label\": \"{}\"", json_escape(row.label));
    if (row.bit_rate)
        text += fmt::format(", \"bit_rate\": {}", json_number(*row.bit_rate));
    return text;
}

std::string csv_start(const Row &row) {
    return fmt::format("{},{},{},{},{}", row.line, csv_text(row.reference), csv_text(row.distorted),
                       csv_text(row.label), row.bit_rate ? number(*row.bit_rate) : "");
}

constexpr std::string_view csv_start_columns = "line,reference,distorted,label,bit_rate";

std::string json_list(std::span<const std::string> texts) {
    std::string list;
    for (const std::string &text : texts)
        list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", json_escape(text));
    return fmt::format("[{}]", list);
}

} // namespace

Fields with_settled(Fields options, const Fields &settled) {
    for (const RequestOptionName &option : settled.empty() ? std::vector<RequestOptionName>() : request_option_names())
        if (const auto decided = settled.find(option.name); decided != settled.end()) {
            std::vector<std::string> &values = options[option.name];
            if (!option.is_list)
                values.clear();
            values.insert(values.end(), decided->second.begin(), decided->second.end());
        }
    return options;
}

namespace {

/// "models": {...}, "options": {...}, "warnings": [...]
std::string json_facts(const Row &row, const RowFacts &facts) {
    std::string models, options, warnings;
    for (const auto &[name, model] : facts.models)
        models += fmt::format("{}\"{}\": \"{}\"", models.empty() ? "" : ", ", json_escape(name), json_escape(model));
    for (const auto &[name, values] : with_settled(row.options, facts.settled))
        options += fmt::format("{}\"{}\": {}", options.empty() ? "" : ", ", json_escape(name), json_list(values));
    for (const PairWarning &warning : facts.warnings)
        warnings += fmt::format("{}{{\"kind\": \"{}\", \"text\": \"{}\"}}", warnings.empty() ? "" : ", ",
                                json_escape(warning.kind), json_escape(warning.sentence));
    return fmt::format("\"models\": {{{}}}, \"options\": {{{}}}, \"warnings\": [{}]", models, options, warnings);
}

/// , "facts": [...] where features depend on facts of the videos
std::string json_used(const std::vector<UsedFact> &facts) {
    std::string list;
    for (const UsedFact &fact : facts)
        list += fmt::format(R"({}{{"feature": "{}", "option": "{}", "value": {}, "meaning": {}}})",
                            list.empty() ? "" : ", ", json_escape(fact.feature), json_escape(fact.option), fact.value,
                            fact.meaning.empty() ? "null" : fmt::format("\"{}\"", json_escape(fact.meaning)));
    return list.empty() ? "" : fmt::format(", \"facts\": [{}]", list);
}

/// What json_facts has in CSV, and the number of frames. Models and options are words of a shell: name=value.
std::string csv_facts(const Row &row, const RowFacts &facts, std::size_t frames) {
    std::vector<std::string> models, options, warnings;
    for (const auto &[name, model] : facts.models)
        models.push_back(quote_for_shell(fmt::format("{}={}", name, model)));
    for (const auto &[name, values] : with_settled(row.options, facts.settled))
        for (const std::string &value : values)
            options.push_back(quote_for_shell(fmt::format("{}={}", name, value)));
    for (const PairWarning &warning : facts.warnings)
        warnings.push_back(warning.sentence);
    const auto cell = [](const std::vector<std::string> &texts, std::string_view between) {
        return csv_text(fmt::to_string(fmt::join(texts, between)));
    };
    return fmt::format("{},{},{},{}", cell(models, " "), cell(options, " "), cell(warnings, " | "), frames);
}

constexpr std::string_view csv_facts_columns = "models,options,warnings,frames";

/// A line for each curve but the first of its chart, which is the anchor.
std::string bd_rates_csv(std::span<const PageRow> rows) {
    std::string text = "reference,score,anchor,label,bd_rate,missing\n";
    for (const RateChart &chart : rate_charts(rows)) {
        const RateCurve &anchor = chart.curves.front();
        for (const RateCurve &curve : std::span(chart.curves).subspan(1)) {
            const auto rate = bd_rate(anchor.points, curve.points);
            text += fmt::format("{},{},{},{},{},{}\n", csv_text(chart.reference), csv_text(chart.score),
                                csv_text(anchor.label), csv_text(curve.label), rate ? fmt::format("{:.4f}", *rate) : "",
                                rate ? "" : csv_text(rate.error()));
        }
    }
    return text;
}

PageRow page_row(const Row &row, const WordScores &scores, const RowFacts &facts) {
    const ScoreTable &table = scores.table;
    const std::size_t main = scores.feature_score_count < table.names.size() ? scores.feature_score_count : 0;
    return {row,
            table.names[main],
            pool_column(table, main),
            static_cast<std::int64_t>(table.frames.size()),
            worst_of_shots(table, main, most_worst_frames),
            facts.warnings};
}

} // namespace

/// Text in which apostrophes stand before such a character gets one more too, so that a reader who takes one apostrophe
/// away from each such cell has every original back.
std::string csv_text(std::string_view text) {
    constexpr std::string_view starts_formula = "=+-@\t\r";
    const std::size_t first = text.find_first_not_of('\'');
    const bool risky = first != std::string_view::npos && starts_formula.find(text[first]) != std::string_view::npos;
    return csv_escape(risky ? fmt::format("'{}", text) : std::string(text));
}

Result<ResultFiles> ResultFiles::create(const std::filesystem::path &folder) {
    NewFile json = TRY(NewFile::create(folder / "results.jsonl"));
    NewFile failures =
        TRY(NewFile::create(folder / "failures.csv", fmt::format("{},kind,message\n", csv_start_columns)));
    return ResultFiles(folder, std::move(json), std::move(failures));
}

std::size_t ResultFiles::layout_of(const WordScores &scores) {
    std::vector<std::string> names;
    for (const std::string &name : scores.table.names)
        for (const PooledStatistic &statistic : csv_statistics)
            names.push_back(fmt::format("{}_{}", name, statistic.name));
    for (const auto &[name, value] : scores.table.aggregates)
        names.push_back(name);
    const auto found = std::ranges::find(layouts_, names);
    const auto index = static_cast<std::size_t>(found - layouts_.begin());
    if (found == layouts_.end())
        layouts_.push_back(std::move(names));
    return index;
}

Result<void> ResultFiles::add(const Row &row, const WordScores &scores, const RowFacts &facts) {
    const ScoreTable &table = scores.table;
    CsvRow csv{.start = csv_start(row),
               .facts = csv_facts(row, facts, table.frames.size()),
               .layout = layout_of(scores),
               .values = {},
               .frames = static_cast<std::int64_t>(table.frames.size()),
               .seconds = facts.seconds};
    std::string json = fmt::format("{}, {}{}, \"frames\": {}, \"scores\": {{", json_start(row), json_facts(row, facts),
                                   json_used(scores.facts), table.frames.size());
    for (std::size_t i = 0; i < table.names.size(); i++) {
        const PooledScore pooled = pool_column(table, i);
        json += fmt::format("{}\"{}\": {{", i == 0 ? "" : ", ", json_escape(table.names[i]));
        for (const PooledStatistic &statistic : statistics_of(ReportLayout::isovmaf))
            json += fmt::format("{}\"{}\": {}", json.ends_with('{') ? "" : ", ", statistic.name,
                                json_number(pooled.*statistic.value));
        json += '}';
        for (const PooledStatistic &statistic : csv_statistics)
            csv.values.push_back(pooled.*statistic.value);
    }
    json += "}, \"aggregates\": {";
    for (const auto &[name, value] : table.aggregates) {
        json += fmt::format("{}\"{}\": {}", json.ends_with('{') ? "" : ", ", json_escape(name), json_number(value));
        csv.values.push_back(value);
    }
    csv_rows_.push_back(std::move(csv));
    page_rows_.push_back(page_row(row, scores, facts));
    return json_.write(json + "}}\n");
}

Result<void> ResultFiles::add_failure(const Row &row, FailureKind kind, const std::string &message) {
    page_failures_.push_back({row, kind, message});
    return failures_.write(fmt::format("{},{},{}\n", csv_start(row), failure_kind_name(kind), csv_text(message)));
}

/// The columns of all layouts, in the order of the rows that have them first. A row is empty where it has no value.
Result<NewFile> ResultFiles::csv_file() const {
    std::map<std::string, std::size_t> column_of;
    std::vector<std::string> columns;
    std::vector<std::vector<std::size_t>> places(layouts_.size());
    for (std::size_t layout = 0; layout < layouts_.size(); layout++)
        for (const std::string &name : layouts_[layout]) {
            const auto [column, added] = column_of.try_emplace(name, columns.size());
            if (added)
                columns.push_back(name);
            places[layout].push_back(column->second);
        }
    NewFile file = TRY(NewFile::create(folder_ / "results.csv"));
    std::string text = fmt::format("{},{}", csv_start_columns, csv_facts_columns);
    for (const std::string &name : columns)
        text += ',' + csv_text(name);
    TRY(file.write(text + '\n'));
    for (const CsvRow &row : csv_rows_) {
        std::vector<std::optional<double>> values(columns.size());
        for (std::size_t i = 0; i < row.values.size(); i++)
            values[places[row.layout][i]] = row.values[i];
        text = fmt::format("{},{}", row.start, row.facts);
        for (const std::optional<double> &value : values)
            text += value ? ',' + number(*value) : ",";
        TRY(file.write(text + '\n'));
    }
    return file;
}

/// The slowest rows first, by the time of a frame.
Result<NewFile> ResultFiles::timings_file() const {
    std::vector<const CsvRow *> rows;
    for (const CsvRow &row : csv_rows_)
        rows.push_back(&row);
    const auto speed = [](const CsvRow *row) {
        return row->seconds > 0 ? static_cast<double>(row->frames) / row->seconds : 0;
    };
    std::ranges::stable_sort(rows, {}, speed);
    NewFile file = TRY(NewFile::create(folder_ / "timings.csv",
                                       fmt::format("{},frames,seconds,frames_per_second\n", csv_start_columns)));
    for (const CsvRow *const row : rows)
        TRY(file.write(fmt::format("{},{},{:.3f},{:.2f}\n", row->start, row->frames, row->seconds, speed(row))));
    return file;
}

Result<void> ResultFiles::complete() {
    files_.push_back(std::move(json_));
    files_.push_back(std::move(failures_));
    files_.push_back(TRY(csv_file()));
    files_.push_back(TRY(timings_file()));
    files_.push_back(TRY(NewFile::create(folder_ / "bd_rates.csv", bd_rates_csv(page_rows_))));
    files_.push_back(TRY(NewFile::create(folder_ / "report.html", batch_page_html(page_rows_, page_failures_))));
    for (NewFile &file : files_)
        TRY(file.complete());
    return {};
}

Result<void> ResultFiles::commit() { return commit_together(files_, folder_); }

std::string ResultFiles::scores_table() const {
    constexpr std::size_t most_shown = 20, name_width = 32, score_width = 12;
    if (page_rows_.empty())
        return {};
    std::string text = fmt::format("{:<{}} {:<{}} {:>7} {:>8} {:>8} {:>8}\n", "pair", name_width, "score", score_width,
                                   "frames", "mean", "5 %", "min");
    for (const PageRow &row : std::span(page_rows_).first(std::min(page_rows_.size(), most_shown)))
        text += fmt::format(
            "{:<{}} {:<{}} {:>7} {:>8} {:>8} {:>8}\n", fit_name(escape_controls(row.row.distorted), name_width),
            name_width, fit_name(escape_controls(row.score), score_width), score_width, row.frames,
            table_value(row.pooled.mean), table_value(row.pooled.percentile_5), table_value(row.pooled.min));
    if (page_rows_.size() > most_shown)
        text += fmt::format("and {} in {}\n",
                            counted(static_cast<std::int64_t>(page_rows_.size() - most_shown), "more pair"),
                            (folder_ / "results.csv").string());
    if (const auto warned = std::ranges::count_if(page_rows_, [](const PageRow &row) { return !row.warnings.empty(); });
        warned > 0)
        text += fmt::format("{} with warnings: see the column `warnings` of {}\n", counted(warned, "pair"),
                            (folder_ / "results.csv").string());
    return text;
}

} // namespace isovmaf::batch
