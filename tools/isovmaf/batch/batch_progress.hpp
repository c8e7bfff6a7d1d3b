// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "batch/work/progress.hpp"
#include "batch/work/worker.hpp"
#include "tools/isovmaf/batch/batch.hpp"

namespace isovmaf::tool {

/// Shows on standard error how far the work is, from a thread of its own: on a terminal one line that is rewritten,
/// else a line from time to time, or with --progress json an object each second. Its functions may be called by any
/// thread.
class BatchProgress {
  public:
    /// `of_others` gives what other processes have done with units of the same source, whenever something is shown.
    BatchProgress(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places,
                  std::function<batch::WorkCounts()> of_others);

    void progressed(const batch::WorkCounts &counts);

    /// Ends the progress, and shows what each worker did. Called once.
    void done(const batch::WorkCounts &counts);

  private:
    using Clock = std::chrono::steady_clock;

    void show_from_time_to_time(const std::stop_token &ended);
    void show(bool ended) const;
    [[nodiscard]] batch::RunProgress state() const;

    enum class Style : std::uint8_t { none, line, lines, json };
    [[nodiscard]] static Style style_for(const BatchArguments &arguments);
    [[nodiscard]] std::chrono::milliseconds interval() const;

    const Style style_;
    const std::function<batch::WorkCounts()> of_others_;
    const Clock::time_point start_ = Clock::now();
    mutable std::mutex mutex_; ///< of `progress_`
    batch::RunProgress progress_;
    std::jthread shower_; // declared after the members that it reads
};

} // namespace isovmaf::tool
