// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ulp.hpp"
#include "diff/report_text.hpp"
#include "features/words.hpp"
#include "report/escape.hpp"
#include "report/json_text.hpp"

namespace isovmaf::diff {

namespace {

constexpr int schema = 1; ///< is increased when programs written for docs/diff-report.md would misread a report

/// A double as a number (as text when it is not finite), in hexadecimal, and its bits.
void write_double(std::string_view key, double value, JsonText &json) {
    json.open_member(key, '{');
    if (std::isfinite(value))
        json.score("value", value);
    else
        json.string("value", decimal_text(value));
    json.string("hex", std::isfinite(value) ? hex_text(value) : decimal_text(value));
    json.string("bits", fmt::format("0x{:016x}", std::bit_cast<std::uint64_t>(value)));
    json.close('}');
}

void write_word(std::string_view key, std::int64_t word, WordKind kind, JsonText &json) {
    if (kind == WordKind::f64)
        return write_double(key, f64_of(word), json);
    json.open_member(key, '{');
    const float value = f32_of(word);
    if (kind == WordKind::i64)
        json.integer("value", word);
    else if (std::isfinite(value))
        json.member("value") += word_text(word, kind);
    else
        json.string("value", word_text(word, kind));
    json.string("hex", kind == WordKind::i64 || !std::isfinite(value) ? hex_text(word) : hex_text(double{value}));
    if (kind == WordKind::f32)
        json.string("bits", fmt::format("0x{:08x}", word));
    json.close('}');
}

void write_ulp(std::string_view key, std::uint64_t distance, JsonText &json) {
    if (distance == beyond_ulp)
        json.string(key, "inf");
    else
        json.member(key) += std::to_string(distance);
}

void write_strings(std::string_view key, const std::vector<std::string> &texts, JsonText &json) {
    json.open_member(key, '[');
    for (const std::string &text : texts)
        json.element() += '"' + json_escape(text) + '"';
    json.close(']');
}

void write_proof(const Proof &proof, JsonText &json) {
    json.open_element('{');
    json.string("side", proof.side);
    json.integer("runs", proof.runs);
    json.integer("frames", proof.frames);
    json.string_or_null("reason", proof.execution.reason);
    write_execution(proof.execution, {}, false, json);
    write_strings("notices", proof.execution.notices, json);
    json.close('}');
}

void write_first(const Difference &first, JsonText &json) {
    json.open_member("first", '{');
    json.string("content", first.content);
    json.integer("frame", first.frame);
    json.string("score", first.score);
    write_double("expected", first.expected, json);
    write_double("found", first.found, json);
    write_ulp("ulp", first.ulp, json);
    write_ulp("ulp_f32", first.ulp_f32, json);
    json.close('}');
}

void write_first_word(const WordDifference &first, JsonText &json) {
    json.open_member("first_word", '{');
    json.string("content", first.content);
    json.integer("frame", first.frame);
    json.string("word", first.word);
    json.string("kind", word_kind_name(first.kind));
    write_word("expected", first.expected, first.kind, json);
    write_word("found", first.found, first.kind, json);
    write_ulp("distance", word_distance(first.expected, first.found, first.kind), json);
    json.close('}');
}

void write_tally(const Tally &tally, JsonText &json) {
    json.open_element('{');
    json.string("side", tally.side);
    json.string("subject", tally.subject);
    json.string_or_null("exactness", tally.exactness);
    json.integer("values", tally.values);
    json.integer("different", tally.different);
    json.integer("words", tally.words);
    json.integer("words_different", tally.words_different);
    write_ulp("max_ulp", tally.max_ulp, json);
    write_ulp("max_ulp_f32", tally.max_ulp_f32, json);
    json.member("histogram") += fmt::format("[{}]", fmt::join(tally.histogram, ", "));
    if (tally.first)
        write_first(*tally.first, json);
    else
        json.member("first") += "null";
    if (tally.first_word)
        write_first_word(*tally.first_word, json);
    else
        json.member("first_word") += "null";
    json.close('}');
}

/// Writes runs of frames with the same bucket.
void write_strip(const Strip &strip, JsonText &json) {
    json.open_element('{');
    json.string("side", strip.side);
    json.integer("frames", static_cast<std::int64_t>(strip.worst.size()));
    std::string runs;
    for (std::size_t i = 0; i < strip.worst.size();) {
        const std::size_t start = i;
        while (i < strip.worst.size() && strip.worst[i] == strip.worst[start])
            i++;
        runs += fmt::format("{}[{}, {}]", runs.empty() ? "" : ", ", strip.worst[start], i - start);
    }
    json.member("runs") += '[' + runs + ']';
    json.close('}');
}

/// Writes a string per row with two hexadecimal digits per cell.
void write_heat(const HeatMap &heat, JsonText &json) {
    json.open_member("heat_map", '{');
    json.integer("width", heat.width);
    json.integer("height", heat.height);
    json.integer("cell_width", heat.cell_width);
    json.integer("cell_height", heat.cell_height);
    json.open_member("rows", '[');
    const std::size_t width = heat.width > 0 ? static_cast<std::size_t>(heat.width) : 1;
    for (std::size_t i = 0; i + width <= heat.heat.size(); i += width) {
        std::string row;
        for (std::size_t x = 0; x < width; x++)
            row += fmt::format("{:02x}", heat.heat[i + x]);
        json.element() += '"' + row + '"';
    }
    json.close(']');
    json.close('}');
}

void write_fault(const StageFault &fault, JsonText &json) {
    json.open_member("fault", '{');
    json.string("stage", fault.stage);
    json.integer("width", fault.width);
    json.integer("height", fault.height);
    json.integer("x", fault.x);
    json.integer("y", fault.y);
    json.string("kind", word_kind_name(fault.kind));
    write_word("expected", fault.expected, fault.kind, json);
    write_word("found", fault.found, fault.kind, json);
    json.integer("different", fault.different);
    write_strings("patterns", fault.patterns, json);
    json.string("expected_hash", fault.expected_hash);
    json.string("found_hash", fault.found_hash);
    write_heat(fault.heat, json);
    json.close('}');
}

void write_finding(const FeatureDifference &finding, JsonText &json) {
    json.open_element('{');
    json.string("side", finding.side);
    json.string("feature", finding.feature);
    json.string("content", finding.content);
    json.integer("frame", finding.frame);
    write_strings("equal_stages", finding.equal_stages, json);
    if (finding.fault)
        write_fault(*finding.fault, json);
    else
        json.member("fault") += "null";
    json.string_or_null("smallest", finding.smallest);
    json.string_or_null("command", finding.command);
    json.string_or_null("remark", finding.remark);
    json.close('}');
}

void write_summary(const DiffResult &result, JsonText &json) {
    json.integer("isovmaf_diff", schema);
    json.string("version", result.version);
    json.string("command", result.command);
    json.string("reference", result.reference);
    json.string("verdict", verdict_name(result.verdict));
    json.integer("exit_code", static_cast<int>(result.verdict));
    json.string_or_null("failure", result.failure);
    json.integer("cases", result.cases);
    json.integer("frames", result.frames);
    json.integer("values", result.values);
    json.integer("words", result.words);
    json.integer("different", result.different);
    json.member("seed") += result.seed ? std::to_string(*result.seed) : "null";
}

template <class Element>
void write_array(std::string_view key, const std::vector<Element> &elements, void (*write)(const Element &, JsonText &),
                 JsonText &json) {
    json.open_member(key, '[');
    for (const Element &element : elements)
        write(element, json);
    json.close(']');
}

void write_absent(const Absent &absent, JsonText &json) {
    json.open_element('{');
    json.string("side", absent.side);
    json.string("reason", absent.reason);
    json.close('}');
}

} // namespace

std::string json(const DiffResult &result) {
    JsonText json(Precision::max);
    json.open('{');
    write_summary(result, json);
    write_array("proofs", result.proofs, write_proof, json);
    write_array("absent", result.absent, write_absent, json);
    write_array("tallies", result.tallies, write_tally, json);
    write_array("strips", result.strips, write_strip, json);
    write_array("findings", result.findings, write_finding, json);
    json.close('}');
    return json.take();
}

} // namespace isovmaf::diff
