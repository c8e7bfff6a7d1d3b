// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "result.hpp"

#include <cstdint>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "base/try.hpp"

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
    values["min"] = pooled.min;
    values["max"] = pooled.max;
    values["mean"] = pooled.mean;
    values["harmonic_mean"] = pooled.harmonic_mean;
    values["percentile_1"] = pooled.percentile_1;
    values["percentile_5"] = pooled.percentile_5;
    values["percentile_10"] = pooled.percentile_10;
    return values;
}

py::dict to_python(const FeaturePlacement &placement) {
    py::dict values;
    values["feature"] = placement.feature;
    values["backend"] = placement.backend;
    values["code"] = placement.code;
    values["reason"] = placement.reason;
    return values;
}

} // namespace

Result<VideoScores> collect_scores(const Session &session) {
    VideoScores scores{.names = session.score_names(), .frames = session.scores().frames};
    for (const std::string &name : scores.names)
        scores.pooled.push_back(TRY(session.pooled(name)));
    scores.aggregates = session.aggregates();
    scores.execution = session.execution();
    return scores;
}

py::dict to_python(const VideoScores &scores) {
    py::dict columns, pooled, aggregates, values;
    for (std::size_t i = 0; i < scores.names.size(); i++) {
        const py::str name(scores.names[i]);
        columns[name] = column<double>(scores.frames, [i](const FrameScores &frame) { return frame.scores[i]; });
        pooled[name] = to_python(scores.pooled[i]);
    }
    for (const auto &[name, value] : scores.aggregates)
        aggregates[py::str(name)] = value;
    values["frames"] = column<std::int64_t>(scores.frames, [](const FrameScores &frame) { return frame.frame; });
    values["scores"] = columns;
    values["pooled"] = pooled;
    values["aggregates"] = aggregates;
    values["execution"] = to_python(scores.execution);
    values["notes"] = scores.notes;
    return values;
}

py::dict to_python(const Execution &execution) {
    py::list placement;
    for (const FeaturePlacement &place : execution.placement)
        placement.append(to_python(place));
    py::dict launches, values;
    for (const FeatureWork &work : execution.work)
        launches[py::str(work.feature)] = work.launches;
    values["backend"] = execution.backend;
    values["reason"] = execution.reason;
    values["plugin"] = execution.plugin;
    values["build_id"] = execution.build_id;
    values["device"] = execution.device;
    values["arch"] = execution.arch;
    values["pci_id"] = execution.pci_id;
    values["runtime"] = execution.runtime;
    values["driver"] = execution.driver;
    values["frames_in_flight"] = execution.frames_in_flight;
    values["placement"] = placement;
    values["launches"] = launches;
    values["fetched"] = execution.fetched;
    values["notices"] = execution.notices;
    return values;
}

} // namespace isovmaf::python
