// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "device/pinned_memory.hpp"
#include "engine/schedule/gpu_ring.hpp"
#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// What one extractor did on the device so far.
struct GpuWork {
    std::int64_t launches = 0;
    double milliseconds = 0; ///< device time; 0 unless timed
};

/// Runs the passes of extractors on one device.
///
/// Threads copy a frame's planes into the pinned memory of its slot in the ring, unless they lie in pinned memory
/// already. When this frame and all frames before it are copied, the upload is submitted to the copy queue and the
/// recorded passes to one of the compute queues, or those of a frame alone in flight to all. The passes wait for the
/// upload on the device; the host waits only for finished frames. Where the device reads pictures of the host in place,
/// threads copy planes into what the passes read, and passes read frames in pinned memory where they lie. After the
/// first frames nothing is allocated or recorded any more. The thread that waits for a frame copies planes, too, that
/// no thread has begun to copy.
class GpuScheduler final : public Scheduler {
  public:
    /// `frames_in_flight` 0 means as many as are useful and fit into memory; a sentence in `notices` says when fewer
    /// than useful fit. Another number is that many, or an error: earlier frames that extractors read lie in slots of
    /// their own. The extractors of a frame alone in flight are spread over the queues. The queue that took longest for
    /// the frame before it has its upload too and begins first, and it is waited for without sleep. `threads` is the
    /// number of threads that copy pictures.
    [[nodiscard]] static Result<std::unique_ptr<GpuScheduler>>
    create(DeviceHandle device, GpuPlan plan, int frames_in_flight, int threads, std::vector<std::string> &notices);
    ~GpuScheduler() override;

    /// Shared, because memory on the device may be held for longer than the scheduler lives.
    [[nodiscard]] const std::shared_ptr<const Device> &device() const { return device_; }
    /// Memory for frames that threads need not copy.
    [[nodiscard]] const std::shared_ptr<PinnedMemory> &pinned_memory() const { return pinned_; }
    /// Has the device copy frames from pinned memory of another device, too, where it can. Before the first frame.
    void copy_from(const GpuScheduler &other);
    [[nodiscard]] std::size_t queues() const { return compute_queues_.size(); }

    /// Per extractor, over all frames taken since the start or the last `reset_work`.
    [[nodiscard]] const std::vector<GpuWork> &work() const { return work_; }

    /// Counts work from nothing again. No frame may be in flight.
    void reset_work() { work_.assign(work_.size(), {}); }

    /// How long threads have copied pictures into pinned memory, in seconds, summed over the threads.
    [[nodiscard]] double copy_seconds() const { return 1e-9 * static_cast<double>(copy_time_ns_); }

  private:
    /// A frame in flight. mutex_ guards it until it is submitted.
    struct Job {
        FrameInFlight *frame = nullptr;
        std::size_t slot = 0;
        GpuVariant variant;
        int copies_left = 0;
        /// Of pictures in device memory or pinned memory, from which the device copies them itself to the slot.
        std::optional<SourcePicture> reference, distorted;
        std::array<ImportedPicture, 2> imported; ///< of pictures in device memory
        Commands upload;                         ///< unless threads copied both pictures
        const Commands *uploaded_by = nullptr;   ///< set when the job is submitted; stays null without an upload
        /// Of each part of the extractors that is submitted.
        std::vector<const GpuSequence *> sequences;
        std::vector<isovmaf_ticket> tickets;
    };
    struct Copy {
        Job *job = nullptr;
        bool distorted = false;
    };

    GpuScheduler(std::shared_ptr<const Device> device, std::unique_ptr<GpuPlan> plan, std::unique_ptr<GpuRing> ring,
                 std::size_t max_in_flight, Queue copy_queue, std::vector<Queue> compute_queues, int threads);

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;
    void work(const std::stop_token &stop);
    void copy_next(std::unique_lock<std::mutex> &lock);
    void copy(const Copy &copy);
    [[nodiscard]] bool has_to_be_copied(Job &job, bool distorted);
    [[nodiscard]] std::optional<SourcePicture> find_pinned(const Frame &frame) const;
    [[nodiscard]] std::optional<SourcePicture> find_pinned(const Frame &frame, const PinnedMemory &memory) const;
    [[nodiscard]] std::optional<PlacedPicture> find_in_place(const Frame &frame) const;
    [[nodiscard]] GpuVariant variant_of(const FrameInFlight &frame) const;
    [[nodiscard]] std::size_t slot_of(std::int64_t number) const;
    [[nodiscard]] Queue &queue_of(const Job &job, std::size_t part) {
        return compute_queues_[ring_->queue_of(job.slot, part)];
    }
    [[nodiscard]] bool is_alone() const { return max_in_flight() == 1; } ///< one frame in flight: time is what counts
    [[nodiscard]] bool wait_for(const Queue &queue, std::uint64_t ticket) const;
    void submit_ready();
    void submit(Job &job);
    void submit_upload(Job &job);
    [[nodiscard]] const Commands *upload_of(Job &job);
    void check_samples_of(const Job &job) const;
    void complete(const Job &job);

    std::shared_ptr<const Device> device_;
    std::shared_ptr<PinnedMemory> pinned_;
    std::shared_ptr<PinnedMemory> pinned_elsewhere_; ///< of another device; may be null
    std::unique_ptr<GpuPlan> plan_;
    std::unique_ptr<GpuRing> ring_;
    std::deque<Job> jobs_; ///< in flight, oldest first; guarded by mutex_, outlives the queues that work on them
    Queue copy_queue_;
    std::vector<Queue> compute_queues_;
    /// Per slot: passes of later frames that read the reference, or the distorted picture, in the slot as an earlier
    /// one. They may still run.
    std::vector<std::vector<isovmaf_ticket>> reference_readers_, distorted_readers_;
    std::vector<GpuWork> work_;
    std::atomic<std::int64_t> copy_time_ns_ = 0;

    std::mutex mutex_; ///< guards the members below
    std::condition_variable_any copy_ready_;
    std::condition_variable submitted_;
    std::deque<Copy> copies_;
    std::size_t submitted_jobs_ = 0; ///< how many of jobs_ are submitted
    /// When it has ended, so have all before it.
    std::optional<isovmaf_ticket> last_upload_;
    std::size_t longest_part_ = 0; ///< the part of the last frame that ended last: it is submitted first
    std::optional<Error> failure_; ///< of a submission: nothing goes on after it
    std::vector<std::jthread> workers_;
};

} // namespace isovmaf
