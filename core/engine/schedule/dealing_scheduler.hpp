// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "device/frame_fetcher.hpp"
#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// What a DealingScheduler has to know of the extractors.
struct DealPlan {
    VideoFormat format;
    int plane_count = 1;     ///< that extractors read
    std::size_t members = 1; ///< distorted videos of a reference
    std::vector<std::size_t> word_counts;
    std::vector<EarlierFrames> earlier = {}; ///< that each extractor reads
    std::size_t run_references = 0;          ///< of a run; 0: chosen
};

/// Deals the frames of videos to several devices, in runs of references that follow each other, with the frames of all
/// members (docs/adr/0110). Devices take turns. A device gets the frames before its run too, as many as extractors
/// read, and computes nothing on them. Frames in memory of a device are scored there: a run ends where that changes.
///
/// What goes wrong on a device is thrown for the first frame that the device does not give.
class DealingScheduler final : public Scheduler {
  public:
    struct Part {
        std::unique_ptr<Scheduler> scheduler;
        DeviceHandle device; ///< in whose memory frames may lie
    };

    DealingScheduler(DealPlan plan, std::vector<Part> parts);

    /// How many references before a run a device gets. Their pictures are kept until then.
    [[nodiscard]] std::size_t lead_in() const { return lead_in_; }

    /// How many frames were copied to the host, as another device than theirs reads them as earlier ones.
    [[nodiscard]] std::int64_t fetched() const { return fetcher_.count(); }

    /// Per extractor: frames on which a part ran it with all the earlier frames that it reads.
    [[nodiscard]] const std::vector<std::int64_t> &extracted(std::size_t part) const { return parts_[part].extracted; }

    /// Lets go of the frames of a member that gets no more.
    void forget(std::size_t member);

    /// Lets go of all frames, and counts from nothing again. No frame is in flight.
    void restart();

  private:
    /// A part, and what it works on.
    struct Busy {
        Part part;
        std::deque<FrameInFlight *> owed = {};   ///< in order; null: a frame before a run, whose words nobody wants
        std::size_t in_work = 0;                 ///< of these: those that the scheduler has
        std::int64_t frames = 0, references = 0; ///< that the part was given
        std::vector<std::int64_t> extracted = {};
        std::exception_ptr failure = {}; ///< from then on the part is given nothing
    };
    /// A frame of a member, as later frames may need it.
    struct KeptFrame {
        std::size_t member = 0;
        std::int64_t number = 0, index = 0; ///< see FrameInFlight
        std::int64_t given_as = 0;          ///< its index in the part that works on the present run
        Frame distorted;
    };
    struct KeptReference {
        Frame picture;
        std::vector<KeptFrame> frames;
    };

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;

    void begin_reference(const FrameInFlight &frame);
    void begin_run(std::size_t part);
    [[nodiscard]] std::size_t next_part(const FrameInFlight &frame) const;
    void keep(const FrameInFlight &frame, std::int64_t given_as);
    [[nodiscard]] std::optional<std::int64_t> index_in_part(std::optional<std::int64_t> index) const;
    [[nodiscard]] std::unique_ptr<FrameInFlight> blank_share(Busy &busy);
    void give(Busy &busy, std::unique_ptr<FrameInFlight> share);
    void give_lead_in(Busy &busy, const KeptReference &reference, KeptFrame &kept);
    [[nodiscard]] Frame readable(const Busy &busy, const Frame &frame);
    [[nodiscard]] static bool collect(Busy &busy, Wait wait);
    template <class Body>
    static void unless_failed(Busy &busy, const Body &body);

    const DealPlan plan_;
    const std::size_t lead_in_;
    const bool reads_distorted_; ///< earlier frames of members
    const std::size_t run_references_;
    std::vector<Busy> parts_;
    FrameFetcher fetcher_;
    std::deque<std::size_t> dealt_to_; ///< the part of each frame in flight
    std::deque<KeptReference> kept_;   ///< the last ones; behind them the present one
    std::size_t part_ = 0;             ///< that works on the present run
    std::size_t run_length_ = 0;       ///< references of the present run
};

} // namespace isovmaf
