// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/terminal.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "features/registry.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view gap = "..";

std::string without_affixes(std::string_view name) {
    for (const std::string_view prefix : {"VMAF_integer_feature_", "VMAF_feature_", "integer_"})
        if (name.starts_with(prefix) && name.size() > prefix.size()) {
            name.remove_prefix(prefix.size());
            break;
        }
    constexpr std::string_view suffix = "_score";
    if (name.ends_with(suffix) && name.size() > suffix.size())
        name.remove_suffix(suffix.size());
    return std::string(name);
}

/// The name without the options of its feature.
std::string without_options(const std::string &name) {
    std::string found;
    for (const FeatureDescriptor *feature : all_features())
        for (const OutputSpec &output : feature->outputs)
            for (const std::string &text : {report_name(std::string(output.base_name)), std::string(output.alias)})
                if (text.size() > found.size() && (name == text || name.starts_with(text + '_')))
                    found = text;
    return found.empty() ? name : found;
}

/// How many texts there are of each.
std::map<std::string, int> count_uses(const std::vector<std::string> &texts) {
    std::map<std::string, int> uses;
    for (const std::string &text : texts)
        uses[text]++;
    return uses;
}

/// Where the characters of a text begin: the bytes that do not go on with one of UTF-8.
std::vector<std::size_t> character_starts(std::string_view text) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); i++)
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80)
            starts.push_back(i);
    return starts;
}

struct Heading {
    std::string_view text;
    double PooledScore::*value;
};

constexpr std::array<Heading, 7> headings{{
    {"mean", &PooledScore::mean},
    {"min", &PooledScore::min},
    {"max", &PooledScore::max},
    {"harmonic", &PooledScore::harmonic_mean},
    {"1 %", &PooledScore::percentile_1},
    {"5 %", &PooledScore::percentile_5},
    {"10 %", &PooledScore::percentile_10},
}};

/// Names up to this width and seven values fit into 80 characters. A longer name has a line of its own.
constexpr std::size_t widest_name = 17;
constexpr std::size_t value_width = 8;

using Row = std::vector<std::string>; ///< a name and its values

/// Groups of rows with a rule between them.
class Table {
  public:
    void add(Row row) { groups_.back().push_back(std::move(row)); }

    void start_group() {
        if (!groups_.back().empty())
            groups_.emplace_back();
    }

    std::string text() const {
        const std::size_t name_width = width_of_names();
        const std::string rule = std::string(name_width + headings.size() * (1 + value_width), '-') + '\n';
        std::string out;
        for (const auto &group : groups_) {
            if (group.empty())
                continue;
            out += out.empty() ? "" : rule;
            for (const Row &row : group)
                append_row(row, name_width, out);
        }
        return out;
    }

  private:
    std::size_t width_of_names() const {
        std::size_t width = 0;
        for (const auto &group : groups_)
            for (const Row &row : group)
                width = std::max(width, std::min(row[0].size(), widest_name));
        return width;
    }

    static void append_row(const Row &row, std::size_t name_width, std::string &out) {
        out += row[0];
        if (row[0].size() > name_width)
            out += '\n' + std::string(name_width, ' ');
        else
            out.append(name_width - row[0].size(), ' ');
        for (std::size_t i = 1; i < row.size(); i++)
            fmt::format_to(std::back_inserter(out), " {:>{}}", row[i], value_width);
        out += '\n';
    }

    std::vector<std::vector<Row>> groups_{1};
};

/// A feature's name of at most `width` characters, with ".." in place of as many options as it takes.
std::string fit_options(const std::string &name, std::size_t width) {
    const std::string whole = without_affixes(name), output = without_affixes(without_options(name));
    const std::size_t start = output.size() + gap.size();
    if (whole.size() <= width || start >= width)
        return fit_name(whole, width);
    return fmt::format("{}{}{}", output, gap, whole.substr(whole.size() - (width - start)));
}

Row pooled_row(const ScoreTable &scores, std::size_t column, const std::string &name) {
    const PooledScore pooled = pool_column(scores, column);
    Row row{name};
    for (const Heading &heading : headings)
        row.push_back(table_value(pooled.*heading.value));
    return row;
}

} // namespace

/// Keeps as much of the start as of the end, where option values stand.
std::string fit_name(std::string_view name, std::size_t width) {
    const std::vector<std::size_t> starts = character_starts(name);
    if (starts.size() <= width)
        return std::string(name);
    const std::size_t tail = (width - gap.size()) / 2;
    return fmt::format("{}{}{}", name.substr(0, starts[width - gap.size() - tail]), gap,
                       name.substr(starts[starts.size() - tail]));
}

std::string table_value(double value) {
    for (int decimals = 4; decimals >= 0; decimals--)
        if (std::string text = fmt::format("{:.{}f}", value, decimals); text.size() <= value_width)
            return text;
    return fmt::format("{:.1e}", value);
}

std::vector<std::string> short_names(const std::vector<std::string> &names, std::size_t width, std::size_t features) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < names.size(); i++)
        texts.push_back(fit_name(without_affixes(i < features ? without_options(names[i]) : names[i]), width));
    std::map<std::string, int> uses = count_uses(texts);
    for (std::size_t i = 0; i < names.size(); i++)
        if (uses[texts[i]] > 1)
            texts[i] = i < features ? fit_options(names[i], width) : fit_name(without_affixes(names[i]), width);
    uses = count_uses(texts);
    for (std::size_t i = 0; i < names.size(); i++)
        if (uses[texts[i]] > 1)
            texts[i] = names[i];
    return texts;
}

std::string model_of(const Report &report, std::size_t column) {
    const ScoreTable &scores = report.scores;
    const std::string &name = scores.sources.empty() ? scores.names[column] : scores.sources[column];
    const auto model = std::ranges::find(report.models, name, &std::pair<std::string, std::string>::first);
    if (model == report.models.end())
        return "";
    const std::string origin = model->second.substr(model->second.find('=') + 1);
    return origin == scores.names[column] ? "" : origin;
}

bool is_bootstrap_member(const ScoreTable &scores, std::size_t column) {
    const std::string &name = scores.names[column], model = scores.sources.empty() ? name : scores.sources[column];
    return name.size() == model.size() + 5 && name.starts_with(model + "_") &&
           std::all_of(name.end() - 4, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string pooled_table(const ScoreTable &scores, std::size_t first_model) {
    const std::vector<std::string> names = short_names(scores.names, widest_name, first_model);
    Table table;
    Row head{counted(static_cast<std::int64_t>(scores.frames.size()), "frame")};
    for (const Heading &heading : headings)
        head.emplace_back(heading.text);
    table.add(std::move(head));
    table.start_group();
    for (std::size_t i = first_model; i < scores.names.size(); i++)
        if (!is_bootstrap_member(scores, i))
            table.add(pooled_row(scores, i, names[i]));
    table.start_group();
    for (const auto &[name, value] : scores.aggregates)
        table.add({name, table_value(value)});
    table.start_group();
    for (std::size_t i = 0; i < std::min(first_model, scores.names.size()); i++)
        table.add(pooled_row(scores, i, names[i]));
    return table.text();
}

} // namespace isovmaf
