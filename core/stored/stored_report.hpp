// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "isovmaf/result.hpp"
#include "stored/stored_number.hpp"

namespace isovmaf {

struct StoredFrame {
    std::int64_t frame = 0;
    std::vector<std::string> texts; ///< one per name of the report; empty where the frame has no such score
};

/// A score of the whole video.
struct StoredTotal {
    std::string name;
    std::string statistic; ///< "mean" and the like; empty for an aggregate
    std::string text;
};

/// The contents of a report on disk. Numbers are kept as the texts of the file, which satisfy is_stored_number;
/// compare_stored_number compares them.
struct StoredReport {
    std::string writer;    ///< "isovmaf 0.1.0", "libvmaf 3.0.0"; empty when the file does not say
    std::string semantics; ///< as an isovmaf report in JSON names them, else empty
    std::vector<std::pair<std::string, std::string>> options; ///< that shaped the scores: isovmaf's JSON only
    std::vector<std::pair<std::string, std::string>> models;  ///< score name and origin: isovmaf's JSON only
    bool incomplete = false;                                  ///< the run ended before the videos did
    NumberStyle style = NumberStyle::exact;
    std::vector<std::string> names;  ///< as reports print them
    std::vector<StoredFrame> frames; ///< in rising order; with subsampling some numbers are missing
    std::vector<StoredTotal> pooled;
    std::vector<StoredTotal> aggregates;
};

/// Reads a report of isovmaf or libvmaf in JSON, XML or CSV; the format is recognised by the content. Fails on a file
/// that cannot be read or is no such report. The error names the place: a line, or a path such as
/// frames[3].metrics.vmaf.
[[nodiscard]] Result<StoredReport> read_stored_report(const std::filesystem::path &path);

/// The same from memory; `origin` names the text in errors.
[[nodiscard]] Result<StoredReport> parse_stored_report(std::string_view text, const std::string &origin);

} // namespace isovmaf
