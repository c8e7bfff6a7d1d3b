// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "engine/words/segments.hpp"
#include "engine/words/words_schema.hpp"

namespace isovmaf {

namespace {

std::string range_text(const FrameRange &range) {
    if (!range.end)
        return fmt::format("frame {} and what follows it", range.first);
    return range.first + 1 == *range.end ? fmt::format("frame {}", range.first)
                                         : fmt::format("frames {} to {}", range.first, *range.end - 1);
}

/// The digests that a segment has, by frame.
std::map<std::int64_t, PairDigest> digests_of(const WordsFile &file) {
    std::map<std::int64_t, PairDigest> digests;
    const auto add = [&](const std::vector<PairDigest> &pairs, std::int64_t end) {
        std::int64_t frame = end - static_cast<std::int64_t>(pairs.size());
        for (const PairDigest &pair : pairs)
            digests.emplace(frame++, pair);
    };
    add(file.lead_in, file.first_frame);
    add(file.last, file.end_frame());
    return digests;
}

/// Compares the pictures of the frames that both segments have digests of.
Result<void> check_pictures(const WordsFile &a, const WordsFile &b) {
    const std::map<std::int64_t, PairDigest> of_a = digests_of(a);
    for (const auto &[frame, digest] : digests_of(b)) {
        const auto found = of_a.find(frame);
        if (found != of_a.end() && found->second != digest)
            return fail(ErrorCode::mismatch,
                        fmt::format("words files {} and {} are of different videos: their {} of frame {} is not the "
                                    "same picture",
                                    a.name, b.name,
                                    found->second.reference != digest.reference ? "reference" : "distorted video",
                                    frame));
    }
    return {};
}

Result<void> check_neighbours(const WordsFile &earlier, const WordsFile &later) {
    if (later.first_frame < earlier.end_frame())
        return fail(ErrorCode::mismatch,
                    fmt::format("words files {} and {} both hold {}: leave one of them out", earlier.name, later.name,
                                range_text({later.first_frame, std::min(earlier.end_frame(), later.end_frame())})));
    if (earlier.ends_video)
        return fail(ErrorCode::mismatch,
                    fmt::format("words file {} ends the video with frame {}, but words file {} holds {}", earlier.name,
                                earlier.end_frame() - 1, later.name,
                                range_text({later.first_frame, later.end_frame()})));
    return {};
}

} // namespace

std::vector<const WordsFile *> in_frame_order(std::span<const WordsFile> segments) {
    std::vector<const WordsFile *> order;
    for (const WordsFile &segment : segments)
        order.push_back(&segment);
    std::ranges::stable_sort(order, {}, &WordsFile::first_frame);
    return order;
}

std::vector<FrameRange> missing_frames(std::span<const WordsFile> segments) {
    std::vector<FrameRange> missing;
    std::int64_t next = 0;
    bool ended = false;
    for (const WordsFile *segment : in_frame_order(segments)) {
        if (segment->first_frame > next)
            missing.push_back({next, segment->first_frame});
        next = std::max(next, segment->end_frame());
        ended = ended || segment->ends_video;
    }
    if (!ended)
        missing.push_back({next, {}});
    return missing;
}

Result<void> check_segments(std::span<const WordsFile> segments) {
    const std::vector<const WordsFile *> order = in_frame_order(segments);
    for (std::size_t i = 1; i < order.size(); i++) {
        const WordsFile &earlier = *order[i - 1], &later = *order[i];
        if (const std::string difference = schema_difference(earlier.schema, later.schema); !difference.empty())
            return fail(ErrorCode::mismatch, fmt::format("words files {} and {} do not belong together: {}",
                                                         earlier.name, later.name, difference));
        for (std::size_t before = i - std::min<std::size_t>(i, max_lead_in); before < i; before++)
            TRY(check_pictures(*order[before], later));
        TRY(check_neighbours(earlier, later));
    }
    std::vector<std::string> missing;
    for (const FrameRange &range : missing_frames(segments))
        missing.push_back(range_text(range));
    if (!missing.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("no words file holds {}: extract these frames too", fmt::join(missing, ", ")));
    return {};
}

} // namespace isovmaf
