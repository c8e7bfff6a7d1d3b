// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/results/results.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/commands.hpp"

/// What the commands of a batch share, and those that read run folders.
namespace isovmaf::tool {

/// "5 units finished; 2 failed, 1 of them may succeed when they are tried again; 3 not done yet"
[[nodiscard]] std::string state_text(const batch::RunState &state);

/// What the end of a run means for scripts, when up to `allowed` rows may fail.
[[nodiscard]] ExitCode exit_code_of(const batch::RowFailures &failures, std::size_t allowed);

/// The same of results that were written into `folder`. Prints why the command does not end with success.
[[nodiscard]] ExitCode conclude_results(const batch::WrittenResults &written, std::size_t allowed,
                                        const std::filesystem::path &folder);

/// Prints why a command failed, if it did, and returns the command's exit code. Another rank prints a failure that has
/// no message here.
[[nodiscard]] int print_failure(const Result<ExitCode> &code);

/// A run folder that was read, for its results.
class ReadFolder {
  public:
    [[nodiscard]] static Result<std::unique_ptr<ReadFolder>> open(batch::RunFolder folder,
                                                                  batch::RunResults::Lookup lookup);

    [[nodiscard]] const batch::RunFolder &folder() const { return folder_; }
    [[nodiscard]] batch::RunResults &results() { return *results_; }

    /// How many units processes of this host have in work now.
    [[nodiscard]] Result<std::size_t> in_work() const;

    /// The numbers of shards that are not done, of a folder that is cut into shards.
    [[nodiscard]] Result<std::vector<std::size_t>> missing_shards() const;

  private:
    ReadFolder(batch::RunFolder folder, batch::RowTable rows)
        : folder_(std::move(folder)), rows_(std::move(rows)), index_(folder_.stores()), lists_(index_) {}

    const batch::RunFolder folder_;
    const batch::RowTable rows_;
    batch::StoreIndex index_;
    mutable batch::Lists lists_;               ///< thread-safe
    std::optional<batch::RunResults> results_; // declared after the members that it reads
};

/// The command line of `isovmaf batch merge`.
struct MergeArguments {
    std::vector<std::string> folders;
    std::string out;              ///< empty: the only folder itself
    std::size_t allow_failed = 0; ///< rows without scores that count as success
};

/// The command line of `isovmaf batch status`.
struct StatusArguments {
    std::string folder;
    bool json = false;
    bool missing = false; ///< only the shards that are not done
};

/// The command line of `isovmaf rescore`.
struct RescoreArguments {
    std::string folder;
    std::string out;              ///< empty: "rescored" in the run folder
    batch::Fields options;        ///< that take the place of the rows' own
    std::size_t allow_failed = 0; ///< rows without scores that count as success
};

/// Run these commands; they return an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_merge(const MergeArguments &arguments);
[[nodiscard]] int run_batch_status(const StatusArguments &arguments);
[[nodiscard]] int run_rescore(const RescoreArguments &arguments);

/// The command line of `isovmaf batch export`.
struct ExportArguments {
    std::string folder;
    std::string format;
    std::string out; ///< empty: in the run folder
    std::string precision = "legacy";
};

/// The values that --format takes.
[[nodiscard]] std::vector<std::string> export_formats();

/// Runs `isovmaf batch export`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_export(const ExportArguments &arguments);

} // namespace isovmaf::tool
