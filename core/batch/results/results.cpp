// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/results.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/manifest/row.hpp"
#include "batch/results/result_files.hpp"
#include "batch/store/files.hpp"
#include "batch/work/unit_work.hpp"
#include "input/libav/list_files.hpp"
#include "model/model_choice.hpp"
#include "request/model_warnings.hpp"
#include "run/alignment_doctor.hpp"

namespace isovmaf::batch {

namespace {

/// The row with some of its options replaced. Models that are asked for take the place of presets, too.
Row with_options(Row row, const Fields &instead) {
    if (instead.contains("model"))
        for (const char *const preset : {"aom_ctc", "nflx_ctc", "no_prediction"})
            row.options.erase(preset);
    for (const auto &[name, values] : instead)
        row.options[name] = values;
    return row;
}

FailureKind kind_of(const UnitRecord &failure) {
    return failure.permanent ? FailureKind::permanent : FailureKind::transient;
}

FailureKind kind_of(const Error &error) {
    return is_permanent(error.code) ? FailureKind::permanent : FailureKind::transient;
}

std::shared_ptr<const UnitRecord> shared(std::optional<UnitRecord> record) {
    return record ? std::make_shared<UnitRecord>(*std::move(record)) : nullptr;
}

} // namespace

Result<RunResults::Found> RunResults::find_by_key(const Unit &unit, const Row &row, const PairJob &job) {
    for (const bool fast : {fast_keys_, !fast_keys_}) {
        const DigestSource known = [&](const InputName &input) {
            return known_digests(index_, lists_, input, fast, [] { return false; });
        };
        const Result<std::vector<std::string>> keys = unit_keys(known, job, row, unit.frames);
        if (lookup_ == Lookup::contents && !keys) // it was there when the work began
            return Found{{}, std::make_shared<UnitRecord>(failure_of(keys.error(), row))};
        Found found = keys ? find_any(*keys) : Found{}; // the file is not there, or was never read
        if (found.key || lookup_ == Lookup::contents)
            return found;
    }
    return Found{};
}

/// The words with one of these keys, or a failure.
RunResults::Found RunResults::find_any(const std::vector<std::string> &keys) const {
    for (const std::string &key : keys)
        if (index_.finished(key))
            return Found{key};
    for (const std::string &key : keys)
        if (std::optional<UnitRecord> failure = index_.failure(key))
            return Found{{}, shared(std::move(failure))};
    return Found{};
}

UnitRecord RunResults::failure_of(const Error &error, const Row &row) const {
    UnitRecord failure;
    failure.error = hide_names(error.message, folder_.resolve(row.reference), folder_.resolve(row.distorted));
    failure.permanent = is_permanent(error.code);
    return failure;
}

/// Whether a video of the row is a list that an earlier build took for a file alone: other content may have been scored
/// under its key.
bool RunResults::has_list_taken_for_file(const Row &row) const {
    const auto says_kind = [](const InputRecord &record) { return record.self_contained || is_of_list(record.digest); };
    for (const std::string &video : {folder_.resolve(row.reference), folder_.resolve(row.distorted)}) {
        if (std::ranges::all_of(index_.inputs(video), says_kind))
            continue;
        const Result<InputRecord> seen = look_at(video); // where it is not there, its name has to do
        if (seen && lists_.kind_of(*seen).value_or(Lists::Kind::unknown) == Lists::Kind::list)
            return true;
    }
    return false;
}

Result<RunResults::Found> RunResults::find(const Unit &unit, const Row &row) {
    const std::string name = unit_name(row, unit.frames);
    const std::vector<std::string> keys = lookup_ == Lookup::names ? index_.keys_of(name) : std::vector<std::string>();
    if (keys.size() == 1 && !has_list_taken_for_file(row))
        return Found{keys.front()};
    const Result<PairJob> job = jobs_.make(row);
    Found found;
    if (job)
        found = TRY(find_by_key(unit, row, *job));
    if (!found.key && !found.failure)
        found.failure = shared(lookup_ == Lookup::contents ? index_.unread(name) : index_.failure(name));
    if (!found.key && keys.size() > 1)
        return fail(ErrorCode::mismatch,
                    fmt::format("line {}: {} and {} were scored with {} different contents, and it is not known which "
                                "of these count: run isovmaf batch on the folder again",
                                row.line, escape_controls(row.reference), escape_controls(row.distorted), keys.size()));
    return found;
}

/// Looks up the units of all rows, many at a time: each asks the file system for the state of its videos.
Result<void> RunResults::find_all() {
    constexpr std::size_t rows_at_a_time = 4096;
    if (found_.size() == units_.size())
        return {};
    std::vector<Row> rows;
    TRY(rows_.visit([&](std::size_t index, const Row &row) -> Result<void> {
        rows.push_back(row);
        if (rows.size() < rows_at_a_time)
            return {};
        return find_units(std::exchange(rows, {}), index + 1 - rows_at_a_time);
    }));
    return find_units(rows, rows_.size() - rows.size());
}

/// `rows` begin with the one with the number `first_row`.
Result<void> RunResults::find_units(std::span<const Row> rows, std::size_t first_row) {
    const std::size_t first = found_.size();
    std::size_t end = first;
    while (end < units_.size() && units_[end].row < first_row + rows.size())
        end++;
    std::vector<Result<Found>> found(end - first);
    for_each_number(found.size(), file_threads(found.size()), [&](std::size_t i) {
        const Unit &unit = units_[first + i];
        found[i] = find(unit, rows[unit.row - first_row]);
    });
    for (Result<Found> &of_unit : found)
        found_.push_back(TRY(std::move(of_unit)));
    return {};
}

/// `unit` is the first unit of the row with this index, and afterwards that of the next row.
Result<void> RunResults::add_row(RunState &state, std::size_t index, const Row &row, std::size_t &unit) {
    std::optional<FailureKind> failed;
    if (!row.problem.empty()) {
        state.invalid++;
        failed = FailureKind::invalid;
        state.reasons.add(*failed, hide_names(row.problem, row.reference, row.distorted), {});
    }
    for (; unit < units_.size() && units_[unit].row == index; unit++) {
        const Found &found = found_[unit];
        if (const std::optional<UnitRecord> record = found.key ? index_.finished(*found.key) : std::nullopt) {
            state.finished++;
            state.frames += record->frames;
            state.seconds += record->seconds;
            state.stages += record->stages;
        }
        if (!found.failure)
            continue;
        (found.failure->permanent ? state.permanent : state.transient)++;
        state.reasons.add(kind_of(*found.failure), found.failure->error, found.failure->host);
        failed = failed.value_or(kind_of(*found.failure)); // results, too, have the first failure of a row
    }
    if (failed)
        state.failed_rows.add(*failed);
    return {};
}

Result<RunState> RunResults::state() {
    RunState state{.rows = rows_.size(), .units = units_.size()};
    TRY(find_all());
    std::size_t unit = 0;
    TRY(rows_.visit([&](std::size_t i, const Row &row) { return add_row(state, i, row, unit); }));
    return state;
}

Result<WordsFile> RunResults::decode_stored(std::span<const std::byte> bytes, const std::string &key) const {
    Result<WordsFile> words = decode_words(bytes, index_.store_of(key) + ".words");
    if (!words)
        return damaged_store(words.error(), key);
    return words;
}

/// The error of reading what the store has with this key, and what to do.
tl::unexpected<Error> RunResults::damaged_store(const Error &error, const std::string &key) const {
    return fail(error.code, fmt::format("{}; remove {}.jsonl from the run folder's stores and run isovmaf batch again: "
                                        "it computes the units of that store again",
                                        error.message, index_.store_of(key)));
}

/// What small pictures of all segments say about the pairing. Stores of earlier builds have none.
Result<std::vector<PairWarning>> RunResults::judge_alignment(const FoundRow &found, std::span<const StoredWords> words,
                                                             const PairJob &job) const {
    const std::vector<StoredWords> pictures = index_.pictures(found.keys);
    AlignmentDoctor doctor;
    for (std::size_t i = 0; i < pictures.size(); i++) {
        if (words[i]->empty()) // behind the end of the video
            continue;
        const std::vector<std::byte> bytes = TRY(pictures[i]);
        if (bytes.empty())
            return std::vector<PairWarning>();
        if (const Result<void> added = doctor.append(bytes); !added)
            return damaged_store(added.error(), found.keys[i]);
    }
    return doctor.warnings(job.videos.pair, found.start_difference);
}

Result<WordScores> RunResults::score(const FoundRow &found, std::span<const StoredWords> words, const Row &row,
                                     const PairJob &job) {
    std::vector<WordsFile> segments;
    for (std::size_t i = 0; i < words.size(); i++) {
        if (!words[i])
            return tl::unexpected(words[i].error());
        if (!words[i]->empty()) // else a segment behind the end of the video
            segments.push_back(TRY(decode_stored(*words[i], found.keys[i])));
    }
    const SegmentScorer *const scorer = TRY(scorer_of(row, job));
    return scorer->score(segments);
}

/// Rows with the same options are scored with models that are loaded once.
Result<const SegmentScorer *> RunResults::scorer_of(const Row &row, const PairJob &job) {
    if (!scorer_ || scorer_->first != row.options)
        scorer_.emplace(row.options, TRY(SegmentScorer::create(job.scoring)));
    return &scorer_->second;
}

/// What to say of a unit that has neither words nor a failure.
std::string RunResults::why_unfound(const Unit &unit, const Row &row) const {
    if (index_.keys_of(unit_name(row, unit.frames)).empty())
        return "not computed";
    for (const std::string &video : {row.reference, row.distorted})
        if (const auto seen = look_at(folder_.resolve(video)); !seen)
            return seen.error().message;
    return "its files have changed since they were scored, or were copied: run isovmaf batch on the folder again";
}

/// `unit` is the first unit of the row with this index, and afterwards that of the next row.
RunResults::FoundRow RunResults::find_row(std::size_t index, const Row &row, std::size_t &unit) const {
    FoundRow of_row{row};
    of_row.is_cut = unit < units_.size() && units_[unit].row == index && units_[unit].frames != FrameRange();
    for (; unit < units_.size() && units_[unit].row == index; unit++) {
        const Found &found = found_[unit];
        if (found.key) {
            of_row.keys.push_back(*found.key);
            const UnitRecord record = index_.finished(*found.key).value_or(UnitRecord());
            of_row.bytes += record.words ? record.words->bytes : 0;
            if (of_row.keys.size() == 1) {
                of_row.rate = record.rate;
                of_row.start_difference = record.start_difference;
                of_row.facts.bit_rate = record.bit_rate;
                for (const auto &[name, value] : record.settled)
                    of_row.facts.settled[name].push_back(value);
            }
            of_row.facts.seconds += record.seconds;
            add_warnings(of_row.facts.warnings, record.warnings);
        } else if (!of_row.failure)
            of_row.failure =
                found.failure ? found.failure : shared(UnitRecord{{}, {}, {}, why_unfound(units_[unit], row)});
    }
    if (of_row.failure)
        of_row.keys.clear();
    return of_row;
}

Result<void> RunResults::visit_row(FoundRow found, std::span<const StoredWords> words, const Fields &instead,
                                   const RowVisitor &visitor) {
    const Row &row = found.row;
    if (!row.problem.empty())
        return visitor.failed(row, FailureKind::invalid, row.problem);
    if (found.failure)
        return visitor.failed(row, kind_of(*found.failure), show_names(found.failure->error, row));
    const Row asked = with_options(row, instead);
    const PairJob job = TRY(jobs_.make(asked));
    const Result<WordScores> scores = score(found, words, asked, job);
    if (!scores)
        return visitor.failed(row, kind_of(scores.error()), scores.error().message);
    if (found.is_cut) {
        Row paired = asked;
        paired.options = with_settled(asked.options, found.facts.settled);
        const Result<std::vector<PairWarning>> of_alignment = judge_alignment(found, words, TRY(jobs_.make(paired)));
        if (!of_alignment)
            return visitor.failed(row, kind_of(of_alignment.error()), of_alignment.error().message);
        add_warnings(found.facts.warnings, *of_alignment);
    }
    add_warnings(found.facts.warnings, model_warnings(job.scoring.models, scores->format, found.rate));
    for (const ModelRequest &asked_model : job.scoring.models) {
        const ModelRequest model = chosen_request(asked_model, scores->format.height);
        found.facts.models.emplace_back(model.name, model.path.empty() ? model.version : model.path);
    }
    for (PairWarning &warning : found.facts.warnings)
        warning.sentence = show_names(std::move(warning.sentence), row);
    return visitor.scored(asked, *scores, found.facts);
}

/// Reads the words of all these rows, and then scores one row after the other.
Result<void> RunResults::visit_rows(std::vector<FoundRow> rows, const Fields &instead, const RowVisitor &visitor) {
    std::vector<std::string> keys;
    for (const FoundRow &found : rows)
        keys.insert(keys.end(), found.keys.begin(), found.keys.end());
    const std::vector<StoredWords> words = index_.words(keys);
    std::span<const StoredWords> rest(words);
    for (FoundRow &found : rows) {
        const std::size_t count = found.keys.size();
        TRY(visit_row(std::move(found), rest.first(count), instead, visitor));
        rest = rest.subspan(count);
    }
    return {};
}

Result<void> RunResults::visit(const RowVisitor &visitor, const Fields &instead) {
    constexpr std::uint64_t bytes_ahead = 64 << 20; // of words; a row with more of them is read alone
    constexpr std::size_t rows_ahead = 1 << 14;
    TRY(find_all());
    std::vector<FoundRow> rows;
    std::uint64_t bytes = 0;
    std::size_t unit = 0;
    TRY(rows_.visit([&](std::size_t index, const Row &row) -> Result<void> {
        FoundRow found = find_row(index, row, unit);
        if (bytes + found.bytes > bytes_ahead || rows.size() == rows_ahead) {
            TRY(visit_rows(std::exchange(rows, {}), instead, visitor));
            bytes = 0;
        }
        bytes += found.bytes;
        rows.push_back(std::move(found));
        return {};
    }));
    return visit_rows(std::move(rows), instead, visitor);
}

/// Whether the manifest has a bit rate for some row. Its unit is unknown, so no other row gets one that was measured.
Result<bool> RunResults::rows_state_bit_rates() const {
    bool any = false;
    TRY(rows_.visit([&](std::size_t, const Row &row) -> Result<void> {
        any = any || row.bit_rate.has_value();
        return {};
    }));
    return any;
}

Result<WrittenResults> RunResults::write(const std::filesystem::path &target, const Fields &instead) {
    WrittenResults written{.rows = rows_.size()};
    ResultFiles files = TRY(ResultFiles::create(target));
    const bool states_rates = TRY(rows_state_bit_rates());
    TRY(visit({[&](Row row, const WordScores &scores, const RowFacts &facts) {
                   if (!states_rates && facts.bit_rate)
                       row.bit_rate = static_cast<double>(*facts.bit_rate);
                   return files.add(row, scores, facts);
               },
               [&](const Row &row, FailureKind kind, const std::string &message) {
                   written.failures.add(kind);
                   if (written.first_failure.empty())
                       written.first_failure = fmt::format("line {}: {}", row.line, message);
                   return files.add_failure(row, kind, message);
               }},
              instead));
    TRY(files.complete());
    const SettingsLock unchanged = TRY(folder_.keep_unchanged());
    TRY(files.commit());
    written.scores_table = files.scores_table();
    return written;
}

} // namespace isovmaf::batch
