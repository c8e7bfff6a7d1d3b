// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace isovmaf {

namespace {

struct Heading {
    std::string_view text;
    double PooledScore::*value;
};

constexpr std::array<Heading, 7> headings{{
    {"mean", &PooledScore::mean},
    {"min", &PooledScore::min},
    {"max", &PooledScore::max},
    {"harm. mean", &PooledScore::harmonic_mean},
    {"1 %", &PooledScore::percentile_1},
    {"5 %", &PooledScore::percentile_5},
    {"10 %", &PooledScore::percentile_10},
}};

/// Names up to this width and seven columns of 100.000000 fit into 100 characters. A longer name has a line of its own.
constexpr std::size_t widest_name = 23;
constexpr std::size_t narrowest_value = 10;

using Row = std::vector<std::string>; ///< a name and its values

std::string value_text(double value) { return fmt::format("{:.6f}", value); }

Row pooled_row(const ScoreTable &scores, std::size_t column) {
    const PooledScore pooled = pool_column(scores, column);
    Row row{scores.names[column]};
    for (const Heading &heading : headings)
        row.push_back(value_text(pooled.*heading.value));
    return row;
}

/// Groups of rows with a rule between them.
class Table {
  public:
    void add(Row row) { groups_.back().push_back(std::move(row)); }

    void start_group() {
        if (!groups_.back().empty())
            groups_.emplace_back();
    }

    std::string text() const {
        std::vector<std::size_t> widths = column_widths();
        std::size_t total = 0;
        for (const std::size_t width : widths)
            total += width + 1;
        const std::string rule = std::string(total - 1, '-') + '\n';
        std::string out;
        for (const auto &group : groups_) {
            if (group.empty())
                continue;
            out += out.empty() ? "" : rule;
            for (const Row &row : group)
                append_row(row, widths, out);
        }
        return out;
    }

  private:
    std::vector<std::size_t> column_widths() const {
        std::vector<std::size_t> widths(1 + headings.size(), narrowest_value);
        for (const auto &group : groups_)
            for (const Row &row : group) {
                widths[0] = std::max(widths[0], std::min(row[0].size(), widest_name));
                for (std::size_t i = 1; i < row.size(); i++)
                    widths[i] = std::max(widths[i], row[i].size());
            }
        return widths;
    }

    static void append_row(const Row &row, const std::vector<std::size_t> &widths, std::string &out) {
        out += row[0];
        if (row[0].size() > widths[0])
            out += '\n' + std::string(widths[0], ' ');
        else if (row.size() > 1)
            out.append(widths[0] - row[0].size(), ' ');
        for (std::size_t i = 1; i < row.size(); i++)
            fmt::format_to(std::back_inserter(out), " {:>{}}", row[i], widths[i]);
        out += '\n';
    }

    std::vector<std::vector<Row>> groups_{1};
};

} // namespace

std::string terminal_table(const ScoreTable &scores, std::size_t first_model) {
    Table table;
    Row head{fmt::format("{} frame{}", scores.frames.size(), scores.frames.size() == 1 ? "" : "s")};
    for (const Heading &heading : headings)
        head.emplace_back(heading.text);
    table.add(std::move(head));
    for (std::size_t i = 0; i < scores.names.size(); i++) {
        if (i == 0 || i == first_model)
            table.start_group();
        table.add(pooled_row(scores, i));
    }
    table.start_group();
    for (const auto &[name, value] : scores.aggregates)
        table.add({name, value_text(value)});
    return table.text();
}

} // namespace isovmaf
