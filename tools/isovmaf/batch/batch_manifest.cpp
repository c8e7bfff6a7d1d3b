// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/work/tasks.hpp"
#include "batch/work/unit.hpp"
#include "engine/plan/bind_models.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/url_file.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

/// Checks rows: their options, models and files. Thread-safe.
class RowChecker {
  public:
    RowChecker(std::filesystem::path base, batch::RowJobs &jobs) : base_(std::move(base)), jobs_(jobs) {}

    Result<std::uint64_t> check(const batch::Row &row) {
        if (const std::string problem = options_problem(row); !problem.empty())
            return fail(ErrorCode::invalid_argument, problem);
        return TRY(file_bytes(row.reference)) + TRY(file_bytes(row.distorted));
    }

  private:
    /// Most rows have the options of an earlier one.
    std::string options_problem(const batch::Row &row) {
        constexpr std::size_t most_remembered = 4096;
        const std::lock_guard lock(mutex_);
        if (problems_.size() >= most_remembered)
            problems_.clear();
        const auto [problem, added] = problems_.try_emplace(row.options);
        if (added)
            problem->second = find_problem(row);
        return problem->second;
    }

    std::string find_problem(const batch::Row &row) {
        Result<PairJob> job = jobs_.make(row);
        if (!job)
            return job.error().message;
        const VideoFormat any{.width = 1920, .height = 1080}; // features take every size that is not very small
        const auto loaded = find_readers(job->scoring, any);
        if (!loaded)
            return loaded.error().message;
        const Result<void> kept = refuse_maps(job->scoring, "a batch writes no maps: leave the option out, or give the "
                                                            "pair to isovmaf score");
        return kept ? "" : kept.error().message;
    }

    Result<std::uint64_t> file_bytes(const std::string &video) const {
        if (is_url(video))
            return static_cast<std::uint64_t>(TRY(UrlFile::open(video)).bytes());
        const std::filesystem::path path = base_ / video;
        if (is_url_or_pattern(path))
            return fail(
                ErrorCode::unsupported,
                fmt::format("{} is a name of numbered pictures, and batches read files and URLs: make a video of "
                            "the pictures, for example with ffmpeg -i {} -c:v ffv1 NAME.mkv",
                            escape_controls(video), quote_for_shell(video)));
        struct stat status {};
        if (stat(path.c_str(), &status) != 0 || access(path.c_str(), R_OK) != 0)
            return batch::file_failed("open", video, errno);
        if (!S_ISREG(status.st_mode))
            return fail(ErrorCode::unsupported, fmt::format("{} is no file", escape_controls(video)));
        return static_cast<std::uint64_t>(status.st_size);
    }

    std::filesystem::path base_;
    batch::RowJobs &jobs_;
    std::mutex mutex_;                              ///< guards `problems_`
    std::map<batch::Fields, std::string> problems_; ///< by options; empty where there is none
};

bool is_pattern(const PrepareArguments &arguments) { return !arguments.pairs.reference.empty(); }

/// "pairs.csv, line 2", or the file that a pattern found.
std::string name_of_row(const PrepareArguments &arguments, const batch::Row &row) {
    return is_pattern(arguments) ? escape_controls(row.distorted)
                                 : fmt::format("{}, line {}", escape_controls(arguments.manifest), row.line);
}

} // namespace

std::filesystem::path base_of(const PrepareArguments &arguments) {
    if (is_pattern(arguments))
        return std::filesystem::current_path();
    return std::filesystem::absolute(arguments.manifest).parent_path();
}

Result<batch::ManifestSummary> check_manifest(const PrepareArguments &arguments, batch::RowJobs &jobs,
                                              const batch::RowSink &sink) {
    const batch::ManifestColumns columns = manifest_columns();
    const auto reader = TRY(is_pattern(arguments) ? batch::find_pairs(arguments.manifest, arguments.pairs)
                                                  : batch::open_manifest(arguments.manifest, columns));
    RowChecker checker(base_of(arguments), jobs);
    const batch::ManifestSummary summary = TRY(batch::validate_manifest(
        *reader, arguments.defaults, [&](const batch::Row &row) { return checker.check(row); },
        [&](const batch::Row &row, std::uint64_t bytes) -> Result<void> {
            if (!row.problem.empty())
                print_error("isovmaf: {}: {}: {}\n", arguments.skip_invalid ? "warning" : "error",
                            name_of_row(arguments, row), row.problem);
            return sink(row, bytes);
        }));
    if (summary.pairs + summary.invalid == 0)
        return fail(
            ErrorCode::corrupt_data,
            fmt::format("manifest {} has no rows: write one for each pair below the line that names the columns",
                        escape_controls(arguments.manifest)));
    return summary;
}

namespace {

batch::RunSettings settings_for(const PrepareArguments &arguments) {
    return {std::string(version()),      arguments.defaults,       {},
            base_of(arguments).string(), arguments.segment_frames, arguments.shards.shards};
}

/// `bytes` are those of each row's videos.
Result<void> put_shards(const PrepareArguments &arguments, const batch::RunFolder &folder,
                        const batch::RunSettings &settings, std::span<const std::uint64_t> bytes) {
    const auto rows = TRY(batch::RowTable::open(folder.path() / settings.rows));
    const auto units = TRY(batch::plan_units(rows, settings.segment_frames));
    const auto shard_of_unit = batch::plan_shards(units, bytes, arguments.shards);
    return batch::write_shards(folder.path() / batch::shards_name(settings),
                               TRY(batch::rows_of_shards(units, rows, shard_of_unit, settings.shards)));
}

} // namespace

Result<batch::RunFolder> make_run_folder(const PrepareArguments &arguments) {
    if (arguments.manifest.empty())
        return batch::RunFolder::open(arguments.run);
    return batch::RunFolder::create(arguments.run, settings_for(arguments));
}

Result<void> put_rows(const PrepareArguments &arguments, batch::RunFolder &folder, const std::function<bool()> &stop) {
    if (arguments.manifest.empty())
        return {};
    batch::RunSettings settings = settings_for(arguments);
    batch::NewFile file = TRY(batch::NewFile::create(folder.path() / "rows.jsonl"));
    Sha256 hash;
    batch::RowJobs jobs(settings.base);
    std::vector<std::uint64_t> bytes_of_rows;
    const auto put_row = [&](batch::Row row, std::uint64_t bytes) -> Result<void> {
        if (stop())
            return fail(ErrorCode::interrupted,
                        "stopped while the manifest was read; run the same command again to start anew");
        if (arguments.segment_frames > 0 && row.problem.empty())
            row.frames = batch::count_frames(TRY(jobs.make(row)));
        bytes_of_rows.push_back(bytes);
        const std::string text = TRY(batch::encode_row(row)) + '\n';
        hash.add(std::as_bytes(std::span(text)));
        return file.write(text);
    };
    const batch::ManifestSummary summary = TRY(check_manifest(arguments, jobs, put_row));
    if (summary.invalid > 0 && !arguments.skip_invalid)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} of the manifest cannot be scored: correct them, or give --skip-invalid",
                                counted(summary.invalid, "row")));
    settings.rows = fmt::format("rows-{}.jsonl", std::move(hash).hex().substr(0, 16));
    TRY(file.commit_as(folder.path() / settings.rows));
    if (settings.shards > 0)
        TRY(put_shards(arguments, folder, settings, bytes_of_rows));
    return folder.settle(settings);
}

} // namespace isovmaf::tool
