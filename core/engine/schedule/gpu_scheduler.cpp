// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/gpu_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "device/frame_fetcher.hpp"
#include "frame/sample_range.hpp"

namespace isovmaf {

namespace {

/// Enough frames to keep copies, passes and the host busy at once.
constexpr std::size_t useful_frames = 12;

/// The same where runs of frames are dealt to several devices. The device uploads a frame or two before each run, for
/// the sake of the run alone: a run of half of these frames is long beside them.
constexpr std::size_t useful_dealt_frames = 16;

/// Compute queues whose passes may overlap: the small kernels of one frame use units that another frame leaves idle,
/// and those of one extractor units that another extractor does.
constexpr std::size_t useful_queues = 6;

/// How long a thread asks for the end of a frame alone before it sleeps.
constexpr std::chrono::milliseconds longest_spin{1};

/// How many frames lie between a frame and the earliest that it reads, that one included. Frames of the other members
/// lie between those of one.
std::size_t frames_back(const GpuPlan &plan) {
    return std::max(static_cast<std::size_t>(plan.earlier.reference),
                    static_cast<std::size_t>(plan.earlier.distorted) * plan.members);
}

/// Fewest slots that work: one for a frame, those of the frames that it reads, and one to copy into.
std::size_t fewest_slots(const GpuPlan &plan) { return frames_back(plan) + 2; }

/// Slots that no frame may be written to yet though the frames that they were written for are done, beyond one for each
/// frame in flight. Where uploads write a slot, they wait on the device for the frames that read it. Where the host
/// writes it, those frames have to be done: the oldest frame in flight reads up to `frames_back` slots behind it.
std::size_t kept_slots(const Device &device, const GpuPlan &plan) {
    return device.host_pictures().in_place ? frames_back(plan) : 0;
}

/// A frame alone is spread over queues, of which each has an extractor. Else there are no more queues than slots, as
/// each slot uses one, and unless the plan says more, than frames in flight.
QueueUse queue_use(const GpuPlan &plan, std::size_t slots, std::optional<std::size_t> in_flight) {
    const std::size_t useful = in_flight == 1 ? std::clamp<std::size_t>(plan.extractors.size(), 1, useful_queues)
                                              : std::min(useful_queues, in_flight.value_or(useful_queues));
    const std::size_t queues = plan.queues > 0 ? plan.queues : useful;
    if (in_flight == 1 && queues <= plan.extractors.size())
        return {queues, true};
    return {std::min(slots, queues), false};
}

/// The largest ring up to `slots` that fits into memory.
Result<std::unique_ptr<GpuRing>> fit_ring(const Device &device, const GpuPlan &plan, std::size_t slots,
                                          std::size_t fewest, std::optional<std::size_t> in_flight) {
    for (;; slots = std::max(slots / 2, fewest)) {
        Result<std::unique_ptr<GpuRing>> ring = GpuRing::create(device, plan, slots, queue_use(plan, slots, in_flight));
        if (ring || ring.error().code != ErrorCode::out_of_memory || slots <= fewest)
            return ring;
        device.trim_memory();
    }
}

} // namespace

Result<std::unique_ptr<GpuScheduler>> GpuScheduler::create(DeviceHandle device, GpuPlan plan, int frames_in_flight,
                                                           int threads, std::vector<std::string> &notices) {
    const std::optional<std::size_t> chosen =
        frames_in_flight > 0 ? std::optional(static_cast<std::size_t>(frames_in_flight)) : std::nullopt;
    const std::size_t fewest = fewest_slots(plan);
    const std::size_t kept = kept_slots(*device, plan);
    const std::size_t wanted =
        std::max(chosen.value_or(plan.dealt ? useful_dealt_frames : useful_frames) + kept, fewest);
    auto owned_plan = std::make_unique<GpuPlan>(std::move(plan));
    std::unique_ptr<GpuRing> ring = TRY(fit_ring(*device, *owned_plan, wanted, chosen ? wanted : fewest, chosen));
    if (ring->slots() < wanted)
        notices.push_back(fmt::format("{} has memory for {} frames in flight, not {}: scoring may be slower",
                                      device->info().name, ring->slots() - kept, wanted - kept));
    Queue copy_queue = TRY(device->create_queue());
    std::vector<Queue> compute_queues;
    for (std::size_t q = 0; q < ring->queues(); q++)
        compute_queues.push_back(TRY(device->create_queue()));
    const std::size_t in_flight = chosen.value_or(ring->slots() - kept);
    return std::unique_ptr<GpuScheduler>(new GpuScheduler(std::move(device), std::move(owned_plan), std::move(ring),
                                                          in_flight, std::move(copy_queue), std::move(compute_queues),
                                                          threads));
}

GpuScheduler::GpuScheduler(std::shared_ptr<const Device> device, std::unique_ptr<GpuPlan> plan,
                           std::unique_ptr<GpuRing> ring, std::size_t max_in_flight, Queue copy_queue,
                           std::vector<Queue> compute_queues, int threads)
    : Scheduler(plan->word_counts, max_in_flight), device_(std::move(device)), pinned_(PinnedMemory::create(device_)),
      plan_(std::move(plan)), ring_(std::move(ring)), copy_queue_(std::move(copy_queue)),
      compute_queues_(std::move(compute_queues)), reference_readers_(ring_->slots()),
      distorted_readers_(ring_->slots()), work_(plan_->extractors.size()) {
    for (int i = 0; i < threads; i++)
        workers_.emplace_back([this](const std::stop_token &stop) { work(stop); });
}

// Members are destroyed in this order: threads; queues, which wait for their work; the memory that the work uses.
GpuScheduler::~GpuScheduler() = default;

void GpuScheduler::start(FrameInFlight &frame) {
    Job next;
    next.frame = &frame;
    next.slot = slot_of(frame.index);
    next.variant = variant_of(frame);
    const bool copy_reference = frame.new_reference && has_to_be_copied(next, false),
               copy_distorted = has_to_be_copied(next, true);
    next.copies_left = (copy_reference ? 1 : 0) + (copy_distorted ? 1 : 0);
    if (copy_reference)
        ring_->make_staging(next.variant.reference_slot);
    if (copy_distorted)
        ring_->make_staging(next.slot);

    const std::lock_guard lock(mutex_);
    Job &job = jobs_.emplace_back(std::move(next));
    if (copy_reference)
        copies_.push_back({&job, false});
    if (copy_distorted)
        copies_.push_back({&job, true});
    if (job.copies_left == 0)
        submit_ready();
    else
        copy_ready_.notify_all();
}

std::size_t GpuScheduler::slot_of(std::int64_t number) const {
    return static_cast<std::size_t>(number) % ring_->slots();
}

GpuVariant GpuScheduler::variant_of(const FrameInFlight &frame) const {
    const auto is_checked = [this](const Frame &picture) {
        return (picture.device() || plan_->checks_host) && may_have_large_samples(picture);
    };
    GpuVariant variant{0,
                       frame.wanted,
                       {frame.new_reference && is_checked(frame.pair.reference), is_checked(frame.pair.distorted)},
                       slot_of(frame.reference),
                       {},
                       {}};
    for (std::int64_t back = 1; back <= std::min<std::int64_t>(frame.reference, plan_->earlier.reference); back++)
        variant.earlier_reference_slots.push_back(slot_of(frame.reference - back));
    for (std::size_t back = 0; back < static_cast<std::size_t>(plan_->earlier.distorted); back++)
        if (const std::optional<std::int64_t> &earlier = frame.earlier_frames[back])
            variant.earlier_distorted_slots.push_back(slot_of(*earlier));
    return variant;
}

/// Finds out where the device can read a picture, or from where it can copy it. True: a thread has to copy it.
bool GpuScheduler::has_to_be_copied(Job &job, bool distorted) {
    const Frame &frame = distorted ? job.frame->pair.distorted : job.frame->pair.reference;
    std::optional<PlacedPicture> placed = find_in_place(frame);
    const bool is_placed = placed.has_value();
    ring_->place(distorted ? job.slot : job.variant.reference_slot, distorted, std::move(placed));
    if (is_placed)
        return false;
    std::optional<SourcePicture> &source = distorted ? job.distorted : job.reference;
    if (frame.device()) {
        ImportedPicture &imported = job.imported[distorted ? 1 : 0];
        imported = value_of(ImportedPicture::create(*device_, frame, plan_->plane_count));
        source = imported.picture();
    } else {
        source = find_pinned(frame);
    }
    return !source.has_value();
}

/// The picture of a frame in pinned memory that the slot may keep, whose planes lie as those of a slot do.
std::optional<PlacedPicture> GpuScheduler::find_in_place(const Frame &frame) const {
    if (frame.device() || !ring_->takes_placed_pictures() || ring_->layout().edge() == ChromaEdge::present)
        return std::nullopt;
    PlacedPicture placed{ring_->layout().at({}), frame};
    for (int p = 0; p < ring_->layout().plane_count(); p++) {
        GpuPlane &plane = placed.planes[static_cast<std::size_t>(p)];
        if (plane.width == 0 || plane.height == 0) {
            plane = {};
            continue;
        }
        const auto range = pinned_->find_kept(frame.plane(p).data, allocated_bytes(plane));
        if (!range || range->offset % ISOVMAF_RANGE_ALIGNMENT != 0 || frame.stride_bytes(p) != plane.stride_bytes)
            return std::nullopt;
        plane.samples = *range;
    }
    return placed;
}

void GpuScheduler::copy_from(const GpuScheduler &other) {
    if (ring_->uploads() && other.ring_->uploads() && device_->reads_uploads_of(*other.device_))
        pinned_elsewhere_ = other.pinned_;
}

std::optional<SourcePicture> GpuScheduler::find_pinned(const Frame &frame) const {
    std::optional<SourcePicture> found = find_pinned(frame, *pinned_);
    return found || !pinned_elsewhere_ ? found : find_pinned(frame, *pinned_elsewhere_);
}

std::optional<SourcePicture> GpuScheduler::find_pinned(const Frame &frame, const PinnedMemory &memory) const {
    SourcePicture source;
    if (ring_->layout().edge() == ChromaEdge::present) // copies on the device are of scored sizes
        return std::nullopt;
    for (int p = 0; p < ring_->layout().plane_count(); p++) {
        const Plane plane = frame.plane(p);
        if (plane.stride_bytes <= 0)
            return std::nullopt;
        const auto stride = static_cast<std::uint64_t>(plane.stride_bytes);
        const auto range = memory.find(plane.data, plane_bytes(plan_->format, p, stride));
        if (!range)
            return std::nullopt;
        source.planes[static_cast<std::size_t>(p)] = {*range, plane.width, plane.height,
                                                      static_cast<int>(plane.stride_bytes)};
    }
    return source;
}

void GpuScheduler::work(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    while (copy_ready_.wait(lock, stop, [&] { return !copies_.empty(); }) && !stop.stop_requested())
        copy_next(lock);
}

/// Copies the first picture that waits, without the lock.
void GpuScheduler::copy_next(std::unique_lock<std::mutex> &lock) {
    const Copy task = copies_.front();
    copies_.pop_front();
    lock.unlock();
    copy(task);
    lock.lock();
    task.job->copies_left--;
    submit_ready();
}

void GpuScheduler::copy(const Copy &task) {
    const auto start = std::chrono::steady_clock::now();
    const FramePair &pair = task.job->frame->pair;
    const HostPicture picture(task.distorted ? pair.distorted : pair.reference);
    std::byte *const staging =
        ring_->staging(task.distorted ? task.job->slot : task.job->variant.reference_slot, task.distorted);
    for (int p = 0; p < ring_->layout().plane_count(); p++)
        ring_->layout().stage(picture.plane(p, ring_->layout().edge()), p, staging);
    const auto time = std::chrono::steady_clock::now() - start;
    copy_time_ns_ += std::chrono::nanoseconds(time).count();
    plan_->times->staging.add(time);
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
    submit_upload(job);
    const std::size_t parts = ring_->parts();
    job.tickets.resize(parts);
    job.sequences.resize(parts);
    for (std::size_t i = 0; i < parts; i++) {
        const std::size_t part = job.variant.part = (longest_part_ + i) % parts;
        const GpuSequence &sequence = ring_->sequence(job.slot, job.variant);
        Queue &queue = queue_of(job, part);
        // A frame without an upload waits, too: it reads earlier pictures, and its reference may have come with another
        // frame.
        job.tickets[part] = last_upload_ ? value_of(queue.submit(sequence.commands, {&*last_upload_, 1}))
                                         : value_of(queue.submit(sequence.commands));
        job.sequences[part] = &sequence;
    }
    if (!ring_->uploads())
        return; // no frame in flight reads a slot that is written next: see kept_slots
    // There are no fewer slots than frames in flight: when a slot gets another picture, the frames with the picture
    // that it had are done. Later frames, which read it as an earlier one, may still be in flight.
    const auto note = [&](std::vector<isovmaf_ticket> &readers) {
        std::ranges::copy(job.tickets, std::back_inserter(readers));
    };
    for (const std::size_t slot : job.variant.earlier_reference_slots)
        note(reference_readers_[slot]);
    for (const std::size_t slot : job.variant.earlier_distorted_slots)
        note(distorted_readers_[slot]);
}

/// Submits the copies that bring the job's pictures into its slot, unless they are there.
void GpuScheduler::submit_upload(Job &job) {
    std::vector<isovmaf_ticket> readers = std::exchange(distorted_readers_[job.slot], {});
    if (job.frame->new_reference)
        std::ranges::move(std::exchange(reference_readers_[job.variant.reference_slot], {}),
                          std::back_inserter(readers));
    job.uploaded_by = upload_of(job);
    if (!job.uploaded_by)
        return;
    // A frame alone has nothing to overlap with, and one queue hands over faster than two.
    Queue &copy_queue = is_alone() ? queue_of(job, longest_part_) : copy_queue_;
    last_upload_ = value_of(copy_queue.submit(*job.uploaded_by, readers));
}

/// The commands that bring the job's pictures into its slot; none if they are there. The ring has those of pictures
/// that threads copied.
const Commands *GpuScheduler::upload_of(Job &job) {
    const auto reference_slot = job.frame->new_reference ? std::optional(job.variant.reference_slot) : std::nullopt;
    if (job.reference || job.distorted) {
        job.upload = ring_->upload(job.slot, reference_slot, job.reference, job.distorted);
        return &job.upload;
    }
    return ring_->uploads() ? &ring_->upload(job.slot, reference_slot) : nullptr;
}

/// A thread that sleeps is woken late, when work on the frame has ended. So the wait for a frame alone asks again and
/// again at first. False if the first answer is that the work has ended.
bool GpuScheduler::wait_for(const Queue &queue, std::uint64_t ticket) const {
    const auto start = std::chrono::steady_clock::now();
    for (bool asked = false; is_alone() && std::chrono::steady_clock::now() - start < longest_spin; asked = true) {
        if (value_of(queue.done(ticket)))
            return asked;
        std::this_thread::yield();
    }
    value_of(queue.wait(ticket));
    return true;
}

bool GpuScheduler::finished(FrameInFlight &, Wait wait) {
    std::optional<SharedStageClock> clock;
    if (wait == Wait::yes)
        clock.emplace(plan_->times->device_waits);
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return failure_ || submitted_jobs_ > 0; };
    if (wait == Wait::yes) {
        while (!ready() && !copies_.empty()) // threads that were woken need time
            copy_next(lock);
        submitted_.wait(lock, ready);
    }
    if (failure_)
        throw Failure(*failure_);
    if (!ready())
        return false;
    const Job &job = jobs_.front();
    std::size_t longest = longest_part_;
    lock.unlock();

    for (std::size_t part = 0; part < job.tickets.size(); part++) {
        const Queue &queue = queue_of(job, part);
        if (wait == Wait::no && !value_of(queue.done(job.tickets[part].value)))
            return false;
        if (wait == Wait::yes && wait_for(queue, job.tickets[part].value))
            longest = part;
    }
    complete(job);
    lock.lock();
    longest_part_ = longest;
    jobs_.pop_front();
    submitted_jobs_--;
    return true;
}

/// Fails when a kernel has found samples above the bit depth. The picture is fetched to say where they are.
void GpuScheduler::check_samples_of(const Job &job) const {
    const std::array<std::int64_t, 2> large = ring_->large_samples(job.slot);
    for (const bool distorted : {false, true}) {
        const std::size_t i = distorted ? 1 : 0;
        if (!job.variant.checked[i] || large[i] == 0)
            continue;
        const Frame &frame = distorted ? job.frame->pair.distorted : job.frame->pair.reference;
        const std::string_view video = distorted ? "the distorted video" : "the reference";
        const Frame fetched = FrameFetcher({device_}, plan_->format).fetch(frame, plan_->plane_count);
        value_of(check_samples(fetched, video, job.frame->number, plan_->plane_count));
        throw Failure(
            {ErrorCode::internal,
             fmt::format("{} found {} samples above the bit depth in frame {} of {}, and the host finds none: "
                         "was the picture changed while the session held it?",
                         device_->info().name, large[i], job.frame->number, video)});
    }
}

void GpuScheduler::complete(const Job &job) {
    check_samples_of(job);
    ring_->read_words(job.slot, job.variant.wanted, job.frame->words);
    if (plan_->timed && job.uploaded_by)
        plan_->times->uploads.add(1e-3 * value_of(job.uploaded_by->times()).front());
    for (std::size_t part = 0; part < job.sequences.size(); part++) {
        const GpuSequence &sequence = *job.sequences[part];
        const std::size_t first = ring_->first_extractor(part);
        for (std::size_t e = 0; e < sequence.launches.size(); e++)
            work_[first + e].launches += sequence.launches[e];
        if (!plan_->timed)
            continue;
        const std::vector<double> times = value_of(sequence.commands.times());
        for (std::size_t e = 0; e < times.size(); e++)
            work_[first + e].milliseconds += times[e];
    }
}

} // namespace isovmaf
