// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/open_at_start.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "input/raw/byte_reader.hpp"

namespace isovmaf {

namespace {

using Starts = std::span<const FrameIndex::Start>;

/// Whether the next packet that the index knows is `packet` or one before it. A file may go on inside a packet.
Result<bool> is_before(LibavDemuxer &demuxer, const FrameIndex &index, std::int64_t packet) {
    constexpr int most_unknown = 16;
    for (int n = 0; n < most_unknown; n++) {
        const AvPacket read = TRY(demuxer.read());
        if (!read)
            return false;
        if (const auto number = index.find_packet(read->pts))
            return *number <= packet;
    }
    return false;
}

/// Goes to the last of the starts, or to a packet before it. Files find presentation or decoding times, and some find
/// packets that are near.
Result<void> go_to_last(LibavDemuxer &demuxer, const FrameIndex &index, Starts starts) {
    const FrameIndex::Start &goal = starts.back();
    std::vector<std::int64_t> times{goal.pts};
    if (goal.dts != AV_NOPTS_VALUE)
        times.push_back(goal.dts);
    for (std::size_t back = 2; back <= std::min<std::size_t>(3, starts.size()); back++)
        times.push_back(starts[starts.size() - back].pts);
    for (const std::int64_t time : times)
        if (demuxer.seek(time) && TRY(is_before(demuxer, index, goal.packet)) && demuxer.seek(time))
            return {};
    return fail(ErrorCode::unsupported, "its key frames are not found");
}

} // namespace

Result<std::unique_ptr<LibavDecoder>> open_at_start(const std::string &path, const SourceOptions &options,
                                                    const FrameIndex &index, Starts starts) {
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path))));
    TRY(demuxer->choose(options.stream));
    if (starts.size() > 1)
        TRY(go_to_last(*demuxer, index, starts));
    return LibavDecoder::open(std::move(demuxer), options, FrameTrack(index, starts.back()));
}

} // namespace isovmaf
