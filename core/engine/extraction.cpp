// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/extraction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf {

Extraction::Extraction(const SessionOptions &options, const EnginePlan &plan, WordSink &sink, std::int64_t first_frame)
    : plan_(plan), sink_(sink), first_frame_(first_frame), subsample_(options.subsample),
      lead_in_(static_cast<int>(std::min<std::int64_t>(first_frame, plan.earlier_references()))),
      scheduler_(open_scheduler(options, plan)), frame_words_(plan), history_(plan.earlier_references()),
      extracted_(plan.features.size()), rows_(plan.features.size()) {}

Execution Extraction::execution() const {
    Execution execution = describe(scheduler_, plan_);
    frame_words_.describe(execution);
    return execution;
}

std::shared_ptr<const Device> Extraction::device() const { return scheduler_.gpu ? scheduler_.gpu->device() : nullptr; }

Result<void> Extraction::push(FramePair pair) { return start(std::move(pair), {}); }

Result<void> Extraction::push(const DeviceFrame &reference, const DeviceFrame &distorted) {
    if (const std::string_view feature = feature_on_cpu(scheduler_, plan_); !feature.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("feature {} runs on the CPU, which cannot read frames in device memory: push frames in "
                                "host memory, or leave the feature out",
                                feature));
    return start({}, std::pair{reference, distorted});
}

Result<void> Extraction::collect() {
    return unless_failed([&]() -> Result<void> {
        collect_ready();
        return {};
    });
}

Result<void> Extraction::finish() {
    return unless_failed([&]() -> Result<void> {
        if (std::exchange(finished_, true))
            return {};
        while (!scheduler_.scheduler->empty())
            hand_out(scheduler_.scheduler->take(Scheduler::Wait::yes));
        TRY(check_work(scheduler_, plan_, extracted_));
        sink_.end();
        return {};
    });
}

Result<void> Extraction::start(FramePair pair, std::optional<std::pair<DeviceFrame, DeviceFrame>> on_device) {
    if (finished_)
        return fail(ErrorCode::invalid_argument, "frames cannot be pushed after finish");
    return unless_failed([&]() -> Result<void> {
        while (scheduler_.scheduler->full())
            hand_out(scheduler_.scheduler->take(Scheduler::Wait::yes));
        collect_ready();
        submit(std::move(pair), std::move(on_device));
        return {};
    });
}

void Extraction::submit(FramePair pair, std::optional<std::pair<DeviceFrame, DeviceFrame>> on_device) {
    std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->blank();
    frame->index = pushed_++;
    const std::int64_t number = video_frame(frame->index);
    frame->wanted.clear();
    for (std::size_t e = 0; e < plan_.features.size(); e++) {
        const PlannedFeature &planned = plan_.features[e];
        const bool wanted = number >= first_frame_ && runs_on_frame(*planned.feature, number, subsample_);
        frame->wanted.push_back(wanted);
        if (wanted && number >= planned.plan.earlier_references)
            extracted_[e]++;
    }
    frame->frames = history_.next(std::move(pair));
    frame->on_device = std::move(on_device);
    scheduler_.scheduler->submit(std::move(frame));
}

void Extraction::collect_ready() {
    while (std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->take(Scheduler::Wait::no))
        hand_out(std::move(frame));
}

void Extraction::hand_out(std::unique_ptr<FrameInFlight> frame) {
    if (const std::int64_t number = video_frame(frame->index); number >= first_frame_) {
        frame_words_.finish(*frame);
        for (std::size_t e = 0; e < rows_.size(); e++)
            rows_[e] = frame->wanted[e] ? ConstWords(frame->words[e]) : ConstWords();
        sink_.take({number, rows_});
    }
    scheduler_.scheduler->recycle(std::move(frame));
}

/// Runs `body` unless something failed before, and remembers its failure.
template <class Body>
Result<void> Extraction::unless_failed(const Body &body) {
    if (failure_)
        return tl::unexpected(*failure_);
    Result<void> result = guarded(body);
    if (!result)
        failure_ = result.error();
    return result;
}

} // namespace isovmaf
