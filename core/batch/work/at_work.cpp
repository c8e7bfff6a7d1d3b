// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/at_work.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::batch {

namespace {

constexpr const char *note_name = "at-work.json";

constexpr std::int64_t working = 0; ///< the lock of the host

/// What at-work.json says.
struct Note {
    std::string host = "?", identity = {}, job = {}, since = "?";
    std::int64_t process = 0;
    bool mpi = false;
};

std::string slurm_job() {
    const char *const job = std::getenv("SLURM_JOB_ID");
    return job != nullptr ? job : "";
}

Note own_note(AtWork::Who who) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return {host_name(), host_identity(),
            slurm_job(), fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(now)),
            getpid(),    who == AtWork::Who::mpi_job};
}

std::string encode(const Note &note) {
    const nlohmann::ordered_json json{{"host", note.host}, {"identity", note.identity}, {"process", note.process},
                                      {"job", note.job},   {"since", note.since},       {"mpi", note.mpi}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

/// Nothing when the file is not there. A file that cannot be read has the host "?".
std::optional<Note> read_note(const std::filesystem::path &path) {
    const Result<std::string> text = read_file(path);
    if (!text && text.error().code == ErrorCode::not_found)
        return std::nullopt;
    const nlohmann::json json = nlohmann::json::parse(text.value_or(""), nullptr, false);
    try {
        return Note{json.at("host"),  json.at("identity"), json.at("job"),
                    json.at("since"), json.at("process"),  json.at("mpi")};
    } catch (const nlohmann::json::exception &) {
        return Note();
    }
}

std::string described(const Note &note) {
    return fmt::format("{} host {} (process {}{}), since {}", note.mpi ? "an MPI job on" : "processes of",
                       escape_controls(note.host), note.process,
                       note.job.empty() ? "" : ", Slurm job " + escape_controls(note.job), escape_controls(note.since));
}

/// Whether the note says no more than that this host, or this job of Slurm, works here or did so.
bool is_ours(const Note &note, const Note &mine) {
    return (!mine.identity.empty() && note.identity == mine.identity) || (!mine.job.empty() && note.job == mine.job) ||
           note.host == mine.host; // the host was started again
}

} // namespace

Result<std::unique_ptr<AtWork>> AtWork::begin(const std::filesystem::path &folder, Who who, bool take_over) {
    const std::filesystem::path path = folder / note_name;
    const std::string name = escape_controls(folder.string());
    auto locks = TRY(LockFile::open(folder, "folder"));
    const LockFile::Turn turn(*locks);
    const Note mine = own_note(who);
    const std::optional<Note> found = read_note(path);
    if (!TRY(locks->try_lock(working, who == Who::mpi_job ? LockFile::Mode::exclusive : LockFile::Mode::shared)))
        return fail(ErrorCode::mismatch, fmt::format("{} already works on run folder {}: wait until that has ended",
                                                     found ? described(*found) : "another process of this host", name));
    if (found && !take_over && !is_ours(*found, mine))
        return fail(ErrorCode::mismatch,
                    fmt::format("run folder {} is in use: {}. One host at a time works on a folder: wait until that "
                                "has ended, divide the work among hosts by `isovmaf batch prepare` and --shard or by "
                                "MPI, or give --take-over if that host is gone",
                                name, described(*found)));
    if (!found || take_over || found->identity != mine.identity || found->mpi != mine.mpi)
        TRY(replace_file(path, encode(mine)));
    return std::unique_ptr<AtWork>(new AtWork(path, std::move(locks)));
}

/// The last process of the host removes the file.
AtWork::~AtWork() {
    const LockFile::Turn turn(*locks_);
    const Result<bool> last = locks_->try_lock(working, LockFile::Mode::exclusive);
    const std::optional<Note> note = read_note(note_);
    if (last && *last && note && is_ours(*note, own_note(Who::processes)))
        unlink(note_.c_str());
    locks_->unlock(working);
}

} // namespace isovmaf::batch
