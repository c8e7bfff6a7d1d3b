// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "request/pair_job.hpp"

namespace isovmaf::batch {

/// What was decided about the pairs of a batch: see settle_videos. All units of a pair ask for it, in any process, and
/// get the same, since it depends on the contents and the options alone. Remembers what this process has decided while
/// the files look as they did. Thread-safe.
class SettledPairs {
  public:
    /// Decides what the job leaves open, as its files are now. `own` has the paths of the row, where `job` may have
    /// those of copies. `options`: what the job was parsed from, equal texts for equal options. `may_remember`: the
    /// files open no others, which might change.
    [[nodiscard]] Result<void> settle(const PairJob &own, const std::string &options, bool may_remember, PairJob &job);

  private:
    std::mutex mutex_; ///< guards `known_`
    std::map<std::string, VideoRequest> known_;
};

} // namespace isovmaf::batch
