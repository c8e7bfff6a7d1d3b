// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/settle_videos.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/thumbnail.hpp"
#include "input/libav/frame_indexes.hpp"
#include "run/alignment_doctor.hpp"
#include "run/conversions.hpp"
#include "run/fit.hpp"
#include "run/fit_bars.hpp"
#include "run/videos.hpp"

namespace isovmaf {

namespace {

/// A request whose files are opened beside the run, and not instead: what the run keeps of its own readers stays out.
VideoRequest beside_the_run(VideoRequest request, FrameIndexes *indexes) {
    request.reference.content = request.distorted.content = nullptr;
    request.pipes = nullptr;
    request.indexes = indexes;
    request.index_later = false;
    request.pair.first_pair = 0;
    return request;
}

Result<std::unique_ptr<FrameSource>> open_side(const VideoSide &side, const VideoRequest &request) {
    return open_source(side.path, source_options(side, request, {}));
}

Result<VideoRequest> fit_videos(VideoRequest request, SettledBy by) {
    FrameIndexes indexes([] { return false; });
    const VideoRequest opened = beside_the_run(request, by == SettledBy::pictures ? &indexes : nullptr);
    auto reference = TRY(open_side(opened.reference, opened)), distorted = TRY(open_side(opened.distorted, opened));
    TRY(choose_conversions(request, *reference, *distorted));
    const PairInfo stored = describe_pair(*reference, *distorted);
    const std::size_t settled = request.settled.size();
    TRY(fit_chroma(request, stored));
    TRY(convert_sides(request, reference, distorted));
    if (by == SettledBy::pictures && !request.reference.crop && !request.distorted.crop)
        TRY(fit_bars(request, *reference, *distorted));
    fit_range(request, stored);
    fit_size(request, describe_pair(*reference, *distorted));
    if (request.settled.size() == settled)
        request.settled.push_back({{}, {}, "--fit: the two videos can be compared as they are"});
    return request;
}

tl::unexpected<Error> refuse_offset(const VideoRequest &request, std::string_view why) {
    return fail(ErrorCode::mismatch,
                fmt::format("--offset auto finds no offset of {} and {} that is clear: {}; give --offset N, which "
                            "--align helps to find, or --offset 0 to pair the videos from their first frames on",
                            display_name(request.reference.path), display_name(request.distorted.path), why));
}

/// Gives a request the pairing of `shifted`, and says which options do the same.
void settle_offset(VideoRequest &request, const PairOptions &shifted, bool by_time, const std::string &reason) {
    const auto say = [&](const char *name, std::int64_t value) {
        request.settled.push_back({name, fmt::to_string(value), reason});
    };
    if (by_time && shifted.skip_reference != request.pair.skip_reference)
        say("frame_skip_ref", shifted.skip_reference);
    if (by_time && shifted.skip_distorted != request.pair.skip_distorted)
        say("frame_skip_dis", shifted.skip_distorted);
    if (!by_time || request.settled.empty() || request.settled.back().reason != reason)
        say("offset", shifted.offset);
    request.pair = shifted;
}

/// Looks at as many of the first pairs as the search for offsets of any size keeps.
Result<VideoRequest> find_offset(VideoRequest request) {
    const int range = *std::exchange(request.find_offset, std::nullopt);
    VideoRequest looked_at = beside_the_run(request, nullptr);
    looked_at.pair.strict = false; // what is wrong with the videos is said when they are scored
    constexpr auto most_pairs = static_cast<std::int64_t>(WideSearch::most_pairs);
    looked_at.pair.frame_count = std::min(request.pair.frame_count.value_or(most_pairs), most_pairs);
    OpenedVideos videos = TRY(open_videos(looked_at, {}));
    AlignmentDoctor doctor(range, videos);
    TRY(videos.pairs->start({.planes = 1}));
    std::int64_t pairs = 0;
    for (; const std::optional<FramePair> pair = TRY(videos.pairs->read()); pairs++)
        doctor.see({make_thumbnail(pair->reference), make_thumbnail(pair->distorted)});
    const AlignmentFinding finding = doctor.find();
    if (!finding.alike || finding.parts.size() > 1)
        return refuse_offset(request, doctor.hint(finding, request.pair));
    if (finding.aligned() && !finding.fits)
        return refuse_offset(request, "their pictures do not fit as they are paired, and no other offset fits clearly "
                                      "better");
    const AlignedPart &part = finding.parts.front();
    const std::string reason =
        fmt::format("--offset auto: small pictures of the first {} pairs fit {}", pairs,
                    finding.aligned()
                        ? "as they are paired, and no other offset fits clearly better"
                        : fmt::format("best with the {} video {} frame{} {} (mean difference {:.2f} -> {:.2f} of 255)",
                                      doctor.moves_reference() ? "reference" : "distorted", std::abs(part.offset),
                                      std::abs(part.offset) == 1 ? "" : "s", part.offset > 0 ? "late" : "early",
                                      part.difference_before, part.difference));
    const bool by_time = videos.pairs->sync().mode != SyncMode::index;
    settle_offset(request, finding.aligned() ? request.pair : doctor.shifted(finding, request.pair), by_time, reason);
    return request;
}

} // namespace

Result<VideoRequest> settle_videos(VideoRequest request, SettledBy by) {
    TRY(check_can_settle(request));
    if (std::exchange(request.fit, false))
        request = TRY(fit_videos(std::move(request), by));
    if (by == SettledBy::headers)
        request.find_offset.reset();
    return request.find_offset ? find_offset(std::move(request)) : Result<VideoRequest>(std::move(request));
}

void take_decisions(const VideoRequest &settled, VideoRequest &request) {
    for (const auto side : {&VideoRequest::reference, &VideoRequest::distorted}) {
        VideoSide &to = request.*side;
        const VideoSide &from = settled.*side;
        to.convert_format = from.convert_format;
        to.crop = from.crop;
        to.convert_range = from.convert_range;
    }
    request.resize = settled.resize;
    request.pair = settled.pair;
    request.readers = settled.readers;
    request.settled = settled.settled;
    request.fit = false;
    request.find_offset.reset();
}

bool is_read_once(const std::string &path) {
    std::error_code missing; // a URL, a pattern for numbered pictures
    const std::filesystem::file_type type = std::filesystem::status(path, missing).type();
    return path == "-" || type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character ||
           type == std::filesystem::file_type::socket;
}

Result<void> check_can_settle(const VideoRequest &request) {
    if (is_settled(request))
        return {};
    for (const VideoSide *const side : {&request.reference, &request.distorted})
        if (is_read_once(side->path))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{} looks at both videos before they are scored, and {} can be read once: give "
                                    "files, or {}",
                                    request.fit ? "--fit" : "--offset auto", display_name(side->path),
                                    request.fit ? "options such as --resize dis in place of --fit" : "--offset N"));
    return {};
}

} // namespace isovmaf
