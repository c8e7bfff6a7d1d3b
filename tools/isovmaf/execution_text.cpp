// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/execution_text.hpp"

#include <fmt/format.h>

namespace isovmaf::tool {

namespace {

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

} // namespace

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

std::string describe_work(const Execution &execution) {
    std::string text;
    for (const FeatureWork &work : execution.work)
        text += fmt::format("{:<8}  {} kernel launches, {:.1f} ms on the device\n", work.feature, work.launches,
                            work.milliseconds);
    if (!execution.plugin.empty())
        text += fmt::format(
            "memory    {:.1f} MiB at most on the device, {:.1f} MiB pinned, {} frames in flight on {} queues\n",
            mebibytes(execution.memory.allocated_peak), mebibytes(execution.memory.pinned), execution.frames_in_flight,
            execution.queues);
    return text;
}

} // namespace isovmaf::tool
