// SPDX-License-Identifier: BSD-2-Clause-Patent
// Units that share a reference.
#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_extractor.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "input/pair/shared_source.hpp"
#include "input/raw/planar_reader.hpp"

namespace isovmaf::batch {

/// Opens every pair that can be read beside the others.
Result<UnitExtractor::OpenedGroup> UnitExtractor::open_side_by_side(Requests requests,
                                                                    std::unique_ptr<FrameSource> reference) {
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
        group.units[m] = make_unit(*std::move(opened), requests[m].frames);
    }
    if (std::ranges::none_of(group.units, [](const OpenedUnit &unit) { return unit.pairs != nullptr; }))
        return fail(ErrorCode::unsupported, "none of the pairs can be read side by side");
    return group;
}

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
    TRY(open(requests[0].job.execution, requests[0].job.videos.hwaccel));
    const Result<void> done = extract_opened(requests, group, times);
    for (std::size_t m = 0; m < requests.size(); m++)
        if (OpenedUnit &unit = group.units[m]; unit.piece.words)
            if (Result<Extracted> extracted = extracted_of(requests[m], unit))
                prepared_.emplace(requests[m].key, Prepared{*std::move(extracted), times / requests.size()});
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
