// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cmath>
#include <limits>

#include "base/ulp.hpp"
#include "diff/reports.hpp"

/// Results made by hand for the tests of reports.
namespace isovmaf::diff {

/// 256x256 cells of a stage of 960x540 values, in stripes of tiles as a wrong kernel leaves them.
inline StageFault sample_fault() {
    StageFault fault{"scale 1: variance of the reference",
                     960,
                     540,
                     63,
                     17,
                     12345,
                     12346,
                     2244,
                     {"only in column 63 of 64", "everything after row 16"},
                     "9f86d081",
                     "884c7d65",
                     {},
                     WordKind::i64};
    fault.heat = {240, 180, 4, 3, std::vector<std::uint8_t>(240 * 180)};
    for (std::size_t y = 5; y < 180; y++)
        for (std::size_t x = 15; x < 240; x += 16)
            fault.heat.heat[y * 240 + x] = static_cast<std::uint8_t>(1 + (x * y / 37) % 24);
    return fault;
}

inline FeatureDifference sample_finding(std::string side, std::string feature) {
    return {std::move(side),
            std::move(feature),
            "checkerboard-7 of seed 3, 1920x1080, 4:2:0, 10 bit, 4 frames",
            2,
            {"samples", "scale 0: moments", "scale 1: decimated reference"},
            sample_fault(),
            "impulses of seed 3, 65x18, 4:0:0, 8 bit, 1 frame",
            "isovmaf diff --backends cpu-ref,hip:0 --content impulses --seed 3 --size 65x18",
            ""};
}

inline Tally sample_tally(std::string side, std::string subject) {
    Tally tally{std::move(side), std::move(subject), "bitwise", 990, 0, 4000, 0, 0, 0, {}, {}, {}};
    tally.histogram[0] = 990;
    return tally;
}

inline Tally sample_difference(std::string side, std::string subject) {
    Tally tally = sample_tally(std::move(side), std::move(subject));
    tally.different = 46;
    tally.words_different = 5;
    tally.max_ulp = 1234;
    tally.max_ulp_f32 = 1;
    tally.histogram = {};
    tally.histogram[0] = 944;
    tally.histogram[1] = 30;
    tally.histogram[2] = 9;
    tally.histogram[4] = 6;
    tally.histogram[11] = 1;
    tally.first = Difference{"checkerboard-7 of seed 3, 1920x1080, 4:2:0, 10 bit, 4 frames",
                             2,
                             "integer_vif_scale1",
                             0.1,
                             std::nextafter(0.1, 1),
                             1,
                             0};
    tally.first_word =
        WordDifference{tally.first->content, 2, "scale 1: denominator, logarithms", WordKind::i64, 5000, 5001};
    return tally;
}

inline Proof sample_cpu_proof() {
    Proof proof{"cpu-ref", {}, 12, 100};
    proof.execution.backend = "cpu-ref";
    proof.execution.reason = "asked for";
    proof.execution.placement = {{"vif", "cpu-ref", "definition"}};
    return proof;
}

inline Proof sample_gpu_proof(std::string side) {
    Proof proof{std::move(side), {}, 12, 100};
    proof.execution = {"hip",
                       "asked for",
                       "lib/isovmaf/backends/libvmaf_hip.so",
                       "4be1d0c2a977",
                       "AMD Instinct MI300X",
                       "gfx942",
                       "0000:03:00.0",
                       "libamdhip64.so.6 6.2.41134",
                       "6.8.5",
                       4,
                       3,
                       {{"vif", "hip", "kernels"}, {"adm", "hip", "kernels"}, {"motion", "hip", "kernels"}},
                       {{"vif", 4800, 0}, {"adm", 5200, 0}, {"motion", 1200, 0}},
                       {1, 2, 3, 4, 5},
                       {"took a smaller ring"}};
    return proof;
}

/// A side that is equal, one that differs in one feature, and one that could not be opened.
inline DiffResult sample_result(std::size_t frames = 100) {
    DiffResult result;
    result.version = "0.5.0";
    result.command = "isovmaf diff --backends cpu-ref,host,hip:0,cuda --seed 3";
    result.reference = "cpu-ref";
    result.verdict = Verdict::differ;
    result.cases = 12;
    result.frames = static_cast<std::int64_t>(frames);
    result.values = 5940;
    result.words = 24000;
    result.different = 51;
    result.seed = 3;
    result.proofs = {sample_cpu_proof(), sample_gpu_proof("host"), sample_gpu_proof("hip:0")};
    result.absent = {{"cuda", "no plugin isovmaf-cuda.so was found"}};
    for (const char *side : {"host", "hip:0"})
        for (const char *feature : {"vif", "adm", "motion"})
            result.tallies.push_back(std::string(side) + feature == "hip:0vif" ? sample_difference(side, feature)
                                                                               : sample_tally(side, feature));
    result.strips = {{"host", std::vector<std::uint8_t>(frames)}, {"hip:0", std::vector<std::uint8_t>(frames)}};
    for (std::size_t frame = 2; frame < frames; frame += 7)
        result.strips[1].worst[frame] = static_cast<std::uint8_t>(1 + frame % 11);
    result.findings = {sample_finding("hip:0", "vif")};
    return result;
}

/// Something that is markup or an escape sequence in every format, and a byte that is no UTF-8.
inline constexpr const char *nasty = "<script>&\"'|`*_[x](y)\x1B[31m\n]]>-->\xFF\x7F\xC2\x9B";

/// Texts that users, drivers and files choose, all of them nasty.
inline DiffResult nasty_result() {
    DiffResult result = sample_result();
    result.version = result.command = result.reference = result.failure = nasty;
    for (Proof &proof : result.proofs) {
        proof.side = nasty;
        proof.execution = {nasty,           nasty, nasty,  nasty, nasty, nasty,
                           nasty,           nasty, nasty,  1,     1,     {{nasty, nasty, nasty}},
                           {{nasty, 1, 0}}, {},    {nasty}};
    }
    result.absent = {{nasty, nasty}};
    for (Tally &tally : result.tallies) {
        tally.side = tally.subject = tally.exactness = nasty;
        if (tally.first)
            tally.first->content = tally.first->score = nasty;
    }
    for (Strip &strip : result.strips)
        strip.side = nasty;
    for (FeatureDifference &finding : result.findings) {
        finding.side = finding.feature = finding.content = finding.smallest = finding.command = finding.remark = nasty;
        finding.equal_stages = finding.fault->patterns = {nasty};
        finding.fault->stage = finding.fault->expected_hash = finding.fault->found_hash = nasty;
    }
    return result;
}

} // namespace isovmaf::diff
