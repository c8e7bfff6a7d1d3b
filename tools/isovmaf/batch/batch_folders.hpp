// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/results/results.hpp"
#include "tools/isovmaf/batch/batch.hpp"

namespace isovmaf::tool {

/// A run folder that was read, for its results.
class ReadFolder {
  public:
    [[nodiscard]] static Result<std::unique_ptr<ReadFolder>> open(batch::RunFolder folder,
                                                                  batch::RunResults::Lookup lookup);

    [[nodiscard]] const batch::RunFolder &folder() const { return folder_; }
    [[nodiscard]] batch::RunResults &results() { return *results_; }

    /// How many units workers have in work now.
    [[nodiscard]] Result<std::size_t> in_work() const;

  private:
    ReadFolder(batch::RunFolder folder, batch::RowTable rows)
        : folder_(std::move(folder)), rows_(std::move(rows)), index_({folder_.stores()}) {}

    const batch::RunFolder folder_;
    const batch::RowTable rows_;
    batch::StoreIndex index_;
    std::optional<batch::RunResults> results_; // declared after the members that it reads
};

/// The command line of `isovmaf batch merge`.
struct MergeArguments {
    std::vector<std::string> folders;
    std::string out;
};

/// The command line of `isovmaf batch status`.
struct StatusArguments {
    std::string folder;
    bool json = false;
};

/// The command line of `isovmaf rescore`.
struct RescoreArguments {
    std::string folder;
    std::string out;       ///< empty: "rescored" in the run folder
    batch::Fields options; ///< that take the place of the rows' own
};

/// Run these commands; they return an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_merge(const MergeArguments &arguments);
[[nodiscard]] int run_batch_status(const StatusArguments &arguments);
[[nodiscard]] int run_rescore(const RescoreArguments &arguments);

} // namespace isovmaf::tool
