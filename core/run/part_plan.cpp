// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/words/segments.hpp"
#include "input/libav/frame_indexes.hpp"

namespace isovmaf {

namespace {

/// One video as far as its parts depend on it. Pairs are counted after the frames that are skipped.
struct CutSide {
    std::int64_t pairs = 0;
    std::optional<std::vector<std::int64_t>> starts = {}; ///< of parts; nothing: a part may begin anywhere
};

tl::unexpected<Error> refuse(const SourceInfo &video, std::string_view why) {
    return fail(ErrorCode::unsupported, fmt::format("{} cannot be read in parts: {}", display_name(video.name), why));
}

constexpr std::string_view one_start = "decoding can start with no other key frame than the first";

/// Reads the packets of a coded file. The frames before a part that extractors read are decoded with the part, so that
/// the reader begins with a key frame.
Result<CutSide> cut_coded(const VideoSide &side, const VideoRequest &request, const SourceInfo &video,
                          std::int64_t skip) {
    const auto index = TRY(request.indexes->get(side.path, source_options(side, request, {})));
    if (!index->obstacle().empty())
        return refuse(video, index->obstacle());
    CutSide cut{index->frame_count() - skip, std::vector<std::int64_t>()};
    for (const FrameIndex::Start &start : index->starts_for(index->frame_count()))
        if (start.frame > skip)
            cut.starts->push_back(start.frame - skip + max_lead_in);
    if (cut.starts->empty())
        return refuse(video, one_start);
    return cut;
}

Result<void> check_starts(const VideoSide &side, const VideoRequest &request, const SourceInfo &video) {
    if (!is_coded(video))
        return {};
    const FirstStarts found = TRY(find_first_starts(side.path, source_options(side, request, {})));
    if (!found.obstacle.empty())
        return refuse(video, found.obstacle);
    return found.several ? Result<void>() : refuse(video, one_start);
}

Result<void> check_side(const VideoSide &side, const SourceInfo &video) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(side.path, error))
        return refuse(video, "it is no file on a disk, and parts are read at several places of a file at once");
    if (!is_coded(video) && !video.frame_count)
        return refuse(video, "the number of its frames is not known before it is read");
    return {};
}

Result<CutSide> cut_side(const VideoSide &side, const VideoRequest &request, const SourceInfo &video,
                         std::int64_t skip) {
    if (is_coded(video))
        return cut_coded(side, request, video, skip);
    return CutSide{*video.frame_count - skip};
}

/// Where parts of both begin. Of two coded files with different key frames the one with fewer decides: to pass over
/// frames costs it more.
std::optional<std::vector<std::int64_t>> common_starts(const CutSide &a, const CutSide &b) {
    if (!a.starts || !b.starts)
        return a.starts ? a.starts : b.starts;
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(*a.starts, *b.starts, std::back_inserter(both));
    const auto &fewer = a.starts->size() < b.starts->size() ? *a.starts : *b.starts;
    return 2 * both.size() >= fewer.size() ? both : fewer;
}

} // namespace

std::optional<std::int64_t> PartPlan::border_near(std::int64_t wanted, std::int64_t first, std::int64_t end) const {
    const std::int64_t least = first + least_frames, most = end - least_frames;
    if (least > most)
        return std::nullopt;
    if (!starts)
        return std::clamp(wanted, least, most);
    const auto begin = std::ranges::lower_bound(*starts, least), behind = std::ranges::upper_bound(*starts, most);
    if (begin == behind)
        return std::nullopt;
    return *std::ranges::min_element(begin, behind, {}, [&](std::int64_t start) { return std::abs(start - wanted); });
}

std::size_t PartPlan::usable_workers(std::size_t workers) const {
    std::size_t usable = 1;
    for (std::int64_t first = 0; usable < workers; usable++) {
        const std::optional<std::int64_t> border = border_near(first, first, frames);
        if (!border)
            break;
        first = *border;
    }
    return usable;
}

PartPlan uncut_plan() {
    PartPlan plan;
    plan.starts.emplace();
    return plan;
}

Result<void> check_parts(const VideoRequest &request, const OpenedVideos &opened) {
    if (opened.pairs->sync().mode != SyncMode::index)
        return fail(ErrorCode::unsupported, "the videos cannot be read in parts: their frames are paired by time, and "
                                            "which frame of one belongs to which of the other is found from the start");
    TRY(check_side(request.reference, opened.reference));
    return check_side(request.distorted, opened.distorted);
}

Result<void> check_starts(const VideoRequest &request, const OpenedVideos &opened) {
    TRY(check_starts(request.reference, request, opened.reference));
    return check_starts(request.distorted, request, opened.distorted);
}

bool is_coded(const SourceInfo &video) { return video.container != "raw" && video.container != "y4m"; }

bool has_coded_side(const OpenedVideos &opened) { return is_coded(opened.reference) || is_coded(opened.distorted); }

Result<PartPlan> plan_parts(const VideoRequest &request, const OpenedVideos &opened, std::int64_t part_frames) {
    std::future<Result<CutSide>> cut_reference = std::async(std::launch::async, [&] { // each reads a whole file
        return cut_side(request.reference, request, opened.reference, request.pair.skip_reference);
    });
    const Result<CutSide> cut_distorted =
        cut_side(request.distorted, request, opened.distorted, request.pair.skip_distorted);
    const CutSide reference = TRY(cut_reference.get());
    const CutSide distorted = TRY(cut_distorted);
    PartPlan plan{std::min(reference.pairs, distorted.pairs), common_starts(reference, distorted)};
    if (request.pair.frame_count)
        plan.frames = std::min(plan.frames, *request.pair.frame_count);
    if (part_frames > 0) {
        plan.least_frames = std::min(part_frames, plan.least_frames);
        plan.most_frames = part_frames;
    }
    return plan;
}

} // namespace isovmaf
