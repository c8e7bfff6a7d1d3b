// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/manifest/row.hpp"
#include "batch/results/batch_page.hpp"
#include "batch/store/files.hpp"
#include "engine/words/segments.hpp"
#include "input/pair/pair_warning.hpp"

namespace isovmaf::batch {

/// Text as a field of the CSV files of results. Spreadsheets take text that begins with one of = + - @, a tab or a
/// carriage return for a formula, or part of one: an apostrophe in front of it makes it text.
[[nodiscard]] std::string csv_text(std::string_view text);

/// What there is to say about a row with scores besides these.
struct RowFacts {
    double seconds = 0; ///< that its units took
    std::vector<std::pair<std::string, std::string>> models =
        {};                                    ///< names of scores, and their models' versions or paths
    std::vector<PairWarning> warnings = {};    ///< about its videos, with their names
    std::optional<std::int64_t> bit_rate = {}; ///< see UnitRecord
    Fields settled = {};                       ///< options that were decided for the row: see VideoRequest::settled
};

/// The options of a row with those that were decided for it.
[[nodiscard]] Fields with_settled(Fields options, const Fields &settled);

/// The files of results, which appear together, when all rows were added in their order and the files are complete.
class ResultFiles {
  public:
    [[nodiscard]] static Result<ResultFiles> create(const std::filesystem::path &folder);

    /// The time of the work is in timings.csv, the only file that differs from run to run.
    Result<void> add(const Row &row, const WordScores &scores, const RowFacts &facts);
    Result<void> add_failure(const Row &row, FailureKind kind, const std::string &message);

    /// Puts the files on disk, after the last row. They have no names yet.
    Result<void> complete();

    /// Gives complete files their names.
    Result<void> commit();

    /// The first scores, for a terminal: lines of up to 80 characters, and how many more there are. Empty without
    /// scores.
    [[nodiscard]] std::string scores_table() const;

  private:
    ResultFiles(std::filesystem::path folder, NewFile json, NewFile failures)
        : folder_(std::move(folder)), json_(std::move(json)), failures_(std::move(failures)) {}

    struct CsvRow {
        std::string start;      ///< the columns that describe the row
        std::string facts;      ///< the columns between these and the values
        std::size_t layout = 0; ///< of its values
        std::vector<double> values;
        std::int64_t frames = 0;
        double seconds = 0; ///< of work
    };
    std::size_t layout_of(const WordScores &scores);
    [[nodiscard]] Result<NewFile> csv_file() const;
    [[nodiscard]] Result<NewFile> timings_file() const;

    std::filesystem::path folder_;
    NewFile json_, failures_;
    std::vector<NewFile> files_;                    ///< all of them, when they are complete
    std::vector<std::vector<std::string>> layouts_; ///< names of values; rows with the same options share one
    std::vector<CsvRow> csv_rows_;
    std::vector<PageRow> page_rows_;
    std::vector<PageFailure> page_failures_;
};

} // namespace isovmaf::batch
