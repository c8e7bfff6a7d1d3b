// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "batch/manifest/row.hpp"
#include "batch/store/row_table.hpp"
#include "batch/store/settings_lock.hpp"

namespace isovmaf::batch {

/// What a run folder is made for.
struct RunSettings {
    std::string version;             ///< of isovmaf
    Fields options = {};             ///< of the command line, which rows take as defaults
    std::string rows = {};           ///< name of the file of rows in the folder
    std::string base = {};           ///< folder that relative paths of rows start from
    std::int64_t segment_frames = 0; ///< 0: pairs are not cut
    std::size_t shards = 0;          ///< that the rows are cut into; 0: they are not
};

/// The name of the file of the shards' rows in the folder.
[[nodiscard]] std::string shards_name(const RunSettings &settings);

/// A row's path of a video as it is opened: relative paths start from `base`, and URLs stay.
[[nodiscard]] std::string resolve_video(const std::filesystem::path &base, const std::string &video);

/// Fails when the two were made by different versions or with different options; the error names both.
Result<void> check_same_settings(const std::string &name, const RunSettings &settings, const std::string &other_name,
                                 const RunSettings &other);

/// A folder that holds a batch: its rows, the stores of its workers, results.
///
///     run.json                     the settings
///     run.lock                     an empty file: see SettingsLock
///     rows-DIGEST.jsonl            one row a line
///     shards-N-rows-DIGEST.jsonl   the rows once more, shard by shard: see write_shards
///     stores/                      two files for each process that worked: see StoreWriter
class RunFolder {
  public:
    /// Opens a folder that was made before.
    [[nodiscard]] static Result<RunFolder> open(const std::filesystem::path &path);

    /// Opens a folder, or makes it. Fails when it was made by another version or with other options, when it is
    /// neither empty nor a run folder, and when the folder of the manifest has a name that is no UTF-8. `settings.rows`
    /// is ignored.
    [[nodiscard]] static Result<RunFolder> create(const std::filesystem::path &path, const RunSettings &settings);

    /// Makes these the settings, of a folder whose rows are complete. Waits for commands that keep it unchanged.
    Result<void> settle(const RunSettings &settings);

    [[nodiscard]] const RunSettings &settings() const { return settings_; }
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }
    [[nodiscard]] std::filesystem::path rows() const { return path_ / settings_.rows; }
    [[nodiscard]] std::filesystem::path stores() const { return path_ / "stores"; }
    [[nodiscard]] std::filesystem::path shards() const { return path_ / shards_name(settings_); }

    /// A row's path of a video as it is opened.
    [[nodiscard]] std::string resolve(const std::string &video) const;

    /// Fails when another command has made other rows or segments the folder's meanwhile.
    Result<void> check_unchanged() const;

    /// The same; and until the lock is given back, none does.
    [[nodiscard]] Result<SettingsLock> keep_unchanged() const;

  private:
    std::filesystem::path path_;
    RunSettings settings_;
};

/// Makes `target` a run folder that has the stores of all `folders`, which may be itself among them: doing it again
/// changes nothing. Fails when the folders are of different versions, options or rows; the error names both.
[[nodiscard]] Result<RunFolder> merge_folders(std::span<const std::filesystem::path> folders,
                                              const std::filesystem::path &target);

} // namespace isovmaf::batch
