// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "isovmaf/scores.hpp"

namespace isovmaf::tool {

enum class ProgressStyle : std::uint8_t {
    none,
    line,      ///< one line that is rewritten: for a terminal
    lines,     ///< a line from time to time: for a log
    per_frame, ///< one line per scored frame
};

/// How often a log gets a line unless the user says otherwise.
inline constexpr std::chrono::seconds log_interval{30};

/// Shows the progress of scoring on standard error: frames, frames per second of wall-clock time, time left.
class Progress {
  public:
    /// `score_index` and `score_name` choose the score shown per frame. `interval` is that of ProgressStyle::lines.
    Progress(ProgressStyle style, std::optional<std::int64_t> expected_frames, std::string score_name,
             std::size_t score_index, std::chrono::seconds interval = log_interval);

    void pushed();                          ///< the session has taken one more pair
    void scored(const FrameScores &scores); ///< one more frame is complete
    void done();                            ///< clears the line

    [[nodiscard]] double frames_per_second() const;

  private:
    [[nodiscard]] std::string text() const;

    ProgressStyle style_;
    std::optional<std::int64_t> expected_;
    std::string score_name_;
    std::size_t score_index_;
    std::chrono::milliseconds interval_; ///< between two lines, or two states of the one line
    std::int64_t pushed_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point drawn_ = start_;
};

} // namespace isovmaf::tool
