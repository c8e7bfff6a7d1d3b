// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/results/failure_reasons.hpp"
#include "batch/results/result_files.hpp"
#include "batch/store/store_index.hpp"
#include "batch/store/store_record.hpp"
#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// Rows that have no scores.
struct RowFailures {
    std::size_t permanent = 0; ///< invalid rows, too
    std::size_t transient = 0;

    void add(FailureKind kind) { (kind == FailureKind::transient ? transient : permanent)++; }
};

/// How far a run has come.
struct RunState {
    std::size_t rows = 0, invalid = 0;
    RowFailures failed_rows = {}; ///< invalid ones, and those with a failed unit
    FailureReasons reasons = {};  ///< of failed units and invalid rows
    std::size_t units = 0, finished = 0, permanent = 0, transient = 0;
    std::int64_t frames = 0; ///< of the finished units
    double seconds = 0;      ///< that workers took for them
    StageTimes stages = {};  ///< parts of `seconds`

    [[nodiscard]] std::size_t missing() const { return units - finished - permanent - transient; }
};

/// What RunResults::write has written.
struct WrittenResults {
    std::size_t rows = 0;
    RowFailures failures = {};
    std::string first_failure = {}; ///< "line 2: why the row has no scores"; empty where all rows have some
    std::string scores_table = {};  ///< see ResultFiles::scores_table
};

/// Functions that RunResults::visit calls for the rows, in their order.
struct RowVisitor {
    std::function<Result<void>(const Row &, const WordScores &, const RowFacts &)> scored;
    std::function<Result<void>(const Row &, FailureKind, const std::string &message)> failed;
};

/// What the stores know about the units of a run.
class RunResults {
  public:
    /// How the words of a unit are found.
    enum class Lookup : std::uint8_t {
        contents, ///< by what the files hold now
        either,   ///< by what the files hold now, with or without `fast_keys`
        names,    ///< by name, whether the files are there or not; as `either` where they have changed between runs,
                  ///< and of lists that earlier builds took for files alone
    };

    RunResults(const RunFolder &folder, const RowTable &rows, std::vector<Unit> units, const StoreIndex &index,
               Lists &lists, Lookup lookup, bool fast_keys)
        : folder_(folder), rows_(rows), units_(std::move(units)), jobs_(folder.settings().base), index_(index),
          lists_(lists), lookup_(lookup), fast_keys_(fast_keys) {}

    /// Looks every unit up. The first call of this, of `visit` or of `write` does so; later ones know what it found.
    [[nodiscard]] Result<RunState> state();

    /// Scores the rows one after the other, as if every unit without words had failed. `instead` has
    /// options that take the place of the rows' own: what is scored may differ from what was extracted for. Fails when
    /// the visitor fails or the stores cannot be read.
    Result<void> visit(const RowVisitor &visitor, const Fields &instead = {});

    /// Writes results.csv, results.jsonl, failures.csv, bd_rates.csv and report.html into `target`: the bytes depend on
    /// rows, contents and options alone. Fails, and leaves what is there, when another command has changed the settings
    /// of the run folder meanwhile.
    [[nodiscard]] Result<WrittenResults> write(const std::filesystem::path &target, const Fields &instead = {});

  private:
    struct Found {
        std::optional<std::string> key = {}; ///< of words that are there
        std::shared_ptr<const UnitRecord> failure = {};
    };
    using StoredWords = Result<std::vector<std::byte>>; ///< of a unit

    /// What the stores have of a row.
    struct FoundRow {
        Row row;
        std::vector<std::string> keys = {}; ///< of the words of its units; none when one of them has no words
        std::uint64_t bytes = 0;            ///< of these words
        bool is_cut = false;                ///< into segments
        double rate = 0;                    ///< see UnitRecord, as the next one
        std::string start_difference = {};
        RowFacts facts = {};
        std::shared_ptr<const UnitRecord> failure = {};
    };
    Result<void> find_all();
    Result<void> find_units(std::span<const Row> rows, std::size_t first_row);
    Result<void> add_row(RunState &state, std::size_t index, const Row &row, std::size_t &unit);
    [[nodiscard]] Result<Found> find(const Unit &unit, const Row &row);
    [[nodiscard]] bool has_list_taken_for_file(const Row &row) const;
    [[nodiscard]] UnitRecord failure_of(const Error &error, const Row &row) const;
    [[nodiscard]] Found find_any(const std::vector<std::string> &keys) const;
    [[nodiscard]] Result<Found> find_by_key(const Unit &unit, const Row &row, const PairJob &job);
    [[nodiscard]] Result<WordsFile> decode_stored(std::span<const std::byte> bytes, const std::string &key) const;
    [[nodiscard]] tl::unexpected<Error> damaged_store(const Error &error, const std::string &key) const;
    [[nodiscard]] Result<std::vector<PairWarning>>
    judge_alignment(const FoundRow &found, std::span<const StoredWords> words, const PairJob &job) const;
    [[nodiscard]] Result<WordScores> score(const FoundRow &found, std::span<const StoredWords> words, const Row &row,
                                           const PairJob &job);
    [[nodiscard]] Result<const SegmentScorer *> scorer_of(const Row &row, const PairJob &job);
    [[nodiscard]] std::string why_unfound(const Unit &unit, const Row &row) const;
    [[nodiscard]] Result<bool> rows_state_bit_rates() const;
    [[nodiscard]] FoundRow find_row(std::size_t index, const Row &row, std::size_t &unit) const;
    Result<void> visit_row(FoundRow found, std::span<const StoredWords> words, const Fields &instead,
                           const RowVisitor &visitor);
    Result<void> visit_rows(std::vector<FoundRow> rows, const Fields &instead, const RowVisitor &visitor);

    const RunFolder &folder_;
    const RowTable &rows_;
    const std::vector<Unit> units_;
    RowJobs jobs_;
    const StoreIndex &index_;
    Lists &lists_;
    Lookup lookup_;
    bool fast_keys_;
    std::vector<Found> found_;                               ///< by unit, as far as they were looked up
    std::optional<std::pair<Fields, SegmentScorer>> scorer_; ///< for the row that was scored last, by its options
};

} // namespace isovmaf::batch
