// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_golden.hpp"

#include "features/semantics.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

std::string exact_text(double value) {
    std::string text;
    append_number(text, value, Precision::hex);
    return text;
}

} // namespace

StoredReport stored_report(const GoldenClip &clip) {
    StoredReport report;
    report.writer = clip.semantics.row().release;
    for (int n = 0; n < clip.frames; n++)
        report.frames.push_back({n, {}});
    for (const GoldenColumn &column : clip.columns) {
        report.names.push_back(column.name);
        for (std::size_t n = 0; n < report.frames.size(); n++)
            report.frames[n].texts.push_back(n < column.frames.size() ? exact_text(column.frames[n]) : std::string());
    }
    for (const GoldenTotal &mean : clip.means)
        report.pooled.push_back({mean.name, "mean", exact_text(mean.value)});
    for (const GoldenTotal &aggregate : clip.aggregates)
        report.aggregates.push_back({aggregate.name, {}, exact_text(aggregate.value)});
    return report;
}

} // namespace isovmaf
