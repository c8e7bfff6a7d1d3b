// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_report.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/number_text.hpp"

namespace isovmaf::tool {

namespace {

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

constexpr std::size_t listed_frames = 8; ///< in a sentence

} // namespace

std::string unpaired_text(const SyncResult &sync) {
    const auto frames = [](const std::vector<std::int64_t> &numbers) {
        const auto shown = std::span(numbers).first(std::min(listed_frames, numbers.size()));
        return numbers.empty() ? "none"
                               : fmt::format("{}: {}{}", numbers.size(), fmt::join(shown, ", "),
                                             numbers.size() > listed_frames ? ", ..." : "");
    };
    return sync.dropped.empty() && sync.repeated.empty()
               ? ""
               : fmt::format("frames were paired by presentation time within {:.6g} s, and those without a partner are "
                             "left out: of the reference ({}), of the distorted video ({})",
                             sync.tolerance_seconds, frames(sync.dropped), frames(sync.repeated));
}

std::string describe_place(const Execution &execution) {
    std::string text = fmt::format("backend   {} ({})\n", execution.backend, execution.reason);
    for (const FeaturePlacement &place : execution.placement)
        text += fmt::format("{:<8}  on {}: {}{}\n", place.feature, place.backend, place.code,
                            place.reason.empty() ? "" : fmt::format(" ({})", place.reason));
    if (execution.plugin.empty())
        return text;
    text += fmt::format("plugin    {}, build {}\n", execution.plugin, execution.build_id);
    text += fmt::format("device    {}, {}{}{}\n", execution.device, execution.arch,
                        execution.pci_id.empty() ? "" : ", ", execution.pci_id);
    return text + fmt::format("runtime   {}, driver {}\n", execution.runtime,
                              execution.driver.empty() ? "unknown" : execution.driver);
}

std::string describe_decoders(const Report &report) {
    const auto line = [](const char *side, const ReportInput &input) {
        return fmt::format("{:<8}  decoded by {}\n", side, input.decoder.empty() ? "software" : input.decoder);
    };
    return report.reference.decoder.empty() && report.distorted.decoder.empty()
               ? ""
               : line("ref", report.reference) + line("dis", report.distorted);
}

std::string describe_work(const Execution &execution) {
    std::string text;
    for (const FeatureWork &work : execution.work)
        text += fmt::format(
            "{:<8}  {} kernel launches, {:.1f} ms on the device{}\n", work.feature, work.launches, work.milliseconds,
            work.flagged > 0 ? fmt::format(", {} left to the CPU", counted(work.flagged, "frame")) : "");
    if (execution.fetched > 0)
        text += fmt::format("copies    {} of frames in device memory to the host, where the CPU reads them\n",
                            execution.fetched);
    if (!execution.plugin.empty())
        text += fmt::format(
            "memory    {:.1f} MiB at most on the device, {:.1f} MiB pinned, {} frames in flight on {} queues\n",
            mebibytes(execution.memory.allocated_peak), mebibytes(execution.memory.pinned), execution.frames_in_flight,
            execution.queues);
    return text;
}

} // namespace isovmaf::tool
