// SPDX-License-Identifier: BSD-2-Clause-Patent
// Units that share a reference.
#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_extractor.hpp"
#include "batch/work/unit_loop.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "input/pair/shared_source.hpp"
#include "input/raw/planar_reader.hpp"

namespace isovmaf::batch {

namespace {

using Requests = std::span<const UnitExtractor::Request>;

struct OpenedGroup {
    std::vector<UnitPair> units; ///< without pairs for one that cannot be read beside the others
    VideoFormat format = {};     ///< of the pairs
    bool converts = false;       ///< some pair scores pictures that are made from the reference's
};

/// Opens every pair that can be read beside the others.
Result<OpenedGroup> open_side_by_side(Requests requests, std::unique_ptr<FrameSource> reference) {
    OpenedGroup group;
    group.units.resize(requests.size());
    auto references = TRY(share_source(std::move(reference), requests.size()));
    bool any = false;
    for (std::size_t m = 0; m < requests.size(); m++) {
        Result<OpenedVideos> opened = open_videos(videos_from(requests[m].job, first_opened_frame(requests[m].frames)),
                                                  std::move(references[m]), requests[m].log);
        if (!opened)
            continue;
        if (!std::exchange(any, true))
            group.format = opened->pairs->format();
        if (opened->pairs->sync().mode != SyncMode::index || opened->pairs->format() != group.format)
            continue;
        group.converts = group.converts || !opened->reference.conversions.empty();
        group.units[m] = make_unit_pair(*std::move(opened), requests[m].frames);
    }
    if (std::ranges::none_of(group.units, [](const UnitPair &unit) { return unit.pairs != nullptr; }))
        return fail(ErrorCode::unsupported, "none of the pairs can be read side by side");
    return group;
}

/// Begins to read all pairs. What one of them wants of the shared reference is what all want, but for pairs that
/// convert it: these are given all of its planes.
Result<void> start_reading(OpenedGroup &group, FrameNeeds needs) {
    if (group.converts)
        needs.planes = FrameNeeds().planes;
    for (const UnitPair &unit : group.units)
        if (unit.pairs)
            TRY(unit.pairs->start(needs));
    return {};
}

} // namespace

std::size_t most_in_group(const VideoFormat &format, const EarlierFrames &earlier) {
    constexpr std::uint64_t budget_bytes = std::uint64_t{2} << 30;
    const std::uint64_t pictures_per_unit = 24 + static_cast<std::uint64_t>(earlier.distorted);
    return std::max<std::uint64_t>(1, budget_bytes / (pictures_per_unit * stored_frame_bytes(format)));
}

void UnitExtractor::prepare(Requests requests) {
    prepared_.clear();
    auto reference = open_reference(requests[0].job.videos, requests[0].log);
    if (!reference)
        return;
    const VideoFormat &format = (*reference)->info().format;
    const Result<EarlierFrames> earlier = earlier_frames_read(requests[0].job.scoring, format);
    if (!earlier)
        return;
    const std::size_t parts = (requests.size() - 1) / most_in_group(format, *earlier) + 1;
    for (std::size_t part = 0; part < parts; part++) {
        const std::size_t begin = requests.size() * part / parts;
        const std::size_t count = requests.size() * (part + 1) / parts - begin;
        if (count > 1) // a unit that fails here fails again alone, and says why
            (void)guarded([&] {
                return extract_side_by_side(requests.subspan(begin, count), std::exchange(*reference, nullptr));
            });
    }
}

Result<void> UnitExtractor::extract_side_by_side(Requests requests, std::unique_ptr<FrameSource> reference) {
    StageTimes times;
    OpenedGroup group;
    {
        const StageClock clock(times.decode);
        if (!reference)
            reference = TRY(open_reference(requests[0].job.videos, requests[0].log));
        group = TRY(open_side_by_side(requests, std::move(reference)));
    }
    Kept kept = TRY(take(requests[0], group.format, requests.size()));
    const FrameNeeds needs = TRY(needs_of(kept, requests[0]));
    TRY(start_reading(group, needs));
    UnitVideos videos(std::move(group.units), requests[0].frames, needs.decoding.device);
    UnitWords words(kept.extraction, requests.size());
    const LoopObserver observer{.cancel = requests[0].cancelled};
    FrameLoop loop(videos, words, frames_to_push(requests[0].frames, kept.extraction), observer);
    const Result<void> done = run_unit_loop(loop, kept.extraction, times);
    for (std::size_t m = 0; m < requests.size(); m++)
        if (std::optional<WordsFile> of_unit = words.take(m))
            if (Result<Extracted> extracted = extracted_of(requests[m], *std::move(of_unit), videos, m))
                prepared_.emplace(requests[m].key, Prepared{*std::move(extracted), times / requests.size()});
    if (done)
        keep(std::move(kept));
    else
        close_after(done.error());
    return done;
}

void UnitExtractor::set_key(const std::string &before, std::string key) {
    auto prepared = prepared_.extract(before);
    prepared.key() = std::move(key);
    prepared_.insert(std::move(prepared));
}

std::optional<UnitExtractor::Extracted> UnitExtractor::take_prepared(const std::string &key, StageTimes &times) {
    auto prepared = prepared_.extract(key);
    if (!prepared)
        return std::nullopt;
    times += prepared.mapped().times;
    return std::move(prepared.mapped().extracted);
}

} // namespace isovmaf::batch
