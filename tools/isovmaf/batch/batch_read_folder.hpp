// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>

#include "batch/results/results.hpp"

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

} // namespace isovmaf::tool
