// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/isovmaf.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "engine/bind_models.hpp"
#include "engine/collector.hpp"
#include "engine/feature_set.hpp"
#include "engine/frame_words.hpp"
#include "engine/open_scheduler.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

Result<void> check_options(const SessionOptions &options) {
    TRY(validate_format(options.format));
    if (options.threads < 0 || options.threads > 1024)
        return fail(ErrorCode::invalid_argument, fmt::format("{} threads: give 0 to 1024", options.threads));
    if (options.frames_in_flight < 0 || options.frames_in_flight > 1024)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} frames in flight: give 0 to 1024", options.frames_in_flight));
    if (options.device_queues < 0 || options.device_queues > 64)
        return fail(ErrorCode::invalid_argument, fmt::format("{} queues: give 0 to 64", options.device_queues));
    if (options.subsample < 1)
        return fail(ErrorCode::invalid_argument, fmt::format("subsample {}: give 1 or more", options.subsample));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: ask for a model or a feature");
    return {};
}

Result<void> check_view(const VideoFormat &format, const FrameView &view) {
    const auto sample = static_cast<std::size_t>(format.bytes_per_sample());
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        if (!view.data[p])
            return fail(ErrorCode::invalid_argument, fmt::format("frame without a pointer to plane {}", p));
        if (reinterpret_cast<std::uintptr_t>(view.data[p]) % sample != 0 ||
            view.stride_bytes[p] % static_cast<std::ptrdiff_t>(sample) != 0)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("plane {} of a {}-bit frame is not aligned to {} bytes", p, format.bit_depth, sample));
    }
    return {};
}

/// Memory of a device, which is not closed before it.
struct HeldMemory {
    explicit HeldMemory(std::shared_ptr<const Device> on) : device(std::move(on)) {}

    std::shared_ptr<const Device> device;
    Buffer buffer;
};

/// Runs `body`; what it throws becomes an Error.
template <class Body>
Result<void> guarded(const Body &body) {
    try {
        return body();
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory, "out of memory while scoring: use fewer threads or smaller pictures");
    } catch (const std::exception &exception) {
        return fail(ErrorCode::internal, fmt::format("scoring failed: {}", exception.what()));
    }
}

} // namespace

class Session::Impl {
  public:
    Impl(const SessionOptions &options, EnginePlan plan, std::vector<BoundModel> models)
        : format_(options.format), subsample_(options.subsample), plan_(std::move(plan)),
          collector_(plan_, std::move(models), options.subsample), pool_(options.format),
          scheduler_(open_scheduler(options, plan_)), frame_words_(plan_), keep_words_(options.keep_words),
          history_(plan_.earlier_references()) {}

    Execution execution() const {
        Execution execution = describe(scheduler_, plan_);
        frame_words_.describe(execution);
        return execution;
    }

    const ScoreTable &table() const { return collector_.table(); }
    std::size_t feature_score_count() const { return plan_.columns.size(); }

    std::vector<FeatureWordSpecs> words() const {
        std::vector<FeatureWordSpecs> specs;
        for (const PlannedFeature &planned : plan_.features)
            specs.push_back({std::string(planned.feature->name), planned.plan.words});
        return specs;
    }

    bool finished() const { return finished_; }

    Result<Frame> copy(const FrameView &view) {
        TRY(check_view(format_, view));
        const WritableFrame writable = pool_.take();
        for (int p = 0; p < format_.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const auto row_bytes =
                static_cast<std::size_t>(format_.plane_width(p)) * static_cast<std::size_t>(format_.bytes_per_sample());
            for (int y = 0; y < format_.plane_height(p); y++)
                std::memcpy(writable.data[i] + y * writable.stride_bytes[i],
                            static_cast<const std::byte *>(view.data[i]) + y * view.stride_bytes[i], row_bytes);
        }
        return writable.frame;
    }

    Result<Frame> share(const SharedFrame &shared) const {
        TRY(check_view(format_, shared.view));
        if (!shared.owner)
            return fail(ErrorCode::invalid_argument, "shared frame without an owner");
        std::array<const std::byte *, 3> data{};
        std::ranges::transform(shared.view.data, data.begin(),
                               [](const void *plane) { return static_cast<const std::byte *>(plane); });
        return Frame(format_, shared.owner, data, shared.view.stride_bytes);
    }

    Result<void> check(const DeviceFrame &frame) const {
        if (!scheduler_.gpu)
            return fail(ErrorCode::unsupported, "a session on the CPU cannot read frames in device memory: give it a "
                                                "backend with a device");
        if (const std::string_view feature = feature_with_flag(plan_); !feature.empty())
            return fail(ErrorCode::unsupported,
                        fmt::format("feature {} may leave a frame to the CPU, which cannot read frames in device "
                                    "memory: push frames in host memory, or leave the feature out",
                                    feature));
        const auto sample = static_cast<std::uint64_t>(format_.bytes_per_sample());
        for (std::size_t p = 0; p < static_cast<std::size_t>(format_.plane_count()); p++) {
            const std::uint64_t row = static_cast<std::uint64_t>(format_.plane_width(static_cast<int>(p))) * sample;
            if (frame.address[p] == 0 || frame.address[p] % sample != 0 || frame.stride_bytes[p] % sample != 0 ||
                frame.stride_bytes[p] < row)
                return fail(ErrorCode::invalid_argument,
                            fmt::format("plane {} on the device has address {:#x} and rows {} bytes apart: rows take "
                                        "{} bytes in multiples of {}",
                                        p, frame.address[p], frame.stride_bytes[p], row, sample));
        }
        return {};
    }

    Result<ImportedMemory> import_memory(const ExternalMemory &external) const {
        if (!scheduler_.gpu)
            return fail(ErrorCode::unsupported, "a session on the CPU imports no memory: give it a backend with a "
                                                "device");
        const isovmaf_external_memory described{static_cast<std::uint32_t>(external.kind), external.fd, external.bytes,
                                                external.memory_type, external.dedicated ? 1u : 0u};
        auto held = std::make_shared<HeldMemory>(scheduler_.gpu->device());
        Buffer buffer = TRY(held->device->import_memory(described));
        held->buffer = std::move(buffer);
        return ImportedMemory{held->buffer.address(), external.bytes, std::move(held)};
    }

    Result<void> push(FramePair pair, std::optional<std::pair<DeviceFrame, DeviceFrame>> on_device = {}) {
        if (finished_)
            return fail(ErrorCode::invalid_argument, "frames cannot be pushed after finish");
        if (failure_)
            return tl::unexpected(*failure_);
        return remember(guarded([&]() -> Result<void> {
            while (scheduler_.scheduler->full())
                collect(scheduler_.scheduler->take(Scheduler::Wait::yes));
            collect_ready();
            schedule(std::move(pair), std::move(on_device));
            return {};
        }));
    }

    std::optional<FrameScores> next_result() {
        if (!failure_)
            (void)remember(guarded([&]() -> Result<void> {
                collect_ready();
                return {};
            }));
        if (next_row_ >= collector_.complete_rows())
            return std::nullopt;
        return collector_.table().frames[next_row_++];
    }

    Result<void> finish() {
        if (failure_)
            return tl::unexpected(*failure_);
        if (finished_)
            return {};
        finished_ = true;
        return remember(guarded([&]() -> Result<void> {
            while (!scheduler_.scheduler->empty())
                collect(scheduler_.scheduler->take(Scheduler::Wait::yes));
            TRY(check_work(scheduler_, plan_, frames_));
            for (PlannedFeature &planned : plan_.features)
                for (std::size_t v = 0; v < planned.plan.variants.size(); v++) {
                    VariantSink sink(collector_, planned.columns[v]);
                    planned.plan.variants[v].finisher->flush(sink);
                }
            return {};
        }));
    }

  private:
    Result<void> remember(Result<void> result) {
        if (!result)
            failure_ = result.error();
        return result;
    }

    void schedule(FramePair pair, std::optional<std::pair<DeviceFrame, DeviceFrame>> on_device) {
        const bool scored = frames_ % subsample_ == 0;
        std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->blank();
        frame->index = frames_++;
        frame->wanted.clear();
        for (const PlannedFeature &planned : plan_.features)
            frame->wanted.push_back(scored || planned.feature->temporal);
        frame->earlier_reference = earlier_;
        frame->pair = pair;
        frame->on_device = std::move(on_device);
        if (history_ == 2)
            earlier_[1] = earlier_[0];
        if (history_ > 0)
            earlier_[0] = std::move(pair.reference);
        scheduler_.scheduler->submit(std::move(frame));
    }

    void collect_ready() {
        while (std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->take(Scheduler::Wait::no))
            collect(std::move(frame));
    }

    void keep_words(const FrameInFlight &frame) {
        std::vector<FeatureWords> words;
        for (std::size_t e = 0; e < plan_.features.size(); e++)
            if (frame.wanted[e])
                words.push_back({std::string(plan_.features[e].feature->name), frame.words[e]});
        collector_.set_words(frame.index, std::move(words));
    }

    /// Finishes one frame's scores; called in frame order.
    void collect(std::unique_ptr<FrameInFlight> frame) {
        frame_words_.finish(*frame);
        if (keep_words_)
            keep_words(*frame);
        for (std::size_t e = 0; e < plan_.features.size(); e++) {
            if (!frame->wanted[e])
                continue;
            PlannedFeature &planned = plan_.features[e];
            for (std::size_t v = 0; v < planned.plan.variants.size(); v++) {
                VariantSink sink(collector_, planned.columns[v]);
                planned.plan.variants[v].finisher->push(frame->index, frame->words[e], sink);
            }
        }
        scheduler_.scheduler->recycle(std::move(frame));
    }

    VideoFormat format_;
    int subsample_;
    EnginePlan plan_;
    Collector collector_;
    FramePool pool_;
    OpenedScheduler scheduler_; // after plan_: its threads read the extractors

    FrameWords frame_words_;
    bool keep_words_;
    int history_; ///< earlier reference frames that some extractor reads
    std::array<Frame, 2> earlier_;
    std::int64_t frames_ = 0;
    std::size_t next_row_ = 0;
    bool finished_ = false;
    std::optional<Error> failure_;
};

Result<Session> Session::create(const SessionOptions &options) {
    TRY(check_options(options));
    FeatureSet features;
    std::vector<std::unique_ptr<Model>> models = TRY(load_models(options, features));
    TRY(add_requested_features(options.features, features));
    EnginePlan plan = TRY(make_plan(features, {options.format, options.semantics}));
    std::vector<BoundModel> bound = TRY(bind_models(std::move(models), plan));

    std::unique_ptr<Impl> impl;
    const Result<void> made = guarded([&]() -> Result<void> {
        impl = std::make_unique<Impl>(options, std::move(plan), std::move(bound));
        return {};
    });
    if (!made)
        return tl::unexpected(made.error());
    return Session(std::move(impl));
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;

const std::vector<std::string> &Session::score_names() const { return impl_->table().names; }

Result<void> Session::push(const FrameView &reference, const FrameView &distorted) {
    FramePair pair;
    const Result<void> copied = guarded([&]() -> Result<void> {
        Result<Frame> first = impl_->copy(reference);
        Result<Frame> second = impl_->copy(distorted);
        if (!first || !second)
            return tl::unexpected((first ? second : first).error());
        pair = {*std::move(first), *std::move(second)};
        return {};
    });
    return copied ? impl_->push(std::move(pair)) : copied;
}

Result<void> Session::push(const SharedFrame &reference, const SharedFrame &distorted) {
    Result<Frame> first = impl_->share(reference);
    Result<Frame> second = impl_->share(distorted);
    if (!first || !second)
        return tl::unexpected((first ? second : first).error());
    return impl_->push({*std::move(first), *std::move(second)});
}

Result<void> Session::push(const DeviceFrame &reference, const DeviceFrame &distorted) {
    for (const DeviceFrame *frame : {&reference, &distorted})
        TRY(impl_->check(*frame));
    return impl_->push({}, std::pair{reference, distorted});
}

Result<ImportedMemory> Session::import_memory(const ExternalMemory &external) {
    ImportedMemory imported;
    const Result<void> done = guarded([&]() -> Result<void> {
        imported = TRY(impl_->import_memory(external));
        return {};
    });
    if (!done)
        return tl::unexpected(done.error());
    return imported;
}

Execution Session::execution() const { return impl_->execution(); }

const std::vector<std::string> &Session::score_sources() const { return impl_->table().sources; }

std::size_t Session::feature_score_count() const { return impl_->feature_score_count(); }

std::vector<FeatureWordSpecs> Session::words() const { return impl_->words(); }

std::optional<FrameScores> Session::next_result() { return impl_->next_result(); }

Result<void> Session::finish() { return impl_->finish(); }

Result<PooledScore> Session::pooled(std::string_view name) const {
    if (!impl_->finished())
        return fail(ErrorCode::invalid_argument, "scores are pooled after finish");
    const std::vector<std::string> &names = score_names();
    const auto column = std::ranges::find(names, name);
    if (column == names.end())
        return fail(ErrorCode::not_found, fmt::format("this session has no score named {}", name));
    return pool_column(impl_->table(), static_cast<std::size_t>(column - names.begin()));
}

std::vector<std::pair<std::string, double>> Session::aggregates() const { return impl_->table().aggregates; }

} // namespace isovmaf
