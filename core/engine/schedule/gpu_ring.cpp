// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/gpu_ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/align.hpp"
#include "base/failure.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

constexpr std::uint64_t aligned(std::uint64_t bytes) { return align_up<std::uint64_t>(bytes, ISOVMAF_RANGE_ALIGNMENT); }

std::uint64_t scratch_bytes(const GpuPlan &plan) {
    std::uint64_t most = 0;
    for (const GpuExtractor *extractor : plan.extractors)
        most = std::max(most, extractor->scratch_bytes());
    return most;
}

bool is_same(const isovmaf_move &one, const isovmaf_move &other) {
    const auto place = [](const isovmaf_range &range) { return std::pair(range.buffer, range.offset); };
    return place(one.recorded) == place(other.recorded) && place(one.used) == place(other.used) &&
           one.bytes == other.bytes;
}

} // namespace

GpuRing::GpuRing(const Device &device, const GpuPlan &plan, QueueUse use)
    : device_(device), plan_(plan), use_(use), layout_(plan.format, plan.plane_count, plan.chroma_edge),
      picture_bytes_(aligned(layout_.bytes())) {
    for (const std::size_t count : plan.word_counts) {
        words_offset_.push_back(words_bytes_);
        words_bytes_ += aligned(count * sizeof(std::int64_t));
    }
    words_offset_.push_back(words_bytes_);
    words_bytes_ += aligned(2 * sizeof(std::int64_t));
}

Result<std::unique_ptr<GpuRing>> GpuRing::create(const Device &device, const GpuPlan &plan, std::size_t slots,
                                                 QueueUse use) {
    std::unique_ptr<GpuRing> ring(new GpuRing(device, plan, use));
    TRY(ring->allocate(slots));
    return ring;
}

Result<void> GpuRing::allocate(std::size_t slots) {
    TRY(upload_tables());
    if (const std::uint64_t bytes = scratch_bytes(plan_); bytes > 0)
        for (std::size_t q = 0; q < use_.queues; q++)
            scratch_.push_back(TRY(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes)));
    slots_.resize(slots);
    for (Slot &slot : slots_) {
        slot.pictures =
            TRY(device_.create_buffer(uploads() ? ISOVMAF_MEMORY_DEVICE : ISOVMAF_MEMORY_SHARED, 2 * picture_bytes_));
        slot.words = TRY(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, words_bytes_));
        slot.readback = TRY(device_.create_buffer(ISOVMAF_MEMORY_READBACK, words_bytes_));
    }
    return {};
}

void GpuRing::make_staging(std::size_t slot) {
    if (uploads() && !slots_[slot].staging)
        slots_[slot].staging = value_of(device_.create_buffer(ISOVMAF_MEMORY_UPLOAD, 2 * picture_bytes_));
}

std::byte *GpuRing::staging(std::size_t slot, bool distorted) const {
    return (uploads() ? slots_[slot].staging : slots_[slot].pictures).host() + (distorted ? picture_bytes_ : 0);
}

const Commands &GpuRing::upload(std::size_t slot, std::optional<std::size_t> reference_slot) {
    auto &uploads = slots_[slot].uploads;
    auto found = uploads.find(reference_slot);
    if (found == uploads.end())
        found = uploads.emplace(reference_slot, record_upload(slot, reference_slot)).first;
    return found->second;
}

void GpuRing::record_staged(Recorder &recorder, std::size_t slot, bool distorted) const {
    const std::uint64_t offset = distorted ? picture_bytes_ : 0;
    recorder.copy(slots_[slot].staging.at(offset), slots_[slot].pictures.at(offset), picture_bytes_);
}

Commands GpuRing::record_upload(std::size_t slot, std::optional<std::size_t> reference_slot) const {
    Recorder recorder(device_, plan_.timed);
    recorder.mark();
    if (reference_slot == slot) { // the pictures of a slot lie side by side
        recorder.copy(slots_[slot].staging.at(0), slots_[slot].pictures.at(0), 2 * picture_bytes_);
    } else {
        if (reference_slot)
            record_staged(recorder, *reference_slot, false);
        record_staged(recorder, slot, true);
    }
    recorder.mark();
    return value_of(recorder.finish());
}

Commands GpuRing::upload(std::size_t slot, std::optional<std::size_t> reference_slot,
                         const std::optional<SourcePicture> &reference, const std::optional<SourcePicture> &distorted) {
    Recorder recorder(device_, plan_.timed);
    recorder.mark();
    const auto record = [&](const std::optional<SourcePicture> &source, std::size_t to, bool second) {
        if (source)
            record_copy(recorder, plan_.format, plan_.plane_count, *source, picture(to, second),
                        packed_memory(to, second, source->packed_bytes(plan_.format, plan_.plane_count)));
        else if (uploads())
            record_staged(recorder, to, second);
    };
    if (reference_slot)
        record(reference, *reference_slot, false);
    record(distorted, slot, true);
    recorder.mark();
    return value_of(recorder.finish());
}

/// Memory of a slot whose last upload has ended. Videos keep their layout, so it is allocated once.
isovmaf_range GpuRing::packed_memory(std::size_t slot, bool distorted, std::uint64_t bytes) {
    PackedMemory &packed = slots_[slot].packed[distorted ? 1 : 0];
    if (packed.bytes < bytes)
        packed = {value_of(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes)), bytes};
    return packed.buffer ? packed.buffer.at(0) : isovmaf_range{};
}

void GpuRing::place(std::size_t slot, bool distorted, std::optional<PlacedPicture> placed) {
    slots_[slot].placed[distorted ? 1 : 0] = std::move(placed);
}

/// The moves of one picture: none if it is in the slot's memory.
void GpuRing::add_moves(std::size_t slot, bool distorted, std::vector<isovmaf_move> &moves) const {
    const std::optional<PlacedPicture> &placed = slots_[slot].placed[distorted ? 1 : 0];
    const GpuPicture recorded = picture(slot, distorted);
    for (std::size_t p = 0; placed && p < recorded.size(); p++)
        if (placed->planes[p].samples.buffer)
            moves.push_back({recorded[p].samples, placed->planes[p].samples, allocated_bytes(recorded[p])});
}

std::vector<isovmaf_move> GpuRing::moves_of(std::size_t slot, const GpuVariant &variant) const {
    std::vector<isovmaf_move> moves;
    add_moves(variant.reference_slot, false, moves);
    add_moves(slot, true, moves);
    for (const std::size_t earlier : variant.earlier_reference_slots)
        add_moves(earlier, false, moves);
    for (const std::size_t earlier : variant.earlier_distorted_slots)
        add_moves(earlier, true, moves);
    return moves;
}

const GpuSequence &GpuRing::sequence(std::size_t slot, const GpuVariant &variant) {
    std::map<GpuVariant, GpuSequence> &sequences = slots_[slot].sequences;
    auto found = sequences.find(variant);
    if (found == sequences.end())
        found = sequences.emplace(variant, record(slot, variant)).first;
    GpuSequence &sequence = found->second;
    if (std::vector<isovmaf_move> moves = moves_of(slot, variant);
        !std::ranges::equal(moves, sequence.moves, is_same)) {
        value_of(sequence.commands.move(moves));
        sequence.moves = std::move(moves);
    }
    return sequence;
}

void GpuRing::read_words(std::size_t slot, const std::vector<bool> &wanted,
                         std::vector<std::vector<std::int64_t>> &words) const {
    for (std::size_t e = 0; e < words.size(); e++)
        if (wanted[e])
            std::memcpy(words[e].data(), slots_[slot].readback.host() + words_offset_[e],
                        words[e].size() * sizeof(std::int64_t));
}

std::array<std::int64_t, 2> GpuRing::large_samples(std::size_t slot) const {
    std::array<std::int64_t, 2> counts{};
    std::memcpy(counts.data(), slots_[slot].readback.host() + words_offset_.back(), sizeof counts);
    return counts;
}

Result<void> GpuRing::upload_tables() {
    Queue queue = TRY(device_.create_queue());
    for (const GpuExtractor *extractor : plan_.extractors) {
        const std::span<const std::byte> table = extractor->table();
        tables_.push_back(table.empty() ? Buffer() : TRY(upload_bytes(device_, queue, table)));
    }
    return {};
}

GpuPicture GpuRing::picture(std::size_t slot, bool distorted) const {
    return layout_.at(slots_[slot].pictures.at(distorted ? picture_bytes_ : 0));
}

GpuSequence GpuRing::record(std::size_t slot, const GpuVariant &variant) const {
    GpuFrame frame;
    frame.reference = picture(variant.reference_slot, false);
    frame.distorted = picture(slot, true);
    for (std::size_t back = 0; back < variant.earlier_reference_slots.size(); back++)
        frame.earlier_reference[back] = picture(variant.earlier_reference_slots[back], false);
    for (std::size_t back = 0; back < variant.earlier_distorted_slots.size(); back++)
        frame.earlier_distorted[back] = picture(variant.earlier_distorted_slots[back], true);
    if (!scratch_.empty())
        frame.scratch = scratch_[queue_of(slot, variant.part)].at(0);

    // The words of the part's extractors. Those of the last part are followed by the counts of large samples.
    const std::size_t first = first_extractor(variant.part), end = first_extractor(variant.part + 1);
    const bool counts_samples = variant.part + 1 == parts();
    const std::uint64_t words_first = words_offset_[first],
                        words_end = counts_samples ? words_bytes_ : words_offset_[end];
    const Slot &memory = slots_[slot];
    GpuSequence sequence;
    Recorder recorder(device_, plan_.timed);
    recorder.fill(memory.words.at(words_first), words_end - words_first, 0);
    for (const bool distorted : {false, true})
        if (counts_samples && variant.checked[distorted ? 1 : 0])
            record_sample_check(recorder, plan_.format, plan_.plane_count,
                                distorted ? frame.distorted : frame.reference, memory.words.at(words_offset_.back()),
                                distorted ? 1 : 0);
    recorder.mark();
    for (std::size_t e = first; e < end; e++) {
        const std::int64_t before = recorder.launches();
        frame.table = tables_[e] ? tables_[e].at(0) : isovmaf_range{};
        frame.words = memory.words.at(words_offset_[e]);
        if (variant.wanted[e])
            plan_.extractors[e]->record(recorder, frame);
        recorder.mark();
        sequence.launches.push_back(recorder.launches() - before);
    }
    recorder.copy(memory.words.at(words_first), memory.readback.at(words_first), words_end - words_first);
    sequence.commands = value_of(recorder.finish());
    return sequence;
}

} // namespace isovmaf
