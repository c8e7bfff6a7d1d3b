// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <memory>
#include <string>

#include "batch/manifest/manifest.hpp"
#include "batch/work/unit.hpp"
#include "tools/isovmaf/score/score_job.hpp"

namespace CLI {
class App;
}

namespace isovmaf::tool {

/// Declares the options of `isovmaf score` that rows of a manifest may have as columns: what is read and what is
/// scored.
void declare_row_options(CLI::App &command, ScoreArguments &arguments);

/// The options of a command line that rows may have, as they were given.
[[nodiscard]] batch::Fields given_row_options(const CLI::App &command);

/// Parses rows by the code that parses the command line of `isovmaf score`. Used by one thread.
class RowParser {
  public:
    RowParser();
    ~RowParser();
    RowParser(const RowParser &) = delete;
    RowParser &operator=(const RowParser &) = delete;

    /// What a row asks for, or what is wrong with it.
    [[nodiscard]] Result<batch::PairJob> parse(const batch::Fields &options, const std::string &reference,
                                               const std::string &distorted);

    /// The same as `isovmaf score` has it, and the command line that it was parsed from.
    [[nodiscard]] Result<ScoreJob> parse_score(const batch::Fields &options, const std::string &reference,
                                               const std::string &distorted);
    [[nodiscard]] const ScoreArguments &arguments() const; ///< of the last row

  private:
    struct Program;
    std::unique_ptr<Program> program_;
};

/// The columns that a manifest may have.
[[nodiscard]] batch::ManifestColumns manifest_columns();

} // namespace isovmaf::tool
