// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "stored/stored_report.hpp"

/// What the readers of JSON, XML and CSV share.
namespace isovmaf {

/// Builds a StoredReport piece by piece and throws a Failure for a piece that no report can have. The message says what
/// is wrong; the reader puts the place before it.
class StoredBuilder {
  public:
    /// Readers set what a report states about itself directly.
    StoredReport report;
    std::string precision; ///< as an isovmaf report in JSON names it

    void frame(std::int64_t number);
    /// A score of the frame that was added last.
    void score(std::string_view name, std::string_view text);
    void pooled(std::string_view name, std::string_view statistic, std::string_view text);
    void aggregate(std::string_view name, std::string_view text);

    [[nodiscard]] StoredReport take();

  private:
    void check(std::string_view name, std::string_view text);

    std::map<std::string, std::size_t, std::less<>> columns_;
    std::map<std::pair<std::string, std::string>, bool> totals_;
    StyleEvidence evidence_;
};

/// Throws a Failure with a sentence about what is wrong with a report.
[[noreturn]] void refuse(std::string problem);

/// "line 7", the line of a position in a text.
[[nodiscard]] std::string line_of(std::string_view text, std::size_t position);

/// Each reader throws a Failure whose message begins with the place of the problem.
void read_json(std::string_view text, StoredBuilder &builder);
void read_xml(std::string_view text, StoredBuilder &builder);
void read_csv(std::string_view text, StoredBuilder &builder);

} // namespace isovmaf
