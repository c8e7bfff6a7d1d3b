// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_io.hpp"
#include "isovmaf/result.hpp"

/// Files of a run folder. Others may read them at any time, on any node.
namespace isovmaf::batch {

/// A file that appears complete or not at all: readers see the old file or the whole new one, which is on disk then.
class NewFile {
  public:
    /// The file begins with `text`.
    [[nodiscard]] static Result<NewFile> create(const std::filesystem::path &path, std::string_view text = {});

    Result<void> write(std::string_view text);
    Result<void> commit(); ///< once, after the last text

    /// The same with another name in the same folder.
    Result<void> commit_as(const std::filesystem::path &path);

    /// Puts the text on disk, after the last one: `commit` only gives the file its name then.
    Result<void> complete();

  private:
    friend Result<void> commit_together(std::span<NewFile> files, const std::filesystem::path &folder);

    NewFile(std::filesystem::path path, PendingFile file) : path_(std::move(path)), file_(std::move(file)) {}
    Result<void> flush();

    std::filesystem::path path_;
    PendingFile file_; ///< removes what was not committed
    std::string buffer_ = {};
};

/// Gives files of one folder their names, one right after the other.
Result<void> commit_together(std::span<NewFile> files, const std::filesystem::path &folder);

/// How many threads shall open so many files at the same time. A file system of many hosts answers each call after a
/// fraction of a millisecond, and many calls at once; for a few files, starting threads takes longer.
[[nodiscard]] std::size_t file_threads(std::size_t files);

/// Waits until the names of a folder's files are on disk.
Result<void> sync_folder(const std::filesystem::path &folder);

/// Removes from a folder the unfinished files of killed processes: those of ended processes of this host, and those
/// that nobody has written to for a day.
Result<void> remove_unfinished_files(const std::filesystem::path &folder);

/// Makes `path` hold `text`, as NewFile does.
Result<void> replace_file(const std::filesystem::path &path, std::string_view text);

/// A file that is open for reading, while others may append to it.
class OpenFile {
  public:
    [[nodiscard]] static Result<OpenFile> open(const std::filesystem::path &path);
    ~OpenFile();
    OpenFile(OpenFile &&other) noexcept
        : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    OpenFile &operator=(OpenFile &&) = delete;

    /// How many bytes it has now.
    [[nodiscard]] Result<std::uint64_t> size() const;

    /// `bytes` bytes from `offset` on; fewer where the file ends before.
    [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::uint64_t bytes) const;

    /// The same; fails where the file ends before.
    [[nodiscard]] Result<std::string> read_whole(std::uint64_t offset, std::uint64_t bytes) const;

  private:
    OpenFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path path_;
    int descriptor_;
};

/// The whole text of a file; not_found when there is none.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path &path);

/// "cannot WHAT PATH: REASON", with the system's words for `error`, and what to do when the disk is full.
[[nodiscard]] tl::unexpected<Error> file_failed(std::string_view what, const std::filesystem::path &path, int error);

} // namespace isovmaf::batch
