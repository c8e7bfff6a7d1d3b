// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_progress.hpp"

#include <utility>

#include <unistd.h>

#include "base/clock.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

BatchProgress::Style BatchProgress::style_for(const BatchArguments &arguments) {
    if (arguments.quiet)
        return Style::none;
    if (arguments.progress == "json")
        return Style::json;
    return isatty(STDERR_FILENO) == 1 ? Style::line : Style::lines;
}

std::chrono::milliseconds BatchProgress::interval() const {
    using std::chrono::milliseconds;
    return style_ == Style::line   ? milliseconds(200)
           : style_ == Style::json ? milliseconds(1000)
                                   : milliseconds(30'000);
}

BatchProgress::BatchProgress(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places,
                             std::function<batch::WorkCounts()> of_others)
    : style_(style_for(arguments)), of_others_(std::move(of_others)) {
    for (const batch::WorkerPlace &place : places)
        progress_.devices.push_back(place.device.label());
    if (style_ != Style::none)
        shower_ = std::jthread([this](const std::stop_token &ended) { show_from_time_to_time(ended); });
}

void BatchProgress::progressed(const batch::WorkCounts &counts) {
    const std::lock_guard lock(mutex_);
    progress_.counts = counts;
    if (counts.settled() == counts.known)
        progress_.known_before = counts.known;
}

void BatchProgress::done(const batch::WorkCounts &counts) {
    progressed(counts);
    shower_ = {}; // waits for its end
    if (style_ == Style::json)
        show(true);
    if (style_ == Style::line || style_ == Style::lines)
        write_error(batch::workers_table(state()));
}

void BatchProgress::show_from_time_to_time(const std::stop_token &ended) {
    while (!wait_for_stop(ended, interval()))
        show(false);
    if (style_ == Style::line)
        write_error(erase_line());
}

void BatchProgress::show(bool ended) const {
    const batch::RunProgress progress = state();
    if (style_ == Style::json)
        write_error(batch::progress_json(progress, ended) + '\n');
    else if (style_ == Style::line)
        print_error("{}{}", erase_line(), batch::progress_line(progress));
    else
        print_error("isovmaf: {}\n", batch::progress_line(progress));
}

batch::RunProgress BatchProgress::state() const {
    const std::lock_guard lock(mutex_);
    batch::RunProgress progress = progress_;
    progress.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    progress.counts.add(of_others_());
    progress.frames = progress.counts.frames;
    return progress;
}

} // namespace isovmaf::tool
