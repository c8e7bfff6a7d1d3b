// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/backend_names.hpp"
#include "diff/report_text.hpp"
#include "features/words.hpp"

namespace isovmaf::diff {

namespace {

template <class Number>
std::string decimal_and_hex(Number value, std::string_view decimal) {
    return fmt::format("{} ({})", decimal, hex_text(value));
}

/// The texts, each on one line, joined by "; ".
std::string list_text(const std::vector<std::string> &texts) {
    std::vector<std::string> plain_texts;
    for (const std::string &text : texts)
        plain_texts.push_back(plain(text));
    return fmt::format("{}", fmt::join(plain_texts, "; "));
}

void add_text(std::vector<Fact> &facts, std::string_view label, std::string_view text) {
    if (!text.empty())
        facts.push_back({std::string(label), plain(text)});
}

void add_stage(std::vector<Fact> &facts, const StageFault &fault) {
    facts.push_back({"first stage", stage_text(fault)});
    facts.push_back({"place", fmt::format("column {}, row {}", fault.x, fault.y)});
    facts.push_back({"expected", word_and_hex_text(fault.expected, fault.kind)});
    facts.push_back({"found", word_and_hex_text(fault.found, fault.kind)});
    facts.push_back({"different", fmt::format("{} of {}", count_text(fault.different),
                                              counted(std::int64_t{fault.width} * fault.height, "value"))});
    add_text(facts, "pattern", list_text(fault.patterns));
    if (!fault.expected_hash.empty() || !fault.found_hash.empty())
        facts.push_back(
            {"hashes", fmt::format("{} expected, {} found", plain(fault.expected_hash), plain(fault.found_hash))});
}

} // namespace

std::vector<Fault> faults(const DiffResult &result) {
    std::vector<Fault> faults;
    for (const Tally &tally : result.tallies)
        if (differs(tally))
            faults.push_back({tally.side, tally.subject, &tally, {}});
    for (const FeatureDifference &finding : result.findings) {
        const auto is_same = [&](const Fault &f) { return f.side == finding.side && f.subject == finding.feature; };
        auto fault = std::ranges::find_if(faults, is_same);
        if (fault == faults.end())
            fault = faults.insert(fault, Fault{finding.side, finding.feature, nullptr, {}});
        fault->findings.push_back(&finding);
    }
    return faults;
}

std::string word_and_hex_text(std::int64_t word, WordKind kind) {
    const std::string text = word_text(word, kind);
    switch (kind) {
    case WordKind::i64:
        break;
    case WordKind::f32:
        return decimal_and_hex(double{f32_of(word)}, text);
    case WordKind::f64:
        return decimal_and_hex(f64_of(word), text);
    }
    return decimal_and_hex(word, text);
}

std::string stage_text(const StageFault &fault) {
    return fmt::format("{}, {}x{} values", plain(fault.stage), fault.width, fault.height);
}

std::vector<Fact> facts(const Tally &tally) {
    std::vector<Fact> facts;
    if (const auto &first = tally.first) {
        facts.push_back({"first score", fmt::format("{}, frame {}", plain(first->score), first->frame)});
        facts.push_back({"pictures", plain(first->content)});
        facts.push_back({"expected", decimal_and_hex(first->expected, decimal_text(first->expected))});
        facts.push_back({"found", decimal_and_hex(first->found, decimal_text(first->found))});
        facts.push_back({"distance", fmt::format("{}, as f32 {}", ulp_text(first->ulp), ulp_text(first->ulp_f32))});
    }
    if (const auto &first = tally.first_word) {
        facts.push_back({"first word", fmt::format("{}, frame {}: {} expected, {} found", plain(first->word),
                                                   first->frame, word_and_hex_text(first->expected, first->kind),
                                                   word_and_hex_text(first->found, first->kind))});
        if (!tally.first || tally.first->content != first->content)
            facts.push_back({"its pictures", plain(first->content)});
    }
    return facts;
}

std::vector<Fact> facts(const FeatureDifference &finding) {
    std::vector<Fact> facts{{"looked into", fmt::format("{}, frame {}", plain(finding.content), finding.frame)}};
    if (finding.fault)
        add_stage(facts, *finding.fault);
    add_text(facts, stages_label, list_text(finding.equal_stages));
    add_text(facts, "smallest case", finding.smallest);
    add_text(facts, "remark", finding.remark);
    add_text(facts, command_label, finding.command);
    return facts;
}

std::string device_name(const Execution &execution) {
    if (runs_without_plugin(execution.backend))
        return "host CPU";
    return execution.device.empty() ? "none was opened" : execution.device;
}

std::vector<Fact> facts(const Proof &proof) {
    const Execution &execution = proof.execution;
    std::vector<Fact> facts;
    add_text(facts, "backend", execution.backend);
    add_text(facts, "device", device_name(execution));
    add_text(facts, "architecture", execution.arch);
    add_text(facts, "PCI id", execution.pci_id);
    add_text(facts, "runtime", execution.runtime);
    add_text(facts, "driver", execution.driver);
    add_text(facts, "plugin", execution.plugin);
    add_text(facts, "build id", execution.build_id);
    facts.push_back({"work", fmt::format("{}, {}", counted(proof.runs, "run"), counted(proof.frames, "frame"))});
    if (execution.frames_in_flight > 0)
        facts.push_back({"in flight", counted(execution.frames_in_flight, "frame")});
    if (execution.queues > 0)
        facts.push_back({"streams", counted(execution.queues, "queue")});
    for (const FeaturePlacement &place : execution.placement)
        facts.push_back({"code of " + plain(place.feature), plain(place.code)});
    for (const FeatureWork &work : execution.work) {
        facts.push_back({"launches of " + plain(work.feature), count_text(work.launches)});
        if (work.flagged > 0)
            facts.push_back({"flagged frames of " + plain(work.feature), count_text(work.flagged)});
    }
    return facts;
}

std::vector<std::string> flagged_texts(const DiffResult &result) {
    std::vector<std::string> texts;
    for (const Proof &proof : result.proofs)
        for (const std::string &sentence : flagged_sentences(proof.execution))
            texts.push_back(fmt::format("{}: {}, whose words were compared in place of theirs", plain(proof.side),
                                        plain(sentence)));
    return texts;
}

} // namespace isovmaf::diff
