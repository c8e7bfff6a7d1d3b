// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_folders.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/store/run_folder.hpp"
#include "batch/work/unit_locks.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

std::string state_text(const batch::RunState &state) {
    const auto number = [](std::size_t count) { return count_text(static_cast<std::int64_t>(count)); };
    std::string text = fmt::format("{} finished", counted(static_cast<std::int64_t>(state.finished), "unit"));
    if (state.permanent + state.transient > 0)
        text += fmt::format("; {} failed, {} of them may succeed when they are tried again",
                            number(state.permanent + state.transient), number(state.transient));
    if (state.missing() > 0)
        text += fmt::format("; {} not done yet", number(state.missing()));
    if (state.invalid > 0)
        text += fmt::format("; {} left out", counted(static_cast<std::int64_t>(state.invalid), "row"));
    return text;
}

ExitCode exit_code_of(const batch::RowFailures &failures, std::size_t allowed) {
    if (failures.permanent + failures.transient <= allowed)
        return exit_ok;
    return failures.transient > 0 ? exit_again : exit_rows_failed;
}

ExitCode conclude_results(const batch::WrittenResults &written, std::size_t allowed,
                          const std::filesystem::path &folder) {
    const ExitCode code = exit_code_of(written.failures, allowed);
    const std::size_t failed = written.failures.permanent + written.failures.transient;
    if (code != exit_ok)
        print_error("isovmaf: error: {} of {} {} no scores{}; {}; {} lists all of them\n",
                    count_text(static_cast<std::int64_t>(failed)),
                    counted(static_cast<std::int64_t>(written.rows), "row"), failed == 1 ? "has" : "have",
                    code == exit_again ? ", and some of them may have some when isovmaf batch is run again" : "",
                    escape_controls(written.first_failure), escape_controls((folder / "failures.csv").string()));
    return code;
}

int print_failure(const Result<ExitCode> &code) {
    if (code)
        return *code;
    if (!code.error().message.empty())
        print_error("isovmaf: error: {}\n", code.error().message);
    if (code.error().code == ErrorCode::interrupted)
        return exit_interrupted;
    if (may_blame_device(code.error().code))
        return exit_unavailable;
    return code.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
}

namespace {

constexpr auto by_name = batch::RunResults::Lookup::names;

Result<batch::RunFolder> folder_to_merge(const MergeArguments &arguments) {
    const std::vector<std::filesystem::path> folders(arguments.folders.begin(), arguments.folders.end());
    if (!arguments.out.empty())
        return batch::merge_folders(folders, arguments.out);
    if (folders.size() > 1)
        return fail(ErrorCode::invalid_argument, "--out is needed: a folder for what several folders have together");
    return batch::RunFolder::open(folders.front());
}

Result<ExitCode> merge(const MergeArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(folder_to_merge(arguments)), by_name));
    const batch::RunState state = TRY(read->results().state());
    if (state.missing() > 0) {
        print_error("isovmaf: error: {}; results are written when all units are done\n", state_text(state));
        return exit_again;
    }
    const std::filesystem::path &out = read->folder().path();
    const batch::WrittenResults written = TRY(read->results().write(out));
    const std::string merged =
        arguments.out.empty()
            ? ""
            : fmt::format("{} merged: ", counted(static_cast<std::int64_t>(arguments.folders.size()), "run folder"));
    print_output("{}{}; {}; results in {}\n", merged, counted(static_cast<std::int64_t>(state.rows), "row"),
                 state_text(state), escape_controls(out.string()));
    return conclude_results(written, arguments.allow_failed, out);
}

nlohmann::ordered_json reasons_json(const batch::RunState &state) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const batch::FailureReason &reason : state.reasons.most_frequent_first())
        json.push_back({{"kind", batch::failure_kind_name(reason.kind)},
                        {"reason", reason.message},
                        {"units", reason.units},
                        {"hosts", reason.hosts}});
    return json;
}

std::string status_json(const batch::RunState &state, std::size_t in_work) {
    const nlohmann::ordered_json json{{"rows", state.rows},           {"invalid", state.invalid},
                                      {"units", state.units},         {"finished", state.finished},
                                      {"permanent", state.permanent}, {"transient", state.transient},
                                      {"in_work", in_work},           {"failures", reasons_json(state)}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Result<ExitCode> status(const StatusArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.folder)), by_name));
    const batch::RunState state = TRY(read->results().state());
    const std::size_t in_work = TRY(read->in_work());
    if (arguments.json)
        write_output(status_json(state, in_work));
    else
        print_output("{}; {} in work on this host\n{}", state_text(state), in_work,
                     batch::reasons_table(state.reasons.most_frequent_first()));
    return exit_ok;
}

/// "3,17-20"
std::string list_text(const std::vector<std::size_t> &numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            end++;
        text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
        if (end > i + 1)
            text += fmt::format("-{}", numbers[end - 1]);
        i = end;
    }
    return text;
}

Result<ExitCode> missing(const StatusArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.folder)), by_name));
    const std::vector<std::size_t> shards = TRY(read->missing_shards());
    if (!shards.empty())
        write_output(list_text(shards) + '\n');
    return exit_ok;
}

Result<ExitCode> rescore(const RescoreArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.folder)), by_name));
    const batch::RunState state = TRY(read->results().state());
    if (state.missing() > 0)
        print_error("isovmaf: warning: {}\n", state_text(state));
    const std::filesystem::path out =
        arguments.out.empty() ? read->folder().path() / "rescored" : std::filesystem::path(arguments.out);
    std::error_code error;
    if (std::filesystem::create_directories(out, error); error)
        return batch::file_failed("make", out, error.value());
    const batch::WrittenResults written = TRY(read->results().write(out, arguments.options));
    const std::size_t scored = written.rows - written.failures.permanent - written.failures.transient;
    print_output("{} scored again; results in {}\n", counted(static_cast<std::int64_t>(scored), "row"),
                 escape_controls(out.string()));
    const ExitCode code = conclude_results(written, arguments.allow_failed, out);
    return state.missing() > 0 ? exit_again : code;
}

} // namespace

Result<std::unique_ptr<ReadFolder>> ReadFolder::open(batch::RunFolder folder, batch::RunResults::Lookup lookup) {
    batch::RowTable rows = TRY(batch::RowTable::open(folder.rows()));
    std::unique_ptr<ReadFolder> read(new ReadFolder(std::move(folder), std::move(rows)));
    TRY(read->index_.refresh());
    const auto units = TRY(batch::plan_units(read->rows_, read->folder_.settings().segment_frames));
    read->results_.emplace(read->folder_, read->rows_, units, read->index_, read->lists_, lookup, false);
    return read;
}

Result<std::size_t> ReadFolder::in_work() const {
    std::size_t count = TRY(batch::UnitLocks::open(folder_, {})).count_elsewhere();
    if (const std::size_t shards = folder_.settings().shards; shards > 0)
        count += TRY(batch::UnitLocks::open(folder_, {0, shards})).count_elsewhere();
    return count;
}

Result<std::vector<std::size_t>> ReadFolder::missing_shards() const {
    const batch::RunSettings &settings = folder_.settings();
    if (settings.shards == 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} is not cut into shards: --missing is for a folder that isovmaf batch prepare made "
                                "with --shards",
                                escape_controls(folder_.path().string())));
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < settings.shards; i++) {
        const auto rows = TRY(batch::RowTable::open(folder_.shards(), {i, settings.shards}));
        const auto units = TRY(batch::plan_units(rows, settings.segment_frames));
        batch::RunResults results(folder_, rows, units, index_, lists_, by_name, false);
        const batch::RunState state = TRY(results.state());
        if (state.missing() + state.transient > 0)
            missing.push_back(i);
    }
    return missing;
}

int run_batch_merge(const MergeArguments &arguments) { return print_failure(merge(arguments)); }

int run_rescore(const RescoreArguments &arguments) { return print_failure(rescore(arguments)); }

int run_batch_status(const StatusArguments &arguments) {
    return print_failure(arguments.missing ? missing(arguments) : status(arguments));
}

} // namespace isovmaf::tool
