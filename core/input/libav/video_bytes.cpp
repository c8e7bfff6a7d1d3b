// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/video_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/try.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/source.hpp"

namespace isovmaf {

namespace {

/// Bits per second of all packets of the chosen stream.
Result<std::optional<std::int64_t>> read_bit_rate(LibavDemuxer &demuxer) {
    std::int64_t bytes = 0;
    std::optional<std::int64_t> begin, end; ///< in units of the stream
    while (const AvPacket packet = TRY(demuxer.read())) {
        bytes += packet->size;
        if (packet->pts != AV_NOPTS_VALUE)
            begin = std::min(begin.value_or(packet->pts), packet->pts);
        if (const std::int64_t packet_end = demuxer.end_of(*packet); packet_end != AV_NOPTS_VALUE)
            end = std::max(end.value_or(packet_end), packet_end);
    }
    if (!begin || !end || *end <= *begin)
        return std::optional<std::int64_t>();
    const AVRational unit = demuxer.stream().time_base;
    const double seconds = static_cast<double>(*end - *begin) * unit.num / unit.den;
    return std::optional<std::int64_t>(std::llround(static_cast<double>(bytes) * 8 / seconds));
}

} // namespace

Result<std::optional<VideoBytes>> measure_video_bytes(const std::string &path, int stream, bool coded) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return std::optional<VideoBytes>();
    VideoBytes found{.file = static_cast<std::int64_t>(std::filesystem::file_size(path, error))};
    if (!coded)
        return std::optional(found);
    TRY(load_libav());
    const LibavLog quiet;
    const auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path))));
    TRY(demuxer->choose(StreamChoice{stream, true}));
    found.bit_rate = TRY(read_bit_rate(*demuxer));
    return std::optional(found);
}

} // namespace isovmaf
