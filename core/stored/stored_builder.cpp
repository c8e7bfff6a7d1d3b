// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_builder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/text.hpp"

namespace isovmaf {

void refuse(std::string problem) { throw Failure({ErrorCode::corrupt_data, std::move(problem)}); }

std::string line_of(std::string_view text, std::size_t position) {
    return fmt::format("line {}", 1 + std::ranges::count(text.substr(0, position), '\n'));
}

void StoredBuilder::check(std::string_view name, std::string_view text) {
    if (!is_stored_number(text))
        refuse(fmt::format("{} must be a number, but is {}", quote(name), quote(text)));
    evidence_.add(text);
}

void StoredBuilder::frame(std::int64_t number) {
    if (!report.frames.empty() && number <= report.frames.back().frame)
        refuse(fmt::format("frame {} comes after frame {}", number, report.frames.back().frame));
    if (number < 0)
        refuse(fmt::format("there is no frame {}", number));
    report.frames.push_back({number, std::vector<std::string>(report.names.size())});
}

void StoredBuilder::score(std::string_view name, std::string_view text) {
    check(name, text);
    auto column = columns_.find(name);
    if (column == columns_.end()) {
        column = columns_.emplace(name, report.names.size()).first;
        report.names.emplace_back(name);
    }
    std::vector<std::string> &texts = report.frames.back().texts;
    texts.resize(report.names.size());
    std::string &cell = texts[column->second];
    if (!cell.empty())
        refuse(fmt::format("frame {} has the score {} twice", report.frames.back().frame, quote(name)));
    cell = text;
}

void StoredBuilder::pooled(std::string_view name, std::string_view statistic, std::string_view text) {
    check(statistic, text);
    if (!totals_.try_emplace({std::string(name), std::string(statistic)}).second)
        refuse(fmt::format("the {} of {} stands twice", statistic, quote(name)));
    report.pooled.push_back({std::string(name), std::string(statistic), std::string(text)});
}

void StoredBuilder::aggregate(std::string_view name, std::string_view text) {
    check(name, text);
    if (!totals_.try_emplace({std::string(name), std::string()}).second)
        refuse(fmt::format("the aggregate {} stands twice", quote(name)));
    report.aggregates.push_back({std::string(name), {}, std::string(text)});
}

StoredReport StoredBuilder::take() {
    for (StoredFrame &frame : report.frames)
        frame.texts.resize(report.names.size());
    if (precision == "legacy")
        report.style = NumberStyle::legacy;
    else if (precision.empty())
        report.style = evidence_.style();
    return std::move(report);
}

} // namespace isovmaf
