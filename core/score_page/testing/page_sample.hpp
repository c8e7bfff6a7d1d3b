// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "report/report.hpp"

/// Reports for tests.
namespace isovmaf {

/// Two features and a model, whose scores go up and down; frame 7 of every 50 is worse.
[[nodiscard]] inline Report sample_report(std::size_t frames) {
    Report report;
    report.version = "0.1.0";
    report.semantics = "libvmaf 3.2.0, plain C path";
    report.reference = {.path = "ref.mkv",
                        .container = "matroska",
                        .codec = "ffv1",
                        .format = {640, 360},
                        .stream = "v:0",
                        .colour = {{"range", "limited"}, {"matrix", "bt709"}}};
    report.distorted = report.reference;
    report.distorted.path = "dis.mkv";
    report.distorted.colour = {{"range", "limited"}, {"matrix", ""}};
    report.models = {{"vmaf", "version=vmaf_v0.6.1"}};
    report.options = {{"subsample", "1"}};
    report.video_rate = 25;
    report.execution.backend = "host";
    report.execution.plugin = "libvmaf_host.so";
    report.execution.device = "the CPU as a device";
    report.execution.placement = {{"motion", "host", "kernels", ""}, {"vif", "cpu", "avx2", "it has no kernels"}};
    report.execution.work = {{"motion", 5200, 0, 3}};
    report.scores.names = {"integer_motion2", "integer_vif_scale0", "vmaf"};
    report.scores.sources = {"motion", "vif", "vmaf"};
    for (std::size_t n = 0; n < frames; n++) {
        const double wave = std::sin(static_cast<double>(n) / 20);
        report.scores.frames.push_back(
            {.frame = static_cast<std::int64_t>(n),
             .scores = {4 + wave, 0.9 + wave / 50, n % 50 == 7 ? 40 + wave : 92 + 3 * wave}});
    }
    return report;
}

inline constexpr std::size_t sample_first_model = 2;

} // namespace isovmaf
