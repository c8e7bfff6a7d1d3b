// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/list_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/try.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/raw/byte_reader.hpp"

namespace isovmaf {

namespace {

using InputFormat = decltype(av_find_input_format(nullptr)); // points to a constant since FFmpeg 5

constexpr std::string_view digest_start = "packets:";

/// Demuxers that open other files than the one that they are given, by the first of their names.
constexpr std::array<std::string_view, 6> list_formats{"avisynth", "concat", "dash", "hls", "imf", "vapoursynth"};

bool opens_other_files(const AVInputFormat &format) {
    const std::string_view names = format.name;
    return (format.flags & AVFMT_NOFILE) != 0 ||
           std::ranges::find(list_formats, names.substr(0, names.find(','))) != list_formats.end();
}

/// A demuxer that libav chooses by the name alone, before it opens the file: that of numbered pictures.
bool is_list_by_name(const std::string &url) {
    const AVProbeData name{url.c_str(), nullptr, 0, nullptr};
    int score = 0;
    const AVInputFormat *const format = av_probe_input_format3(&name, 0, &score);
    return format && score > AVPROBE_SCORE_RETRY && opens_other_files(*format);
}

/// A hash of numbers and of bytes, whose number stands in front of them.
class FieldHash {
  public:
    void add(std::initializer_list<std::int64_t> numbers) { hash_.add(std::as_bytes(std::span(numbers))); }

    void add(const std::uint8_t *bytes, std::size_t count) {
        add({static_cast<std::int64_t>(count)});
        hash_.add(std::as_bytes(std::span(bytes, count)));
    }

    [[nodiscard]] std::string hex() const { return hash_.hex(); }

  private:
    ContentHash hash_;
};

void add_side_data(std::span<const AVPacketSideData> all, FieldHash &hash) {
    hash.add({static_cast<std::int64_t>(all.size())});
    for (const AVPacketSideData &data : all) {
        hash.add({data.type});
        hash.add(data.data, data.size);
    }
}

std::span<const AVPacketSideData> side_data_of(const AVStream &stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    return {stream.codecpar->coded_side_data, static_cast<std::size_t>(stream.codecpar->nb_coded_side_data)};
#else
    return {stream.side_data, static_cast<std::size_t>(stream.nb_side_data)};
#endif
}

/// Adds all that the reader is told of a stream besides its packets.
void add_stream(const AVStream &stream, FieldHash &hash) {
    const AVCodecParameters &codec = *stream.codecpar;
    hash.add({codec.codec_id, codec.codec_tag, codec.format, codec.profile, codec.level, codec.width, codec.height,
              codec.field_order, codec.video_delay, codec.color_range, codec.color_primaries, codec.color_trc,
              codec.color_space, codec.chroma_location, stream.disposition});
    for (const AVRational &ratio : {codec.sample_aspect_ratio, stream.sample_aspect_ratio, stream.time_base,
                                    stream.avg_frame_rate, stream.r_frame_rate})
        hash.add({ratio.num, ratio.den});
    hash.add({stream.start_time, stream.duration, stream.nb_frames});
    hash.add(codec.extradata, static_cast<std::size_t>(codec.extradata_size));
    add_side_data(side_data_of(stream), hash);
}

void add_packet(const AVPacket &packet, FieldHash &hash) {
    hash.add({packet.pts, packet.dts, packet.duration, packet.flags});
    hash.add(packet.data, static_cast<std::size_t>(packet.size));
    add_side_data({packet.side_data, static_cast<std::size_t>(packet.side_data_elems)}, hash);
}

Result<std::unique_ptr<LibavDemuxer>> open_demuxer(const std::string &path) {
    if (is_url_or_pattern(path))
        return LibavDemuxer::open(path);
    return LibavDemuxer::open(TRY(ByteReader::open(path)));
}

} // namespace

bool is_list(AVIOContext &bytes, const std::string &url) {
    const LibavLog quiet;
    InputFormat format = nullptr;
    return is_list_by_name(url) ||
           (av_probe_input_buffer2(&bytes, &format, url.c_str(), nullptr, 0, 0) >= 0 && opens_other_files(*format));
}

Result<bool> is_list_file(const std::string &path) {
    TRY(load_libav());
    const std::string url = "file:" + path; // as LibavDemuxer opens it
    AVIOContext *bytes = nullptr;
    if (const int code = avio_open2(&bytes, url.c_str(), AVIO_FLAG_READ, nullptr, nullptr); code < 0)
        return fail(ErrorCode::io, fmt::format("cannot open {}: {}", display_name(path), libav_error_text(code)));
    const bool list = is_list(*bytes, url);
    avio_close(bytes);
    return list;
}

Result<std::string> digest_of_list(const std::string &path, const std::optional<StreamChoice> &stream,
                                   const std::function<bool()> &cancelled) {
    TRY(load_libav());
    const LibavLog quiet;
    const auto demuxer = TRY(open_demuxer(path));
    TRY(demuxer->choose(stream));
    FieldHash hash;
    add_stream(demuxer->stream(), hash);
    std::int64_t end_pts = AV_NOPTS_VALUE;
    bool damaged = false;
    for (;;) {
        if (cancelled())
            return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", demuxer->name()));
        const Result<AvPacket> packet = demuxer->read();
        damaged = !packet && origin_of(packet.error().code) == ErrorOrigin::input;
        if (!packet && !damaged)
            return tl::unexpected(packet.error());
        if (damaged || !*packet)
            break;
        add_packet(**packet, hash);
        end_pts = std::max(end_pts, demuxer->end_of(**packet));
    }
    hash.add({damaged, demuxer->truncated(), demuxer->ends_before_its_time(end_pts)});
    return fmt::format("{}{}", digest_start, hash.hex());
}

bool is_of_list(std::string_view digest) { return digest.starts_with(digest_start); }

} // namespace isovmaf
