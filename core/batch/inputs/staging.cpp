// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/staging.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/inputs/inputs.hpp"
#include "batch/store/files.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::batch {

namespace {

/// A copy of an input file.
struct CopiedFile {
    std::string digest;     ///< of its content, as Inputs has it without `fast`
    bool disk_full = false; ///< there is no copy, because the disk has no room for it
};

/// A file descriptor that is closed at the end.
struct Descriptor {
    int number;

    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() {
        if (number != -1)
            close(number);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
};

std::uint64_t size_of(const InputRecord &file) { return static_cast<std::uint64_t>(file.bytes); }

bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

/// Copies a file into a folder that is made for it, and hashes what it copies. Fails when the file no longer looks as
/// `seen`, and with `interrupted` after `stop`.
Result<CopiedFile> copy_input(const InputRecord &seen, const std::filesystem::path &path,
                              const std::function<bool()> &stop) {
    InputFile from = TRY(InputFile::open(seen.path));
    std::error_code error;
    std::filesystem::create_directory(path.parent_path(), error);
    const Descriptor to(retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
    if (to.number == -1)
        return is_full(errno) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, errno);
    OrderedBlocks content(size_of(seen));
    std::vector<std::byte> buffer(1 << 20);
    for (std::int64_t offset = 0;;) {
        if (stop())
            return fail(ErrorCode::interrupted, fmt::format("the copying of {} was interrupted", seen.path));
        const auto bytes = std::span(buffer).first(TRY(from.read(offset, buffer)));
        if (bytes.empty())
            break;
        offset += static_cast<std::int64_t>(bytes.size());
        content.add(bytes);
        if (const int code = write_all(to.number, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}); code)
            return is_full(code) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, code);
    }
    if (content.hashes().count_missing() > 0 || !looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return CopiedFile{content.hashes().digest()};
}

constexpr std::string_view folder_start = "isovmaf-stage-";
constexpr std::chrono::milliseconds room_looks{100};

/// Folders of processes that were killed.
void remove_left_folders(const std::filesystem::path &folder) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error))
        if (const std::string name = entry.path().filename(); name.starts_with(folder_start))
            if (is_of_ended_process(std::string_view(name).substr(folder_start.size())))
                std::filesystem::remove_all(entry.path(), error);
}

} // namespace

StagedFiles::StagedFiles(StagedFiles &&other) noexcept
    : staging_(std::exchange(other.staging_, nullptr)), own_(std::move(other.own_)), copies_(std::move(other.copies_)) {
}

StagedFiles::~StagedFiles() {
    if (staging_ != nullptr)
        staging_->give_back(own_);
}

std::string StagedFiles::path_of(const std::string &own) const {
    const auto place = std::ranges::find(own_, own) - own_.begin();
    return static_cast<std::size_t>(place) < copies_.size() ? copies_[static_cast<std::size_t>(place)] : own;
}

std::string StagedFiles::with_own_paths(std::string message) const {
    for (std::size_t i = 0; i < copies_.size(); i++)
        message = replace_all(std::move(message), copies_[i], own_[i]);
    return message;
}

Staging::Staging(std::filesystem::path folder, std::uint64_t most_bytes, LogSink log)
    : folder_(std::move(folder)), most_bytes_(most_bytes), log_(std::move(log)) {}

Result<std::unique_ptr<Staging>> Staging::create(const StagingOptions &options, LogSink log) {
    const std::filesystem::path &folder = options.folder;
    std::error_code error;
    const std::filesystem::path own = std::filesystem::absolute(folder) / (std::string(folder_start) + unique_name());
    if (std::filesystem::create_directories(folder, error); !error) {
        remove_left_folders(folder);
        std::filesystem::create_directory(own, error);
    }
    if (error)
        return file_failed("stage files in", folder, error.value());
    const std::uint64_t usable = std::filesystem::space(own, error).available / 10 * 8;
    return std::unique_ptr<Staging>(new Staging(own, options.most_bytes.value_or(error ? 0 : usable), std::move(log)));
}

Staging::~Staging() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
}

/// Removes a copy. Called with the mutex.
void Staging::remove(const std::string &path) {
    const auto copy = copies_.find(path);
    std::error_code error;
    std::filesystem::remove_all(copy->second.path.parent_path(), error);
    bytes_ -= size_of(copy->second.seen);
    copies_.erase(copy);
}

/// Removes copies that nobody reads until so many bytes are free, the ones first that were not used for the longest
/// time. Keeps those of `wanted`. Called with the mutex.
bool Staging::make_room(std::uint64_t bytes, std::span<const InputRecord> wanted) {
    while (bytes_ + bytes > most_bytes_) {
        auto oldest = copies_.end();
        for (auto copy = copies_.begin(); copy != copies_.end(); ++copy)
            if (copy->second.users == 0 && std::ranges::find(wanted, copy->first, &InputRecord::path) == wanted.end() &&
                (oldest == copies_.end() || copy->second.last_use < oldest->second.last_use))
                oldest = copy;
        if (oldest == copies_.end())
            return false;
        remove(std::string(oldest->first));
    }
    return true;
}

/// Makes room for files that have no copy. False while other units read copies of so many others, or copies of what
/// one of the files held before. Called with the mutex.
bool Staging::find_room(std::span<const InputRecord> files) {
    std::uint64_t missing = 0;
    for (const InputRecord &file : files) {
        const auto copy = copies_.find(file.path);
        if (copy != copies_.end() && looks_like(file, copy->second.seen))
            continue;
        missing += size_of(file);
        if (copy == copies_.end())
            continue;
        if (copy->second.users > 0)
            return false;
        remove(file.path);
    }
    return make_room(missing, files);
}

/// Makes this unit a user of the copies of all files; those that are not there are made entries without content.
/// False when the files will never fit, or when there is no room and the caller does not wait.
Result<bool> Staging::reserve(std::span<const InputRecord> files, const std::function<bool()> &stop, NoRoom no_room) {
    std::uint64_t all = 0;
    for (const InputRecord &file : files)
        all += size_of(file);
    if (all > most_bytes_)
        return false;
    std::unique_lock lock(mutex_);
    while (!find_room(files)) {
        if (no_room == NoRoom::leave)
            return false;
        if (stop())
            return fail(ErrorCode::interrupted, "the wait for room to stage files was interrupted");
        changed_.wait_for(lock, room_looks);
    }
    for (const InputRecord &file : files) {
        const auto [copy, added] = copies_.try_emplace(file.path);
        if (added) {
            const std::string name = std::filesystem::path(file.path).filename();
            copy->second = {file, folder_ / std::to_string(names_++) / name};
            bytes_ += size_of(file);
        }
        copy->second.users++;
        copy->second.last_use = ++uses_;
    }
    return true;
}

/// Copies a file, or waits until another unit has. False when the disk is full.
Result<bool> Staging::fill(const InputRecord &seen, const std::function<bool()> &stop) {
    std::unique_lock lock(mutex_);
    Copy &copy = copies_.at(seen.path); // stays: this unit is a user of it
    while (!copy.complete && copy.filling) {
        if (stop())
            return fail(ErrorCode::interrupted, "the wait for a copy was interrupted");
        changed_.wait_for(lock, room_looks);
    }
    if (copy.complete)
        return true;
    copy.filling = true;
    const std::filesystem::path path = copy.path;
    lock.unlock();
    Result<CopiedFile> made = copy_input(seen, path, stop);
    lock.lock();
    copy.filling = false;
    copy.complete = made && !made->disk_full;
    if (copy.complete)
        copy.seen.digest = made->digest;
    changed_.notify_all();
    if (!made)
        return tl::unexpected(made.error());
    return copy.complete;
}

void Staging::give_back(std::span<const std::string> paths) {
    const std::lock_guard lock(mutex_);
    for (const std::string &path : paths)
        if (Copy &copy = copies_.at(path); --copy.users == 0 && !copy.complete)
            remove(path);
    changed_.notify_all();
}

Result<StagedFiles> Staging::take(std::span<const std::string> paths, const std::function<bool()> &stop,
                                  NoRoom no_room) {
    std::vector<InputRecord> files;
    for (const std::string &path : paths)
        if (std::ranges::find(files, path, &InputRecord::path) == files.end())
            files.push_back(TRY(look_at(path)));
    StagedFiles staged;
    if (!TRY(reserve(files, stop, no_room))) {
        if (no_room == NoRoom::leave)
            return StagedFiles();
        warn(log_, fmt::format("{} is not copied: the files of its pair have more bytes than copies may take in {}, "
                               "which is {}; --stage-bytes N allows N",
                               escape_controls(paths.back()), folder_.parent_path().string(), most_bytes_));
        return StagedFiles();
    }
    staged.staging_ = this;
    for (const InputRecord &file : files)
        staged.own_.push_back(file.path);
    for (const InputRecord &file : files)
        if (!TRY(fill(file, stop))) {
            warn(log_, fmt::format("{} is not copied: there is no space left in {}", escape_controls(file.path),
                                   folder_.parent_path().string()));
            return StagedFiles();
        }
    const std::lock_guard lock(mutex_);
    for (const std::string &path : staged.own_)
        staged.copies_.push_back(copies_.at(path).path);
    return staged;
}

std::optional<std::string> Staging::digest(const InputRecord &seen) const {
    const std::lock_guard lock(mutex_);
    const auto copy = copies_.find(seen.path);
    if (copy == copies_.end() || !copy->second.complete || !looks_like(seen, copy->second.seen))
        return std::nullopt;
    return copy->second.seen.digest;
}

} // namespace isovmaf::batch
