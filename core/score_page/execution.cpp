// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>

#include "device/backend_names.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/sections.hpp"

namespace isovmaf {

namespace {

std::string mebibytes_text(std::uint64_t bytes) {
    return bytes == 0 ? "" : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string positive(int count) { return count > 0 ? count_text(count) : ""; }

std::string place_card(const Execution &execution) {
    const std::vector<HtmlFact> facts{{"backend", execution.backend}, {"why", execution.reason}};
    return "<article class=card><h3>Backend</h3>" + fact_list_html(facts) + "</article>\n";
}

std::string device_card(const Execution &execution) {
    if (execution.plugin.empty())
        return "";
    const std::vector<HtmlFact> facts{{"device", execution.device},
                                      {"architecture", execution.arch},
                                      {"PCI address", execution.pci_id},
                                      {"runtime", execution.runtime},
                                      {"driver", execution.driver},
                                      {"plugin", execution.plugin},
                                      {"build id", execution.build_id},
                                      {"frames in flight", positive(execution.frames_in_flight)},
                                      {"queues", positive(execution.queues)},
                                      {"device memory, most", mebibytes_text(execution.memory.allocated_peak)},
                                      {"pinned memory", mebibytes_text(execution.memory.pinned)}};
    return "<article class=card><h3>Device</h3>" + fact_list_html(facts) + "</article>\n";
}

/// Kernel launches, device time and frames left to the CPU; empty cells for a feature that did not run on the device.
std::string work_cells(const Execution &execution, std::string_view feature, bool timing) {
    const auto work = std::ranges::find(execution.work, feature, &FeatureWork::feature);
    if (work == execution.work.end())
        return timing ? "<td></td><td></td><td></td>" : "<td></td><td></td>";
    return fmt::format("<td class=count>{}</td>{}<td class=count>{}</td>", count_text(work->launches),
                       timing ? fmt::format("<td class=count>{:.1f} ms</td>", work->milliseconds) : "",
                       count_text(work->flagged));
}

std::string placement_table(const Report &report) {
    const Execution &execution = report.execution;
    if (execution.placement.empty())
        return "";
    const bool device = !execution.plugin.empty();
    std::string out = "<div class=\"card scroll\"><table><thead><tr><th>feature</th><th>ran on</th><th>code</th>";
    if (device)
        out += fmt::format("<th class=count>kernel launches</th>{}<th class=count>frames left to the CPU</th>",
                           report.timing ? "<th class=count>device time</th>" : "");
    out += "<th></th></tr></thead><tbody>\n";
    for (const FeaturePlacement &place : execution.placement)
        out +=
            fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td>{}<td>{}</td></tr>\n", html_escape(place.feature),
                        html_escape(place.backend), html_escape(place.code),
                        device ? work_cells(execution, place.feature, report.timing) : "", html_escape(place.reason));
    return out + "</tbody></table></div>\n";
}

} // namespace

std::string execution_html(const Report &report) {
    const std::string speed =
        report.timing ? fmt::format("<p class=speed>{:.2f} frames per second</p>\n", report.fps) : "";
    return "<h2>Where it was computed</h2>\n" + placement_table(report) + "<div class=cards>\n" +
           place_card(report.execution) + device_card(report.execution) + "</div>\n" + speed;
}

} // namespace isovmaf
