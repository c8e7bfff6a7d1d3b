// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/gpu_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

/// Enough frames to keep copies, passes and the host busy at once.
constexpr std::size_t useful_frames = 8;

/// Compute queues whose passes may overlap: the small kernels of one frame use units that another frame leaves idle.
constexpr std::size_t useful_queues = 3;

/// Fewest slots that work: one for a frame, one for each earlier frame that it reads, and one to copy into.
std::size_t fewest_slots(const GpuPlan &plan) { return static_cast<std::size_t>(plan.history) + 2; }

/// No more queues than slots: each slot uses one queue.
std::size_t queue_count(const GpuPlan &plan, std::size_t slots) {
    return std::min(slots, plan.queues > 0 ? plan.queues : useful_queues);
}

/// The largest ring up to `slots` that fits into memory.
Result<std::unique_ptr<GpuRing>> fit_ring(const Device &device, const GpuPlan &plan, std::size_t slots,
                                          std::size_t fewest) {
    for (;; slots = std::max(slots / 2, fewest)) {
        try {
            return std::make_unique<GpuRing>(device, plan, slots, queue_count(plan, slots));
        } catch (const Failure &failure) {
            if (failure.error().code != ErrorCode::out_of_memory || slots <= fewest)
                return tl::unexpected(failure.error());
        }
        device.trim_memory();
    }
}

} // namespace

Result<std::unique_ptr<GpuScheduler>> GpuScheduler::create(Device device, GpuPlan plan, int frames_in_flight,
                                                           int threads, std::vector<std::string> &notices) {
    const bool chosen = frames_in_flight > 0;
    const std::size_t fewest = fewest_slots(plan);
    const std::size_t wanted = chosen ? std::max(static_cast<std::size_t>(frames_in_flight), fewest) : useful_frames;
    auto owned_device = std::make_shared<const Device>(std::move(device));
    auto owned_plan = std::make_unique<GpuPlan>(std::move(plan));
    std::unique_ptr<GpuRing> ring = TRY(fit_ring(*owned_device, *owned_plan, wanted, chosen ? wanted : fewest));
    if (ring->slots() < wanted)
        notices.push_back(fmt::format("{} has memory for {} frames in flight, not {}: scoring may be slower",
                                      owned_device->info().name, ring->slots(), wanted));
    try {
        return std::unique_ptr<GpuScheduler>(
            new GpuScheduler(std::move(owned_device), std::move(owned_plan), std::move(ring), threads));
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    }
}

GpuScheduler::GpuScheduler(std::shared_ptr<const Device> device, std::unique_ptr<GpuPlan> plan,
                           std::unique_ptr<GpuRing> ring, int threads)
    : Scheduler(plan->word_counts, ring->slots()), device_(std::move(device)), pinned_(PinnedMemory::create(device_)),
      plan_(std::move(plan)), ring_(std::move(ring)), copy_queue_(value_of(device_->create_queue())),
      later_readers_(ring_->slots()), work_(plan_->extractors.size()) {
    for (std::size_t q = 0; q < queue_count(*plan_, ring_->slots()); q++)
        compute_queues_.push_back(value_of(device_->create_queue()));
    for (int i = 0; i < threads; i++)
        workers_.emplace_back([this](const std::stop_token &stop) { work(stop); });
}

// Members are destroyed in this order: threads; queues, which wait for their work; the memory that the work uses.
GpuScheduler::~GpuScheduler() = default;

void GpuScheduler::start(FrameInFlight &frame) {
    const std::lock_guard lock(mutex_);
    Job &job = jobs_.emplace_back();
    job.frame = &frame;
    job.slot = static_cast<std::size_t>(frame.index) % ring_->slots();
    job.variant = {frame.wanted, static_cast<std::size_t>(frame.reference) % ring_->slots(),
                   static_cast<int>(std::min<std::int64_t>(frame.reference, plan_->history))};
    if (frame.on_device) {
        submit_ready();
        return;
    }
    for (const bool distorted : {false, true}) {
        if (!distorted && !frame.new_reference)
            continue;
        std::optional<PictureSource> &source = distorted ? job.distorted : job.reference;
        source = find_pinned(distorted ? frame.frames.pair.distorted : frame.frames.pair.reference);
        if (source)
            continue;
        copies_.push_back({&job, distorted});
        job.copies_left++;
    }
    if (job.copies_left == 0)
        submit_ready();
    else
        copy_ready_.notify_all();
}

std::optional<PictureSource> GpuScheduler::find_pinned(const Frame &frame) const {
    PictureSource source;
    for (int p = 0; p < ring_->layout().plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        if (plane.stride_bytes <= 0)
            return std::nullopt;
        const auto stride = static_cast<std::uint64_t>(plane.stride_bytes);
        const auto range = pinned_->find(plane.data, plane_bytes(plan_->format, p, stride));
        if (!range)
            return std::nullopt;
        source.samples[static_cast<std::size_t>(p)] = *range;
        source.stride_bytes[static_cast<std::size_t>(p)] = stride;
    }
    return source;
}

void GpuScheduler::work(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    while (copy_ready_.wait(lock, stop, [&] { return !copies_.empty(); }) && !stop.stop_requested()) {
        const Copy task = copies_.front();
        copies_.pop_front();
        lock.unlock();
        copy(task);
        lock.lock();
        task.job->copies_left--;
        submit_ready();
    }
}

void GpuScheduler::copy(const Copy &task) {
    const auto start = std::chrono::steady_clock::now();
    const FramePair &pair = task.job->frame->frames.pair;
    std::byte *const staging =
        ring_->staging(task.distorted ? task.job->slot : task.job->variant.reference_slot, task.distorted);
    for (int p = 0; p < ring_->layout().plane_count(); p++)
        ring_->layout().stage(task.distorted ? pair.distorted : pair.reference, p, staging);
    copy_time_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
}

/// Submits frames in order, up to the first that is not copied. The caller holds mutex_.
void GpuScheduler::submit_ready() {
    try {
        while (!failure_ && submitted_jobs_ < jobs_.size() && jobs_[submitted_jobs_].copies_left == 0) {
            submit(jobs_[submitted_jobs_]);
            submitted_jobs_++;
        }
    } catch (const Failure &failure) {
        failure_ = failure.error();
    } catch (const std::exception &exception) {
        failure_ = Error{ErrorCode::internal, fmt::format("submitting a frame failed: {}", exception.what())};
    }
    submitted_.notify_all();
}

void GpuScheduler::submit(Job &job) {
    job.sequence = &ring_->sequence(job.slot, job.variant);
    const std::size_t reference = job.variant.reference_slot;
    std::vector<isovmaf_ticket> readers;
    if (job.frame->new_reference)
        readers = std::exchange(later_readers_[reference], {});
    const isovmaf_ticket uploaded = value_of(copy_queue_.submit(upload_of(job), readers));
    Queue &queue = compute_queues_[job.slot % compute_queues_.size()];
    job.ticket = value_of(queue.submit(job.sequence->commands, {&uploaded, 1}));
    // There are as many slots as frames in flight: when a slot gets another reference, the frames with the reference
    // that it had are done. Frames with later references, which read it too, may still be in flight.
    for (std::size_t back = 1; back <= static_cast<std::size_t>(job.variant.earlier); back++)
        later_readers_[(reference + ring_->slots() - back) % ring_->slots()].push_back(job.ticket);
}

/// The commands that bring the job's pictures into its slot. The ring has those of pictures that threads copied.
const Commands &GpuScheduler::upload_of(Job &job) {
    const auto reference_slot = job.frame->new_reference ? std::optional(job.variant.reference_slot) : std::nullopt;
    if (const auto &frames = job.frame->on_device)
        job.upload = ring_->upload(job.slot, frames->first, frames->second);
    else if (job.reference || job.distorted)
        job.upload = ring_->upload(job.slot, reference_slot, job.reference, job.distorted);
    else
        return ring_->upload(job.slot, reference_slot);
    return job.upload.commands;
}

bool GpuScheduler::finished(FrameInFlight &, Wait wait) {
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return failure_ || submitted_jobs_ > 0; };
    if (wait == Wait::yes)
        submitted_.wait(lock, ready);
    if (failure_)
        throw Failure(*failure_);
    if (!ready())
        return false;
    const Job &job = jobs_.front();
    lock.unlock();

    const Queue &queue = compute_queues_[job.slot % compute_queues_.size()];
    if (wait == Wait::yes)
        value_of(queue.wait(job.ticket.value));
    else if (!value_of(queue.done(job.ticket.value)))
        return false;
    complete(job);
    lock.lock();
    jobs_.pop_front();
    submitted_jobs_--;
    return true;
}

void GpuScheduler::complete(const Job &job) {
    ring_->read_words(job.slot, job.variant.wanted, job.frame->words);
    for (std::size_t e = 0; e < work_.size(); e++)
        work_[e].launches += job.sequence->launches[e];
    if (!plan_->timed)
        return;
    const std::vector<double> times = value_of(job.sequence->commands.times());
    for (std::size_t e = 0; e < work_.size(); e++)
        work_[e].milliseconds += times[e];
}

} // namespace isovmaf
