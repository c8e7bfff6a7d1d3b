// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/describe_file.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "base/try.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/raw/y4m_source.hpp"
#include "input/source.hpp"

namespace isovmaf {

namespace {

std::string kind_of(AVMediaType type) {
    const char *name = av_get_media_type_string(type);
    return name ? name : "data";
}

StreamDescription describe_stream(const AVFormatContext &file, unsigned number) {
    const AVStream &stream = *file.streams[number];
    StreamDescription description;
    description.number = static_cast<int>(number);
    description.kind = kind_of(stream.codecpar->codec_type);
    description.codec = avcodec_get_name(stream.codecpar->codec_id);
    description.is_default = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
    description.cover = is_cover(stream);
    description.timing = describe_timing(file, number);
    if (stream.codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
        return description;
    const std::vector<unsigned> videos = video_streams(file);
    description.video = static_cast<int>(std::ranges::find(videos, number) - videos.begin());
    description.width = stream.codecpar->width;
    description.height = stream.codecpar->height;
    description.pixels = pixel_format_name(static_cast<AVPixelFormat>(stream.codecpar->format));
    description.colour = describe_colour(stream);
    description.frame_count = stated_frames(stream, description.timing);
    return description;
}

FileDescription describe_source(const SourceInfo &info) {
    StreamDescription stream;
    stream.kind = "video";
    stream.codec = info.codec;
    stream.video = 0;
    stream.is_default = stream.chosen = true;
    stream.width = info.format.width;
    stream.height = info.format.height;
    const std::string pixels = planar_format_name(info.format);
    stream.pixels = pixels.empty() ? "unknown" : pixels;
    stream.colour = info.colour;
    stream.timing = info.timing;
    stream.frame_count = info.frame_count;
    return {info.name, info.container, {std::move(stream)}};
}

FileDescription describe_container(const LibavDemuxer &demuxer) {
    const AVFormatContext &file = demuxer.file();
    FileDescription description{demuxer.path(), demuxer.container(), {}};
    for (unsigned i = 0; i < file.nb_streams; i++)
        description.streams.push_back(describe_stream(file, i));
    if (const auto chosen = choose_video_stream(file, demuxer.path(), {}))
        description.streams[*chosen].chosen = true;
    return description;
}

/// Adds what the first picture of a stream tells: the rate, where the container states none, which packets may tell as
/// well, and whether decoders add film grain. A stream that cannot be decoded stays as it is.
void look_at_picture(std::unique_ptr<LibavDemuxer> demuxer, StreamDescription &stream) {
    if (!demuxer->choose(StreamChoice{stream.number, false}))
        return;
    const AVCodecID codec_id = demuxer->stream().codecpar->codec_id;
    const bool has_rate = stream.timing.average_rate.has_value(), may_have_grain = may_have_film_grain(codec_id);
    if (!may_have_grain)
        stream.film_grain = false;
    if (has_rate && !may_have_grain)
        return;
    if (!has_rate)
        demuxer->look_at_times();
    // A decoder that leaves grain out tells what it leaves out.
    const AVCodec *const codec = avcodec_find_decoder(codec_id);
    const bool tells_grain = may_have_grain && codec && check_leaves_grain_out(codec_id, codec->name, demuxer->path());
    const auto decoder = LibavDecoder::open(std::move(demuxer), {.film_grain = !tells_grain});
    if (!decoder || !(*decoder)->next())
        return;
    if (tells_grain)
        stream.film_grain = (*decoder)->has_film_grain();
    if (has_rate)
        return;
    stream.timing = (*decoder)->demuxer().timing();
    stream.frame_count = (*decoder)->demuxer().frame_count();
}

/// What LibavDemuxer::open takes: a path, or a reader of a file.
template <class File>
Result<FileDescription> open_and_describe(File file) {
    TRY(load_libav());
    const LibavLog quiet;
    auto demuxer = TRY(LibavDemuxer::open(std::move(file)));
    FileDescription description = describe_container(*demuxer);
    if (const auto chosen = std::ranges::find(description.streams, true, &StreamDescription::chosen);
        chosen != description.streams.end())
        look_at_picture(std::move(demuxer), *chosen);
    return description;
}

} // namespace

Result<FileDescription> describe_file(const std::string &path, const std::shared_ptr<PipeGroup> &pipes,
                                      const LogSink &log) try {
    if (is_url_or_pattern(path))
        return open_and_describe(path);
    auto reader = TRY(ByteReader::open(path, {}, pipes, log));
    TRY(reader->expect_bytes());
    const auto y4m = TRY(looks_like_y4m(*reader));
    if (y4m)
        return describe_source(TRY(open_y4m(std::move(reader), {}))->info());
    return open_and_describe(std::move(reader));
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory, "not enough memory to open " + path);
}

} // namespace isovmaf
