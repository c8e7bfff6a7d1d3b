// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "report/report.hpp"
#include "text.hpp"

/// What a report says beside the scores, as dictionaries and back: a result of Python holds it, so that it can be
/// pickled and written later. One list of fields serves both ways.
namespace isovmaf::python {

template <class Field>
void each_field(const Field &field, VideoFormat &format) {
    field("width", format.width);
    field("height", format.height);
    field("chroma", format.chroma);
    field("bit_depth", format.bit_depth);
}

template <class Field>
void each_field(const Field &field, ReportInput &input) {
    field("path", input.path);
    field("container", input.container);
    field("codec", input.codec);
    field("format", input.format);
    field("stream", input.stream);
    field("pixel_format", input.pixel_format);
    field("colour", input.colour);
    field("conversions", input.conversions);
    field("ffmpeg_command", input.ffmpeg_command);
    field("decoder", input.decoder);
    field("film_grain", input.film_grain);
}

template <class Field>
void each_field(const Field &field, PairWarning &warning) {
    field("kind", warning.kind);
    field("text", warning.sentence);
}

template <class Field>
void each_field(const Field &field, UsedFact &fact) {
    field("feature", fact.feature);
    field("option", fact.option);
    field("value", fact.value);
    field("source", fact.source);
    field("meaning", fact.meaning);
}

template <class Field>
void each_field(const Field &field, ReportSync &sync) {
    field("mode", sync.mode);
    field("offset", sync.offset);
    field("tolerance_seconds", sync.tolerance_seconds);
    field("dropped", sync.dropped);
    field("repeated", sync.repeated);
    field("hint", sync.hint);
}

template <class Field>
void each_field(const Field &field, FeaturePlacement &placement) {
    field("feature", placement.feature);
    field("backend", placement.backend);
    field("code", placement.code);
    field("reason", placement.reason);
}

template <class Field>
void each_field(const Field &field, FeatureWork &work) {
    field("feature", work.feature);
    field("launches", work.launches);
    field("flagged", work.flagged);
}

template <class Field>
void each_field(const Field &field, DeviceMemory &memory) {
    field("allocated", memory.allocated);
    field("allocated_peak", memory.allocated_peak);
    field("reserved", memory.reserved);
    field("reserved_peak", memory.reserved_peak);
    field("pinned", memory.pinned);
}

template <class Field>
void each_field(const Field &field, Execution &execution) {
    field("backend", execution.backend);
    field("reason", execution.reason);
    field("plugin", execution.plugin);
    field("build_id", execution.build_id);
    field("device", execution.device);
    field("arch", execution.arch);
    field("pci_id", execution.pci_id);
    field("runtime", execution.runtime);
    field("driver", execution.driver);
    field("frames_in_flight", execution.frames_in_flight);
    field("queues", execution.queues);
    field("placement", execution.placement);
    field("work", execution.work);
    field("memory", execution.memory);
    field("notices", execution.notices);
    field("fetched", execution.fetched);
}

template <class Field>
void each_field(const Field &field, Report &report) {
    field("version", report.version);
    field("semantics", report.semantics);
    field("execution", report.execution);
    field("reference", report.reference);
    field("distorted", report.distorted);
    field("resize", report.resize);
    field("notes", report.notes);
    field("facts", report.facts);
    field("warnings", report.warnings);
    field("sync", report.sync);
    field("options", report.options);
    field("models", report.models);
    field("video_rate", report.video_rate);
    field("first_frame", report.first_frame);
    field("sources", report.scores.sources);
}

template <class T>
concept HasFields = requires(T value) {
    each_field([](const char *, auto &) {}, value);
};

[[nodiscard]] inline pybind11::object to_object(const std::string &text) { return to_text(text); }

[[nodiscard]] inline pybind11::object to_object(const std::pair<std::string, std::string> &texts) {
    return pybind11::make_tuple(to_text(texts.first), to_text(texts.second));
}

template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] pybind11::object to_object(T value) { return pybind11::cast(value); }

template <class T>
requires std::is_enum_v<T>
[[nodiscard]] pybind11::object to_object(T value) { return pybind11::int_(static_cast<int>(value)); }

template <class T>
[[nodiscard]] pybind11::object to_object(std::vector<T> &values); // before its first use below

template <HasFields T>
[[nodiscard]] pybind11::object to_object(T &value) {
    pybind11::dict fields;
    each_field([&](const char *name, auto &field) { fields[name] = to_object(field); }, value);
    return fields;
}

template <class T>
[[nodiscard]] pybind11::object to_object(std::vector<T> &values) {
    pybind11::list list;
    for (T &value : values)
        list.append(to_object(value));
    return list;
}

inline void from_object(const pybind11::object &object, std::string &text) { text = to_bytes(object); }

inline void from_object(const pybind11::object &object, std::pair<std::string, std::string> &texts) {
    texts = {to_bytes(object[pybind11::int_(0)]), to_bytes(object[pybind11::int_(1)])};
}

template <class T>
requires std::is_arithmetic_v<T>
void from_object(const pybind11::object &object, T &value) { value = object.cast<T>(); }

template <class T>
requires std::is_enum_v<T>
void from_object(const pybind11::object &object, T &value) { value = static_cast<T>(object.cast<int>()); }

template <class T>
void from_object(const pybind11::object &object, std::vector<T> &values); // before its first use below

template <HasFields T>
void from_object(const pybind11::object &object, T &value) {
    each_field([&](const char *name, auto &field) { from_object(object[name], field); }, value);
}

template <class T>
void from_object(const pybind11::object &object, std::vector<T> &values) {
    values.clear();
    for (const pybind11::handle item : object)
        from_object(pybind11::reinterpret_borrow<pybind11::object>(item), values.emplace_back());
}

} // namespace isovmaf::python
