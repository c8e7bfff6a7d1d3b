// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <iterator>

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

std::string write_csv(const Report &report, Precision precision) {
    const ScoreTable &scores = report.scores;
    std::string out = "Frame,";
    for (const std::string &name : scores.names)
        out += csv_escape(name) + ',';
    out += report.video_rate > 0 ? fmt::format("{},\n", csv_time_column) : "\n";
    for (std::size_t row = 0; row < scores.frames.size(); row++) {
        const FrameScores &frame = scores.frames[row];
        fmt::format_to(std::back_inserter(out), "{},", frame.frame);
        for (std::size_t i = 0; i < frame.scores.size(); i++) {
            if (report.has_score(row, i))
                append_number(out, frame.scores[i], precision);
            out += ',';
        }
        if (const std::optional<double> time = report.frame_time(frame.frame))
            fmt::format_to(std::back_inserter(out), "{:.3f},", *time);
        out += '\n';
    }
    if (report.incomplete)
        fmt::format_to(std::back_inserter(out), "# {}\n", incomplete_mark);
    return out;
}

} // namespace isovmaf
