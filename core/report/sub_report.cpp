// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <iterator>

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

std::string write_sub(const Report &report, Precision precision) {
    const ScoreTable &scores = report.scores;
    std::vector<std::string> labels;
    for (const std::string &name : scores.names)
        labels.push_back(sub_escape(name) + ": ");

    std::string out;
    for (std::size_t row = 0; row < scores.frames.size(); row++) {
        const FrameScores &frame = scores.frames[row];
        fmt::format_to(std::back_inserter(out), "{{{0}}}{{{1}}}frame: {0}|", frame.frame, frame.frame + 1);
        for (std::size_t i = 0; i < labels.size(); i++) {
            if (!report.has_score(row, i))
                continue;
            out += labels[i];
            append_number(out, frame.scores[i], precision);
            out += '|';
        }
        out += '\n';
    }
    if (report.incomplete) {
        const std::int64_t end = scores.frames.empty() ? 0 : scores.frames.back().frame + 1;
        fmt::format_to(std::back_inserter(out), "{{{}}}{{{}}}{}|\n", end, end + 1, incomplete_mark);
    }
    return out;
}

} // namespace isovmaf
