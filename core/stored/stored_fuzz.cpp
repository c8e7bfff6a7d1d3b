// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "stored/stored_report.hpp"

namespace {

/// A number equals the double that it is read as, unless the style says that it was rounded.
void read_back(std::string_view text, isovmaf::NumberStyle style) {
    using isovmaf::compare_stored_number;
    const double stored = compare_stored_number(text, style, 0.5).stored;
    if (!compare_stored_number(text, style, stored).equal && style == isovmaf::NumberStyle::exact)
        std::abort();
}

} // namespace

/// Reads any text as a stored report and compares each of its numbers with itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto report = isovmaf::parse_stored_report(text, "fuzz");
    if (!report)
        return 0;
    for (const isovmaf::StoredFrame &frame : report->frames)
        for (const std::string &score : frame.texts)
            if (!score.empty())
                read_back(score, report->style);
    for (const auto *totals : {&report->pooled, &report->aggregates})
        for (const isovmaf::StoredTotal &total : *totals)
            read_back(total.text, report->style);
    return 0;
}
