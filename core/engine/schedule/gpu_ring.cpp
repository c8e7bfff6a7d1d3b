// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/gpu_ring.hpp"

#include <algorithm>
#include <cstring>

#include "base/align.hpp"
#include "base/failure.hpp"

namespace isovmaf {

namespace {

constexpr std::uint64_t aligned(std::uint64_t bytes) { return align_up<std::uint64_t>(bytes, ISOVMAF_RANGE_ALIGNMENT); }

std::uint64_t scratch_bytes(const GpuPlan &plan) {
    std::uint64_t most = 0;
    for (const GpuExtractor *extractor : plan.extractors)
        most = std::max(most, extractor->scratch_bytes());
    return most;
}

} // namespace

GpuRing::GpuRing(const Device &device, const GpuPlan &plan, std::size_t slots, std::size_t queues)
    : device_(device), plan_(plan), layout_(plan.format, plan.plane_count), picture_bytes_(aligned(layout_.bytes())) {
    for (const std::size_t count : plan.word_counts) {
        words_offset_.push_back(words_bytes_);
        words_bytes_ += aligned(count * sizeof(std::int64_t));
    }
    upload_tables();
    if (const std::uint64_t bytes = scratch_bytes(plan); bytes > 0)
        for (std::size_t q = 0; q < queues; q++)
            scratch_.push_back(value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes)));
    slots_.resize(slots);
    for (Slot &slot : slots_) {
        slot.staging = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, 2 * picture_bytes_));
        slot.pictures = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, 2 * picture_bytes_));
        slot.words = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, words_bytes_));
        slot.readback = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, words_bytes_));
    }
}

std::byte *GpuRing::staging(std::size_t slot, bool distorted) const {
    return slots_[slot].staging.host() + (distorted ? picture_bytes_ : 0);
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
    Recorder recorder(device_);
    if (reference_slot == slot) { // the pictures of a slot lie side by side
        recorder.copy(slots_[slot].staging.at(0), slots_[slot].pictures.at(0), 2 * picture_bytes_);
    } else {
        if (reference_slot)
            record_staged(recorder, *reference_slot, false);
        record_staged(recorder, slot, true);
    }
    return value_of(recorder.finish());
}

void GpuRing::record_copy(Recorder &recorder, const PictureSource &source, std::size_t slot, bool distorted) const {
    const GpuPicture to = picture(slot, distorted);
    for (std::size_t p = 0; p < static_cast<std::size_t>(plan_.plane_count); p++) {
        const auto rows = static_cast<std::uint64_t>(to[p].height);
        const auto row_bytes = static_cast<std::uint64_t>(to[p].width * plan_.format.bytes_per_sample());
        const auto to_stride = static_cast<std::uint64_t>(to[p].stride_bytes);
        const std::uint64_t stride = source.stride_bytes[p];
        if (stride == to_stride) // one copy, padding included: Vulkan is slow at many rows
            recorder.copy(source.samples[p], to[p].samples, plane_bytes(plan_.format, static_cast<int>(p), stride));
        else
            recorder.copy({source.samples[p], to[p].samples, stride, to_stride, row_bytes, rows});
    }
}

OwnUpload GpuRing::upload(std::size_t slot, const DeviceFrame &reference, const DeviceFrame &distorted) const {
    OwnUpload upload;
    Recorder recorder(device_);
    for (const bool second : {false, true}) {
        const DeviceFrame &frame = second ? distorted : reference;
        PictureSource source{.stride_bytes = frame.stride_bytes};
        for (std::size_t p = 0; p < static_cast<std::size_t>(plan_.plane_count); p++) {
            const std::uint64_t bytes = plane_bytes(plan_.format, static_cast<int>(p), frame.stride_bytes[p]);
            upload.planes.push_back(value_of(device_.import_buffer(frame.address[p], bytes)));
            source.samples[p] = upload.planes.back().at(0);
        }
        record_copy(recorder, source, slot, second);
    }
    upload.commands = value_of(recorder.finish());
    return upload;
}

OwnUpload GpuRing::upload(std::size_t slot, std::optional<std::size_t> reference_slot,
                          const std::optional<PictureSource> &reference,
                          const std::optional<PictureSource> &distorted) const {
    Recorder recorder(device_);
    const auto record = [&](const std::optional<PictureSource> &source, std::size_t to, bool second) {
        if (source)
            record_copy(recorder, *source, to, second);
        else
            record_staged(recorder, to, second);
    };
    if (reference_slot)
        record(reference, *reference_slot, false);
    record(distorted, slot, true);
    return {{}, value_of(recorder.finish())};
}

const GpuSequence &GpuRing::sequence(std::size_t slot, const GpuVariant &variant) {
    std::map<GpuVariant, GpuSequence> &sequences = slots_[slot].sequences;
    auto found = sequences.find(variant);
    if (found == sequences.end())
        found = sequences.emplace(variant, record(slot, variant)).first;
    return found->second;
}

void GpuRing::read_words(std::size_t slot, const std::vector<bool> &wanted,
                         std::vector<std::vector<std::int64_t>> &words) const {
    for (std::size_t e = 0; e < words.size(); e++)
        if (wanted[e])
            std::memcpy(words[e].data(), slots_[slot].readback.host() + words_offset_[e],
                        words[e].size() * sizeof(std::int64_t));
}

void GpuRing::upload_tables() {
    Queue queue = value_of(device_.create_queue());
    for (const GpuExtractor *extractor : plan_.extractors) {
        const std::span<const std::byte> table = extractor->table();
        tables_.emplace_back();
        if (table.empty())
            continue;
        tables_.back() = value_of(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, table.size()));
        const Buffer staging = value_of(device_.create_buffer(ISOVMAF_MEMORY_UPLOAD, table.size()));
        std::ranges::copy(table, staging.host());
        Recorder recorder(device_);
        recorder.copy(staging.at(0), tables_.back().at(0), table.size());
        const Commands commands = value_of(recorder.finish());
        value_of(queue.wait(value_of(queue.submit(commands)).value));
    }
}

GpuPicture GpuRing::picture(std::size_t slot, bool distorted) const {
    return layout_.at(slots_[slot].pictures.at(distorted ? picture_bytes_ : 0));
}

GpuSequence GpuRing::record(std::size_t slot, const GpuVariant &variant) const {
    GpuFrame frame;
    frame.reference = picture(variant.reference_slot, false);
    frame.distorted = picture(slot, true);
    for (std::size_t back = 1; back <= static_cast<std::size_t>(variant.earlier); back++)
        frame.earlier_reference[back - 1] = picture((variant.reference_slot + slots() - back) % slots(), false);
    if (!scratch_.empty())
        frame.scratch = scratch_[slot % scratch_.size()].at(0);

    const Slot &memory = slots_[slot];
    GpuSequence sequence;
    Recorder recorder(device_, plan_.timed);
    recorder.fill(memory.words.at(0), words_bytes_, 0);
    recorder.mark();
    for (std::size_t e = 0; e < plan_.extractors.size(); e++) {
        const std::int64_t before = recorder.launches();
        frame.table = tables_[e] ? tables_[e].at(0) : isovmaf_range{};
        frame.words = memory.words.at(words_offset_[e]);
        if (variant.wanted[e])
            plan_.extractors[e]->record(recorder, frame);
        recorder.mark();
        sequence.launches.push_back(recorder.launches() - before);
    }
    recorder.copy(memory.words.at(0), memory.readback.at(0), words_bytes_);
    sequence.commands = value_of(recorder.finish());
    return sequence;
}

} // namespace isovmaf
