// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"
#include "execution/work_times.hpp"
#include "features/feature.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// What a session runs on a device, for any number of frames in flight.
struct GpuPlan {
    VideoFormat format;
    int plane_count = 1;                         ///< planes that are uploaded
    ChromaEdge chroma_edge = ChromaEdge::absent; ///< that passes read
    EarlierFrames earlier = {};                  ///< that passes read
    std::size_t members = 1;                     ///< distorted videos of a reference, whose frames take turns
    std::vector<const GpuExtractor *> extractors;
    std::vector<std::size_t> word_counts; ///< of each extractor
    bool checks_host = false;             ///< look for large samples in pictures of the host too
    bool timed = false;                   ///< measure the device time of every extractor, and of uploads
    std::shared_ptr<WorkTimes> times = std::make_shared<WorkTimes>(); ///< gets the times of copies and uploads
    std::size_t queues = 0;                                           ///< compute queues; 0: as many as are useful
    bool dealt = false; ///< frames come in runs, which take turns with those of other devices
};

/// How frames use the compute queues.
struct QueueUse {
    std::size_t queues = 1;
    bool spread = false; ///< each frame uses all, with a part of the extractors on each; else frames take turns
};

/// What a recorded sequence depends on: which part of the extractors it is for, which of them run, whether the pictures
/// are looked at for samples above the bit depth, and the slots with its reference picture and with the earlier
/// pictures that there are.
struct GpuVariant {
    std::size_t part = 0; ///< of the extractors
    std::vector<bool> wanted;
    std::array<bool, 2> checked = {}; ///< the reference, and the distorted picture
    std::size_t reference_slot = 0;
    std::vector<std::size_t> earlier_reference_slots, earlier_distorted_slots; ///< [0] has the picture of frame n-1

    friend auto operator<=>(const GpuVariant &, const GpuVariant &) = default;
};

/// A picture that kernels read where it lies: in memory of `frame`, which the host and the device share.
struct PlacedPicture {
    GpuPicture planes;
    Frame frame; ///< keeps the memory
};

/// The passes of a part of the extractors for one frame in one slot, which can be submitted any number of times.
struct GpuSequence {
    Commands commands;
    std::vector<isovmaf_move> moves;    ///< of `commands`, from the slots' memory to that of placed pictures
    std::vector<std::int64_t> launches; ///< per extractor of the part
};

/// Device memory and pinned memory for a fixed number of frames, and the sequences recorded for it. Frames use the
/// slots in turn, and so do references, which several frames may share: a frame's reference picture may lie in another
/// slot than its distorted one. The slot before that of a reference holds the reference before it. As many of the last
/// pictures are there as there are slots.
///
/// Where the device reads pictures of the host in place, the pictures of a slot lie in memory that host and device
/// share, and are their own staging.
///
/// Scratch memory belongs to a compute queue, not to a slot: a queue works on one frame at a time.
class GpuRing {
  public:
    /// Allocates all memory that the ring uses but staging; fails with out_of_memory when it does not fit. `device` and
    /// `plan` have to outlive the ring.
    [[nodiscard]] static Result<std::unique_ptr<GpuRing>> create(const Device &device, const GpuPlan &plan,
                                                                 std::size_t slots, QueueUse use);

    [[nodiscard]] std::size_t slots() const { return slots_.size(); }

    /// Compute queues that frames use.
    [[nodiscard]] std::size_t queues() const { return use_.queues; }
    /// In how many parts the extractors are submitted for a frame.
    [[nodiscard]] std::size_t parts() const { return use_.spread ? use_.queues : 1; }
    /// The first extractor of a part; that of part number `parts` is the number of extractors.
    [[nodiscard]] std::size_t first_extractor(std::size_t part) const {
        return part * plan_.extractors.size() / parts();
    }
    /// The compute queue that runs a part for the frame in a slot.
    [[nodiscard]] std::size_t queue_of(std::size_t slot, std::size_t part) const {
        return use_.spread ? part : slot % use_.queues;
    }

    /// Allocates the pinned memory of a slot's pictures unless it is there or is not needed. The driver takes long for
    /// it, and pictures that lie in pinned memory or on the device need none. Throws Failure.
    void make_staging(std::size_t slot);

    /// Whether what is staged has to be uploaded.
    [[nodiscard]] bool uploads() const { return !device_.host_pictures().in_place; }

    /// Memory that the host fills for one picture of a slot, with the planes where `layout` puts them.
    [[nodiscard]] std::byte *staging(std::size_t slot, bool distorted) const;
    [[nodiscard]] const PictureLayout &layout() const { return layout_; }

    /// Whether passes can read a picture that is not in the slot's memory.
    [[nodiscard]] bool takes_placed_pictures() const { return !uploads() && device_.moves_ranges(); }

    /// The picture of a slot from now on: `placed`, or what is in the slot's memory. No sequence in flight, and none
    /// that is submitted later, reads the picture that the slot had.
    void place(std::size_t slot, bool distorted, std::optional<PlacedPicture> placed);

    /// The copy of a slot's distorted picture to the device, and of the reference picture in `reference_slot` if one is
    /// given. The first call for these slots records it.
    [[nodiscard]] const Commands &upload(std::size_t slot, std::optional<std::size_t> reference_slot);

    /// Records the same copies for pictures that lie elsewhere: in pinned memory, or in memory of the device. A picture
    /// that is not given is copied from the slot's staging if that has to be uploaded. The first picture of a slot that
    /// is not plain makes the ring allocate memory. Throws Failure.
    [[nodiscard]] Commands upload(std::size_t slot, std::optional<std::size_t> reference_slot,
                                  const std::optional<SourcePicture> &reference,
                                  const std::optional<SourcePicture> &distorted);

    /// The passes of a frame in a slot, which read the pictures that the slots have now. The first call for a slot and
    /// variant records them. Throws Failure.
    [[nodiscard]] const GpuSequence &sequence(std::size_t slot, const GpuVariant &variant);

    /// Copies the words of the wanted extractors out of a slot whose last sequence has ended.
    void read_words(std::size_t slot, const std::vector<bool> &wanted,
                    std::vector<std::vector<std::int64_t>> &words) const;

    /// How many samples of the checked pictures of such a slot are above the bit depth; 0 of others.
    [[nodiscard]] std::array<std::int64_t, 2> large_samples(std::size_t slot) const;

  private:
    /// Planes that are not plain, before a kernel makes them so.
    struct PackedMemory {
        Buffer buffer;
        std::uint64_t bytes = 0;
    };
    struct Slot {
        Buffer staging, pictures, words, readback;
        std::array<PackedMemory, 2> packed;                     ///< of the reference, and of the distorted picture
        std::array<std::optional<PlacedPicture>, 2> placed;     ///< the same
        std::map<std::optional<std::size_t>, Commands> uploads; ///< by the slot of the reference that comes along
        std::map<GpuVariant, GpuSequence> sequences;
    };

    GpuRing(const Device &device, const GpuPlan &plan, QueueUse use);
    Result<void> allocate(std::size_t slots);
    Result<void> upload_tables();
    [[nodiscard]] GpuPicture picture(std::size_t slot, bool distorted) const;
    [[nodiscard]] isovmaf_range packed_memory(std::size_t slot, bool distorted, std::uint64_t bytes);
    void record_staged(Recorder &recorder, std::size_t slot, bool distorted) const;
    [[nodiscard]] Commands record_upload(std::size_t slot, std::optional<std::size_t> reference_slot) const;
    void add_moves(std::size_t slot, bool distorted, std::vector<isovmaf_move> &moves) const;
    [[nodiscard]] std::vector<isovmaf_move> moves_of(std::size_t slot, const GpuVariant &variant) const;
    [[nodiscard]] GpuSequence record(std::size_t slot, const GpuVariant &variant) const;

    const Device &device_;
    const GpuPlan &plan_;
    const QueueUse use_;
    PictureLayout layout_;
    std::uint64_t picture_bytes_ = 0;
    std::vector<std::uint64_t> words_offset_; ///< per extractor, in a slot's words; then of counts of large samples
    std::uint64_t words_bytes_ = 0;
    std::vector<Buffer> tables_;  ///< per extractor; empty when it has none
    std::vector<Buffer> scratch_; ///< per compute queue
    std::vector<Slot> slots_;
};

} // namespace isovmaf
