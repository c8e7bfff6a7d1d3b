// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/results/batch_page.hpp"

namespace isovmaf::batch {

/// Units that failed for one reason, or rows that are invalid for one.
struct FailureReason {
    FailureKind kind = FailureKind::invalid;
    std::string message; ///< the names of files are hidden: see hide_names
    std::size_t units = 0;
    std::set<std::string> hosts = {}; ///< that tried the units, as far as their records say
};

/// Counts failures by their reasons.
class FailureReasons {
  public:
    /// `host` tried the unit; empty where that is not known.
    void add(FailureKind kind, const std::string &message, const std::string &host);

    /// The most frequent reason first, and of equally frequent ones the first in the alphabet.
    [[nodiscard]] std::vector<FailureReason> most_frequent_first() const;

  private:
    std::map<std::pair<std::string, FailureKind>, FailureReason> reasons_;
};

/// The first reasons as a table for a terminal, and how many more there are. Empty without reasons.
[[nodiscard]] std::string reasons_table(std::span<const FailureReason> reasons);

} // namespace isovmaf::batch
