// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "isovmaf/execution.hpp"
#include "report/report.hpp"

namespace isovmaf {

/// Writes JSON front to back. A tree of values would take many times the memory of the text of a long video's report.
class JsonText {
  public:
    /// How an object or array without members is written: {}, or its brackets on two lines.
    enum class Empty : bool { one_line, two_lines };

    explicit JsonText(Precision precision, Empty empty_style = Empty::one_line)
        : precision_(precision), empty_style_(empty_style) {}

    /// Starts a member of the open object; the caller appends its value to the result. `key` is already escaped.
    std::string &member(std::string_view key);

    /// Starts an element of the open array.
    std::string &element();

    void open(char bracket);
    void close(char bracket);
    void open_member(std::string_view key, char bracket);
    void open_element(char bracket);

    void string(std::string_view key, std::string_view value);
    void string_or_null(std::string_view key, std::string_view value); ///< null when empty
    void integer(std::string_view key, std::int64_t value);
    void flag(std::string_view key, bool value);
    void decimal(std::string_view key, double value); ///< with three digits
    void score(std::string_view key, double value);

    std::string take() { return std::move(out_) + '\n'; }

  private:
    Precision precision_;
    Empty empty_style_;
    std::string out_;
    std::size_t depth_ = 0;
    bool empty_ = true; ///< the innermost open object or array has no member yet
};

/// Members of the open object that say where scores come from. A plugin's launches prove that its device computed them.
/// `devices`: see Report.
void write_execution(const Execution &execution, const std::vector<Execution> &devices, bool timing, JsonText &json);

} // namespace isovmaf
