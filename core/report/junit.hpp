// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// JUnit XML, which continuous integration systems read. Names and texts may hold any bytes.
namespace isovmaf {

/// A suite of test cases.
class JunitSuite {
  public:
    /// `program` is the command that makes the report, such as "isovmaf diff".
    JunitSuite(std::string_view program, std::string_view name);

    void add_property(std::string_view name, std::string_view value);

    void pass(std::string_view test);
    /// `lines` say more than the message; without them the element is empty.
    void fail(std::string_view test, std::string_view type, std::string_view message,
              const std::vector<std::string> &lines = {});
    void error(std::string_view test, std::string_view type, std::string_view message);
    void skip(std::string_view test, std::string_view message);

    [[nodiscard]] int tests() const { return tests_; }
    [[nodiscard]] int failures() const { return failures_; }
    [[nodiscard]] int errors() const { return errors_; }

    [[nodiscard]] std::string text() const;

  private:
    void add_case(std::string_view test, std::string_view inside);

    std::string program_, name_;
    std::string properties_, cases_; ///< XML
    int tests_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
};

/// The whole report.
[[nodiscard]] std::string junit_text(std::string_view program, std::span<const JunitSuite> suites);

} // namespace isovmaf
