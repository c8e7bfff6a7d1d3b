// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "stored/stored_report.hpp"

/// What the readers of the formats share.
namespace isovmaf {

/// Takes a report piece by piece and refuses what cannot stand in one. A Failure's message says what is wrong, to
/// follow the place.
class StoredBuilder {
  public:
    /// What the report says about itself goes here directly.
    StoredReport report;
    std::string precision; ///< that an isovmaf report in JSON names

    void frame(std::int64_t number);
    /// A score of the last frame.
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

/// A Failure that tells what is wrong with a report.
[[noreturn]] void refuse(std::string problem);

/// "line 7" for a place in a text.
[[nodiscard]] std::string line_of(std::string_view text, std::size_t position);

/// Throw a Failure whose message begins with the place.
void read_json(std::string_view text, StoredBuilder &builder);
void read_xml(std::string_view text, StoredBuilder &builder);
void read_csv(std::string_view text, StoredBuilder &builder);

} // namespace isovmaf
