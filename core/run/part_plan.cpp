// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_plan.hpp"

#include <algorithm>
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
        return refuse(video, "decoding can start with no other key frame than the first");
    return cut;
}

bool is_coded(const SourceInfo &video) { return video.container != "raw" && video.container != "y4m"; }

Result<CutSide> cut_side(const VideoSide &side, const VideoRequest &request, const SourceInfo &video,
                         std::int64_t skip) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(side.path, error))
        return refuse(video, "it is no file on a disk, and parts are read at several places of a file at once");
    if (is_coded(video))
        return cut_coded(side, request, video, skip);
    if (!video.frame_count)
        return refuse(video, "the number of its frames is not known before it is read");
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

std::int64_t choose_part_frames(std::int64_t frames, std::size_t workers) {
    constexpr std::int64_t parts_of_each = 8, most = 512;
    return std::clamp(frames / (parts_of_each * static_cast<std::int64_t>(workers)), least_part_frames, most);
}

std::vector<std::int64_t> cut_video(std::int64_t frames, std::int64_t part_frames,
                                    const std::optional<std::vector<std::int64_t>> &starts) {
    const std::int64_t last = frames - std::min(part_frames, least_part_frames); // where a part can begin
    std::vector<std::int64_t> firsts{0};
    if (!starts)
        for (std::int64_t first = part_frames; first <= last; first += part_frames)
            firsts.push_back(first);
    else
        for (const std::int64_t start : *starts)
            if (start >= firsts.back() + part_frames && start <= last)
                firsts.push_back(start);
    return firsts;
}

Result<std::vector<std::int64_t>> plan_parts(const VideoRequest &request, const OpenedVideos &opened,
                                             std::size_t workers, std::int64_t part_frames) {
    if (opened.pairs->sync().mode != SyncMode::index)
        return fail(ErrorCode::unsupported, "the videos cannot be read in parts: their frames are paired by time, and "
                                            "which frame of one belongs to which of the other is found from the start");
    std::future<Result<CutSide>> cut_reference = std::async(std::launch::async, [&] { // each reads a whole file
        return cut_side(request.reference, request, opened.reference, request.pair.skip_reference);
    });
    const Result<CutSide> cut_distorted =
        cut_side(request.distorted, request, opened.distorted, request.pair.skip_distorted);
    const CutSide reference = TRY(cut_reference.get());
    const CutSide distorted = TRY(cut_distorted);
    std::int64_t pairs = std::min(reference.pairs, distorted.pairs);
    if (request.pair.frame_count)
        pairs = std::min(pairs, *request.pair.frame_count);
    return cut_video(pairs, part_frames > 0 ? part_frames : choose_part_frames(pairs, workers),
                     common_starts(reference, distorted));
}

} // namespace isovmaf
