// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/frame_fetcher.hpp"
#include "engine/schedule/incoming_frame.hpp"
#include "engine/schedule/open_scheduler.hpp"
#include "engine/words/finish_words.hpp"

namespace isovmaf {

/// Frames in, words out, in frame order. An Extraction checks frames, numbers them, runs the extractors of a plan on
/// the CPU or on a device, and knows nothing of scores.
///
/// Several distorted videos may share one reference: they are the members of the Extraction, and each has its own sink.
/// A reference is uploaded once for all of them, and features that read the reference alone run once. No word depends
/// on the other members.
///
/// An Extraction of a whole video starts with frame 0. An Extraction of a segment starts with `first_frame`; because
/// extractors read earlier frames and neighbouring segments are compared, the caller pushes the `lead_in()` pairs
/// before `first_frame` too. Their words are not computed. The words of a frame do not depend on where the segment
/// starts.
///
/// Used by one thread at a time. A pair that is refused is not taken, and others can be pushed. After any other failure
/// every call returns that failure.
class Extraction {
  public:
    /// `scheduler` was opened for `plan` and for as many members as there are sinks: sink m gets the words of member m.
    /// `plan` and the sinks have to outlive the Extraction. `subsample` is that of ScoringOptions.
    Extraction(OpenedScheduler scheduler, const EnginePlan &plan, int subsample, std::vector<WordSink *> sinks,
               std::int64_t first_frame = 0);

    /// How many pairs before `first_frame` are pushed first: as many as extractors read and at least one, or as many as
    /// there are.
    [[nodiscard]] int lead_in() const { return lead_in_; }

    /// How many planes of a picture words depend on: the first ones. The content of the others may be anything.
    [[nodiscard]] int planes_read() const { return plan_.planes_read(); }

    /// Where extractors run, and what they did there so far, or since `restart`.
    [[nodiscard]] Execution execution() const;

    /// The devices that the extractors run on; empty on the CPU.
    [[nodiscard]] std::vector<DeviceHandle> devices() const { return scheduler_.devices(); }

    /// The first of them; null on the CPU.
    [[nodiscard]] DeviceHandle device() const;

    /// The first planes of the frame in host memory: a copy if it lies in memory of a device. Throws Failure.
    [[nodiscard]] Frame fetch(const Frame &frame, int plane_count);

    /// The most frames of a side that are held after a push: of those in memory of devices, if there is one.
    [[nodiscard]] std::size_t most_held() const;

    /// Gives memory for frames that are uploaded to the first device without being copied on the host, while it has
    /// such memory; empty on the CPU.
    [[nodiscard]] FrameMemory frame_memory() const;

    /// Starts work on the next pair. Waits while as many frames are in flight as the backend holds. Words that are
    /// ready go to the sink before this returns. Frames lie in host memory or in memory of a device, both of a pair in
    /// that of the same one: what the CPU reads of these is fetched. Frames are checked and held as enter_frame says,
    /// those of the planes that extractors read; a device looks for samples above the bit depth itself, when no code on
    /// the CPU reads the frame before.
    Result<void> push(const FramePair &pair);

    /// The same for a pair that the caller numbers otherwise: `number` decides whether subsampling skips it. Features
    /// and sinks still count the frames as they come.
    Result<void> push(const FramePair &pair, std::int64_t number);

    /// The same for one reference and a distorted frame of each member. Members that were finished get an empty frame,
    /// all others a picture.
    Result<void> push(const Frame &reference, std::span<const Frame> distorted);

    /// Hands the words that are ready to the sink, without waiting.
    Result<void> collect();

    /// Waits for the oldest frame in flight and hands out its words. False: no frame is in flight.
    Result<bool> drain_oldest();

    /// Waits for the frames in flight and hands their words to the sinks. More frames can be pushed.
    Result<void> drain();

    /// Waits for the frames in flight, hands their words to the sinks and ends those of all members. Fails when a
    /// device was given work and no kernel ran. Nothing can be pushed before `restart`.
    Result<void> finish();

    /// The same for one member; the others go on.
    Result<void> finish(std::size_t member);

    /// When all members have finished, or no frame was pushed: begins other videos of the same format, or other
    /// segments, with the scheduler as it is and as many members as before.
    Result<void> restart(std::vector<WordSink *> sinks, std::int64_t first_frame);

    /// How long threads have copied pictures to the device, in seconds, summed over the threads; 0 on the CPU.
    [[nodiscard]] double upload_seconds() const;

    /// Memory for frames that are uploaded to the first device without being copied on the host; null on the CPU.
    [[nodiscard]] std::shared_ptr<PinnedMemory> pinned_memory() const;

  private:
    /// Frames as they are held.
    struct Entered {
        Frame reference;
        std::vector<Frame> distorted; ///< of each member; empty for those that have finished
    };

    [[nodiscard]] std::int64_t video_frame(std::int64_t index) const { return first_frame_ - lead_in_ + index; }
    [[nodiscard]] bool finished() const; ///< all members
    [[nodiscard]] bool runs(std::size_t feature, const FrameInFlight &frame) const;
    Result<void> push(const Frame &reference, std::span<const Frame> distorted, std::int64_t number);
    [[nodiscard]] Result<Entered> enter(const Frame &reference, std::span<const Frame> distorted, std::int64_t number);
    void submit(Entered frames, std::int64_t number);
    [[nodiscard]] Frame for_window(const Frame &frame, std::string_view video, std::int64_t number);
    void forget_frames();
    [[nodiscard]] std::unique_ptr<FrameInFlight> next_frame(std::size_t member, bool new_reference,
                                                            std::int64_t number);
    [[nodiscard]] ConstWords words_of(const FrameInFlight &frame, std::size_t feature);
    void collect_ready();
    void hand_out_all();
    void hand_out(std::unique_ptr<FrameInFlight> frame);
    void describe_flagged(Execution &execution) const;
    template <class Body>
    Result<void> unless_failed(const Body &body);

    const EnginePlan &plan_;
    std::vector<WordSink *> sinks_; ///< of each member; null when it has finished
    std::int64_t first_frame_;
    int subsample_;
    int lead_in_;
    OpenedScheduler scheduler_;

    FramePool pool_; ///< of frames that were pushed without an owner
    FrameEntrance entrance_;

    FrameFetcher fetcher_;
    EarlierFrames kept_;   ///< that the CPU may read
    int planes_on_cpu_;    ///< of a picture that the CPU may read
    FrameHistory history_; ///< of these frames
    std::vector<std::array<std::optional<std::int64_t>, EarlierFrames::longest>> last_frames_; ///< of each member
    std::int64_t pushed_ = 0;             ///< references, those before first_frame included
    std::int64_t submitted_ = 0;          ///< frames of all members
    std::vector<std::int64_t> extracted_; ///< per feature: frames with all the earlier frames that the feature reads
    std::vector<std::int64_t> flagged_;   ///< per feature: frames that its kernels left to the CPU
    std::int64_t handed_out_ = 0;         ///< frames
    std::vector<ConstWords> rows_;        ///< of the frame that is handed out
    std::vector<std::vector<std::int64_t>> reference_words_; ///< per feature: of the reference handed out last
    std::optional<Error> failure_;
};

} // namespace isovmaf
