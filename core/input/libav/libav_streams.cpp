// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_streams.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/stated_rate.hpp"

namespace isovmaf {

namespace {

bool is_video(const AVStream &stream) { return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO; }

/// The weights are those of ffmpeg's own choice.
std::int64_t preference(const AVStream &stream) {
    const std::int64_t pixels = std::int64_t{stream.codecpar->width} * stream.codecpar->height;
    const bool has_packets = (stream.event_flags & AVSTREAM_EVENT_FLAG_NEW_PACKETS) != 0;
    const bool is_default = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
    return pixels + (has_packets ? 100'000'000 : 0) + (is_default ? 5'000'000 : 0);
}

/// "v:0 h264 1920x1080, v:1 mjpeg 600x600 (cover)"
std::string list_text(const AVFormatContext &file) {
    std::vector<std::string> parts;
    for (const unsigned index : video_streams(file)) {
        const AVStream &stream = *file.streams[index];
        parts.push_back(fmt::format("v:{} {} {}x{}{}", parts.size(), avcodec_get_name(stream.codecpar->codec_id),
                                    stream.codecpar->width, stream.codecpar->height,
                                    is_cover(stream) ? " (cover)" : ""));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<unsigned> find_chosen(const AVFormatContext &file, const std::string &name, const StreamChoice &choice) {
    const std::vector<unsigned> videos = video_streams(file);
    const auto number = static_cast<unsigned>(choice.number);
    if (choice.among_video && number < videos.size())
        return videos[number];
    if (!choice.among_video && number < file.nb_streams && is_video(*file.streams[number]))
        return number;
    return fail(ErrorCode::not_found,
                fmt::format("{} ({}) has no video stream {}; it has {}", name, file.iformat->name,
                            stream_choice_text(choice), videos.empty() ? "no video stream at all" : list_text(file)));
}

} // namespace

bool is_cover(const AVStream &stream) { return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0; }

std::vector<unsigned> video_streams(const AVFormatContext &file) {
    std::vector<unsigned> found;
    for (unsigned i = 0; i < file.nb_streams; i++)
        if (is_video(*file.streams[i]))
            found.push_back(i);
    return found;
}

std::optional<double> own_duration(const AVFormatContext &file, const AVStream &stream) {
    if (stream.duration != AV_NOPTS_VALUE)
        return static_cast<double>(stream.duration) * av_q2d(stream.time_base);
    const AVDictionaryEntry *tag = av_dict_get(stream.metadata, "DURATION", nullptr, 0);
    std::int64_t microseconds = 0;
    if (!tag || av_parse_time(&microseconds, tag->value, 1) < 0 || microseconds <= 0)
        return std::nullopt;
    if (file.duration != AV_NOPTS_VALUE) // programs that cut a file may keep the tags of the whole one
        microseconds = std::min(microseconds, file.duration);
    return static_cast<double>(microseconds) / AV_TIME_BASE;
}

SourceTiming describe_timing(const AVFormatContext &file, unsigned stream) {
    if (!states_times(file))
        return {};
    const AVStream &video = *file.streams[stream];
    const auto ratio = [](AVRational from) {
        return from.num > 0 && from.den > 0 ? std::optional(Rational{from.num, from.den}) : std::nullopt;
    };
    SourceTiming timing{ratio(video.avg_frame_rate), ratio(video.r_frame_rate), ratio(video.time_base), {}, {}};
    if (video.start_time != AV_NOPTS_VALUE)
        timing.start_seconds = static_cast<double>(video.start_time) * av_q2d(video.time_base);
    if (file.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) // a guess
        return timing;
    timing.duration_seconds = own_duration(file, video);
    if (!timing.duration_seconds && file.duration != AV_NOPTS_VALUE)
        timing.duration_seconds = static_cast<double>(file.duration) / AV_TIME_BASE;
    return timing;
}

std::optional<std::int64_t> stated_frames(const AVStream &stream, const SourceTiming &timing) {
    if (stream.nb_frames > 0)
        return stream.nb_frames;
    if (!timing.duration_seconds || !timing.average_rate)
        return std::nullopt;
    const double frames = std::round(*timing.duration_seconds * timing.average_rate->value());
    // Damaged headers give durations of centuries.
    return frames >= 1 && frames < 1e12 ? std::optional(static_cast<std::int64_t>(frames)) : std::nullopt;
}

Result<unsigned> choose_video_stream(const AVFormatContext &file, const std::string &name,
                                     const std::optional<StreamChoice> &choice) {
    if (choice)
        return find_chosen(file, name, *choice);
    const std::vector<unsigned> videos = video_streams(file);
    std::optional<unsigned> best;
    for (const unsigned index : videos)
        if (!is_cover(*file.streams[index]) &&
            (!best || preference(*file.streams[index]) > preference(*file.streams[*best])))
            best = index;
    if (best)
        return *best;
    if (videos.empty())
        return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no video stream", name, file.iformat->name));
    return fail(ErrorCode::unsupported,
                fmt::format("{} ({}) has no video stream, only a cover picture ({}); to score the cover, name it with "
                            "--ref-stream v:0 or --dis-stream v:0",
                            name, file.iformat->name, list_text(file)));
}

} // namespace isovmaf
