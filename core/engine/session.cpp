// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/isovmaf.hpp"

#include <algorithm>

#include "base/creator_process.hpp"
#include "base/float_environment.hpp"
#include "base/try.hpp"
#include "engine/extraction.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "engine/plan/feature_set.hpp"
#include "engine/schedule/incoming_frame.hpp"
#include "engine/scoring.hpp"
#include "execution/execution.hpp"

namespace isovmaf {

std::string_view version() { return ISOVMAF_VERSION; }

namespace {

/// What a session computes, before it is known where.
struct PlannedScores {
    EnginePlan plan;
    std::vector<BoundModel> models;
};

Result<PlannedScores> plan_scores(const ScoringOptions &options, const VideoFormat &format, CpuLevel level) {
    const RequestedScores requested = TRY(load_requested(options, format.height));
    PlannedScores planned;
    planned.plan = TRY(make_plan(requested.features, {format, options.semantics, level, options.chroma_edge}));
    planned.models = TRY(bind_models(requested.models, planned.plan));
    return planned;
}

} // namespace

/// Joins an Extraction and a Scoring: the words of every frame go from one to the other.
class Session::Impl {
  public:
    static Result<Session> open(const ScoringOptions &options, PlannedScores planned,
                                const SharedExecution &execution) {
        OpenedScheduler scheduler = TRY(open_scheduler(execution, planned.plan));
        return guarded([&]() -> Result<Session> {
            return Session(std::make_unique<Impl>(options, std::move(planned), std::move(scheduler)));
        });
    }

    Impl(const ScoringOptions &options, PlannedScores planned, OpenedScheduler scheduler)
        : subsample(options.subsample), plan(std::move(planned.plan)),
          scoring(plan, std::move(planned.models), options.subsample, options.keep_words),
          extraction(std::move(scheduler), plan, options.subsample, {&scoring}) {}

    [[nodiscard]] Result<void> check_process() const { return creator.check("the session"); }

    /// Destroys `impl`, but not in a process that was forked since: its threads are not there.
    static void dispose(std::unique_ptr<Impl> impl) {
        if (impl && !impl->creator.is_current())
            (void)impl.release();
    }

    CreatorProcess creator;

    int subsample;
    EnginePlan plan;
    Scoring scoring;
    bool just_collected = false; ///< what was ready, by a push: to ask a device again takes a call of its driver
    Extraction extraction;       // after plan and scoring: its threads read the one and its words go to the other
};

// Functions that compute, read numbers or start threads begin with a FloatEnvironment (docs/adr/0072).

Result<Session> Session::create(const SessionOptions &options) {
    const FloatEnvironment floats;
    TRY(check_execution_options(options.execution));
    const CpuLevel level = TRY(parse_cpu_level(options.execution.cpu_level));
    PlannedScores planned = TRY(plan_scores(options.scoring, options.format, level)); // fails before a driver starts
    const ExecutionHandle execution = TRY(open_execution(options.execution));
    return Impl::open(options.scoring, std::move(planned), *execution);
}

Result<Session> Session::create(const VideoFormat &format, const ScoringOptions &scoring,
                                const ExecutionHandle &execution) {
    const FloatEnvironment floats;
    if (!execution)
        return fail(ErrorCode::invalid_argument, "there is nothing to compute on: open_execution gives a handle");
    PlannedScores planned = TRY(plan_scores(scoring, format, execution->cpu_level()));
    return Impl::open(scoring, std::move(planned), *execution);
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() { Impl::dispose(std::move(impl_)); }
Session::Session(Session &&) noexcept = default;

Session &Session::operator=(Session &&other) noexcept {
    if (this != &other)
        Impl::dispose(std::exchange(impl_, std::move(other.impl_)));
    return *this;
}

Execution Session::execution() const { return impl_->extraction.execution(); }

const std::vector<std::string> &Session::score_names() const { return impl_->scoring.table().names; }

const std::vector<std::string> &Session::score_sources() const { return impl_->scoring.table().sources; }

std::size_t Session::feature_score_count() const { return impl_->scoring.feature_score_count(); }

std::vector<std::size_t> Session::libvmaf_order(int threads) const {
    std::vector<std::size_t> order = isovmaf::libvmaf_order(impl_->plan, threads, impl_->subsample);
    const std::vector<std::string> &sources = score_sources();
    const std::size_t begin = feature_score_count(); // of the models, which stand behind the features here too
    for (const bool own : {true, false})             // the score of each model, then those of members of collections
        for (std::size_t c = begin; c < sources.size(); c++)
            if ((c == begin || sources[c] != sources[c - 1]) == own)
                order.push_back(c);
    return order;
}

std::vector<FeatureWordSpecs> Session::words() const { return describe_words(impl_->plan); }

DeviceHandle Session::device() const { return impl_->extraction.device(); }

std::vector<DeviceHandle> Session::devices() const { return impl_->extraction.devices(); }

std::size_t Session::most_frames_held() const { return impl_->extraction.most_held(); }

int Session::planes_read() const { return impl_->extraction.planes_read(); }

FrameMemory Session::frame_memory() const { return impl_->extraction.frame_memory(); }

Result<void> Session::push(const Frame &reference, const Frame &distorted) {
    const FloatEnvironment floats;
    TRY(impl_->check_process());
    impl_->just_collected = true;
    return impl_->extraction.push(reference, {&distorted, 1});
}

Result<ImportedMemory> Session::import_memory(const ExternalMemory &external, const DeviceHandle &device) {
    TRY(impl_->check_process());
    const std::vector<DeviceHandle> devices = impl_->extraction.devices();
    if (devices.empty())
        return fail(ErrorCode::unsupported, "a session on the CPU imports no memory: give it a backend with a "
                                            "device");
    if (device && std::ranges::find(devices, device) == devices.end())
        return fail(ErrorCode::mismatch, "memory is imported onto one of the session's devices: give one of "
                                         "Session::devices");
    return guarded([&] { return isovmaf::import_memory(device ? device : devices.front(), external); });
}

std::optional<FrameScores> Session::next_result() {
    const FloatEnvironment floats;
    std::optional<FrameScores> ready = impl_->scoring.next_result();
    if (ready || std::exchange(impl_->just_collected, false))
        return ready;
    if (impl_->check_process())
        (void)impl_->extraction.collect(); // a failure comes back from the next push or finish, as that of the check
    return impl_->scoring.next_result();
}

Result<void> Session::finish() {
    const FloatEnvironment floats;
    TRY(impl_->check_process());
    return impl_->extraction.finish();
}

const ScoreTable &Session::scores() const { return impl_->scoring.table(); }

Result<PooledScore> Session::pooled(std::string_view name) const {
    const FloatEnvironment floats;
    return impl_->scoring.pooled(name);
}

std::vector<std::pair<std::string, double>> Session::aggregates() const { return impl_->scoring.table().aggregates; }

} // namespace isovmaf
