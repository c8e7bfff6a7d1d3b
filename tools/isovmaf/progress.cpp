// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/progress.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/number_text.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

constexpr std::chrono::milliseconds redraw_interval{100};

} // namespace

Progress::Progress(ProgressStyle style, std::optional<std::int64_t> expected_frames, std::string score_name,
                   std::size_t score_index, std::chrono::seconds interval)
    : style_(style), expected_(expected_frames), score_name_(std::move(score_name)), score_index_(score_index),
      interval_(style == ProgressStyle::line ? redraw_interval : interval) {}

double Progress::frames_per_second() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count() > 0 ? static_cast<double>(pushed_) / elapsed.count() : 0;
}

void Progress::pushed() {
    pushed_++;
    const auto now = std::chrono::steady_clock::now();
    if (now - drawn_ < interval_)
        return;
    drawn_ = now;
    if (style_ == ProgressStyle::line)
        print_error("{}{}", erase_line(), text());
    else if (style_ == ProgressStyle::lines)
        print_error("isovmaf: {}\n", text());
}

void Progress::scored(const FrameScores &scores) {
    if (style_ == ProgressStyle::per_frame)
        print_error("frame {:>6}  {} {:.6f}\n", scores.frame, score_name_, scores.scores[score_index_]);
}

std::string Progress::text() const {
    const double fps = frames_per_second();
    std::string line =
        expected_ ? fmt::format("{} of {} frames", pushed_, *expected_) : fmt::format("{} frames", pushed_);
    line += fmt::format("  {:.1f} fps", fps);
    if (expected_ && fps > 0)
        line += fmt::format("  {} left",
                            clock_text(static_cast<double>(std::max<std::int64_t>(0, *expected_ - pushed_)) / fps));
    return line;
}

void Progress::done() {
    if (style_ == ProgressStyle::line)
        write_error(erase_line());
}

} // namespace isovmaf::tool
