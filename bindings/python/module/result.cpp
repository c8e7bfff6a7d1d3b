// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "result.hpp"

#include <cstdint>
#include <utility>

#include <pybind11/numpy.h>

#include "base/try.hpp"
#include "engine/score_table.hpp"
#include "report/writers.hpp"
#include "report_fields.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

/// One value of each frame as an array.
template <class T, class Value>
py::array_t<T> column(const std::vector<FrameScores> &frames, const Value &value) {
    py::array_t<T> values(static_cast<py::ssize_t>(frames.size()));
    T *next = values.mutable_data();
    for (const FrameScores &frame : frames)
        *next++ = value(frame);
    return values;
}

py::dict to_python(const PooledScore &pooled) {
    py::dict values;
    for (const PooledStatistic &statistic : pooled_statistics)
        values[to_text(statistic.name)] = pooled.*statistic.value;
    return values;
}

} // namespace

Result<VideoScores> collect_scores(const Session &session, Report report) {
    TRY(session.pooled(session.score_names().front())); // none without frames
    report.scores = session.scores();
    report.scores.aggregates = session.aggregates();
    report.execution = session.execution();
    return VideoScores{.report = std::move(report), .first_model = session.feature_score_count()};
}

py::dict to_python(VideoScores scores) {
    py::dict columns, pooled, aggregates, values;
    const ScoreTable &table = scores.report.scores;
    for (std::size_t i = 0; i < table.names.size(); i++) {
        const py::str name = to_text(table.names[i]);
        columns[name] = column<double>(table.frames, [i](const FrameScores &frame) { return frame.scores[i]; });
        pooled[name] = to_python(pool_column(table, i));
    }
    for (const auto &[name, value] : table.aggregates)
        aggregates[to_text(name)] = value;
    values["frames"] = column<std::int64_t>(table.frames, [](const FrameScores &frame) { return frame.frame; });
    values["scores"] = columns;
    values["pooled"] = pooled;
    values["aggregates"] = aggregates;
    values["notes"] = to_object(scores.notes);
    values["first_model"] = scores.first_model;
    values["report"] = to_object(scores.report);
    return values;
}

py::object to_python(Execution execution) { return to_object(execution); }

} // namespace isovmaf::python
