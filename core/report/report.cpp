// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include "report/writers.hpp"

namespace isovmaf {

std::string write_report(const Report &report, ReportFormat format, Precision precision) {
    switch (format) {
    case ReportFormat::json:
        return write_json(report, precision);
    case ReportFormat::xml:
        return write_xml(report, precision);
    case ReportFormat::csv:
        return write_csv(report, precision);
    case ReportFormat::sub:
        return write_sub(report, precision);
    }
    return {};
}

} // namespace isovmaf
