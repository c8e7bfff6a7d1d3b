// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_functions.hpp"
#include "input/source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_source.hpp"
#include "input/raw/byte_reader.hpp"
#include "input/raw/planar_reader.hpp"
#include "input/raw/raw_source.hpp"
#include "input/raw/y4m_source.hpp"

namespace isovmaf {

namespace {

/// Whether a demuxer is for the bare stream of an audio codec: libav gives it the codec's name. Such streams begin like
/// many other bytes; flat raw pictures of some values pass for gsm.
bool is_audio_stream(const AVInputFormat &format) {
    const AVCodecDescriptor *codec = avcodec_descriptor_get_by_name(format.name);
    return codec && codec->type == AVMEDIA_TYPE_AUDIO;
}

/// Whether a demuxer is for pictures, of which a file or a pipe has one or some. Their signatures have few bytes: raw
/// video may begin like them.
bool is_picture(const AVInputFormat &format) {
    const std::string_view name = format.name;
    return name.ends_with("_pipe") || name == "gif" || name == "apng" || name == "jpegxl_anim" || name == "ico";
}

/// Whether `head`, the first bytes of a file, are those of a file that libavformat knows: a container, a stream of a
/// codec, or a picture. Raw video has no such beginning, save by rare chance.
bool begins_like_known_video(std::span<const std::byte> head) {
    std::vector<std::uint8_t> padded(head.size() + AVPROBE_PADDING_SIZE);
    for (std::size_t i = 0; i < head.size(); i++)
        padded[i] = static_cast<std::uint8_t>(head[i]);
    AVProbeData data{"", padded.data(), static_cast<int>(head.size()), nullptr};
    // Any bytes get a low score from some demuxer. A name without an extension scores nothing.
    int score = 0;
    const AVInputFormat *format = av_probe_input_format3(&data, 1, &score);
    return format && score > AVPROBE_SCORE_EXTENSION && !is_audio_stream(*format) && !is_picture(*format);
}

/// Whether the file is raw video in the stated format: see ADR 38. For a pipe this waits for at most one frame of it.
Result<bool> is_raw(ByteReader &reader, const StatedFormat &stated) {
    const auto format = stated.raw_format();
    if (!format)
        return false;
    if (stated.headerless || !validate_format(*format))
        return true;
    const std::uint64_t frame_bytes = stored_frame_bytes(*format);
    if (const auto bytes = reader.remaining(); bytes && *bytes % frame_bytes == 0)
        return true;
    const auto y4m = TRY(looks_like_y4m(reader));
    if (y4m)
        return false;
    const auto head =
        TRY(reader.peek(static_cast<std::size_t>(std::min<std::uint64_t>(frame_bytes, ByteReader::peek_limit))));
    TRY(load_libav());
    return !begins_like_known_video(head);
}

/// Opens a file with libav. Where that fails, the error names what an incomplete statement about raw video lacks.
Result<std::unique_ptr<FrameSource>> open_container(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    auto source = open_libav(std::move(reader), options);
    if (!source && source.error().code == ErrorCode::corrupt_data && !options.stated.empty() &&
        !options.stated.raw_format())
        source.error().message += "; missing: " + options.stated.missing();
    return source;
}

template <class Body>
auto without_exceptions(const FrameSource &source, const Body &body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory, "not enough memory to read " + source.info().name);
    } catch (const std::exception &error) {
        return fail(ErrorCode::internal, fmt::format("reading {} failed: {}", source.info().name, error.what()));
    }
}

} // namespace

Result<StreamChoice> parse_stream_choice(std::string_view text) {
    StreamChoice choice;
    choice.among_video = text.starts_with("v:");
    const auto number = parse_integer(choice.among_video ? text.substr(2) : text);
    if (!number || *number < 0 || *number > 9999)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" names no stream: v:1 is the second video stream, 3 the fourth stream", text));
    choice.number = static_cast<int>(*number);
    return choice;
}

std::string stream_choice_text(const StreamChoice &choice) {
    return fmt::format("{}{}", choice.among_video ? "v:" : "", choice.number);
}

Result<std::int64_t> FrameSource::skip(std::int64_t count) {
    std::int64_t passed = 0;
    while (passed < count && TRY(pass_over()))
        passed++;
    return passed;
}

Result<bool> FrameSource::pass_over() { return TRY(read()).has_value(); }

Result<bool> FrameSource::go_to(std::int64_t /*frame*/) {
    return fail(ErrorCode::internal, fmt::format("{} is read from its start on", display_name(info().name)));
}

Result<void> FrameSource::prepare(const FrameNeeds &needs) {
    if (!needs.decoding.device || !needs.decoding.required || info().codec == "rawvideo")
        return {};
    return fail(ErrorCode::unsupported,
                fmt::format("{} cannot be decoded by {}: its pictures are converted in host memory; leave --hwaccel "
                            "out",
                            display_name(info().name), needs.decoding.device->name()));
}

Result<void> FrameSource::convert_to(const ConversionTarget & /*target*/) {
    return fail(ErrorCode::internal, fmt::format("{} needs no conversion", display_name(info().name)));
}

Result<std::unique_ptr<FrameSource>> open_source(const std::string &path, const SourceOptions &options) try {
    if (is_url_or_pattern(path)) {
        auto source = TRY(open_libav(path, options));
        TRY(check_stated(options.stated, source->info()));
        return source;
    }
    auto reader = TRY(ByteReader::open(path, options.content, options.pipes, options.log));
    TRY(reader->expect_bytes());
    if (options.stated.headerless && !options.stated.raw_format())
        return fail(ErrorCode::invalid_argument, fmt::format("cannot read {} as raw video without its {}",
                                                             reader->name(), options.stated.missing()));
    const bool raw = TRY(is_raw(*reader, options.stated));
    if (raw)
        return open_raw(std::move(reader), options);
    const auto y4m = TRY(looks_like_y4m(*reader));
    auto source = y4m ? open_y4m(std::move(reader), options) : open_container(std::move(reader), options);
    if (source)
        TRY(check_stated(options.stated, (*source)->info()));
    return source;
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory, "not enough memory to open " + path);
}

Result<std::optional<Frame>> read_frame(FrameSource &source) noexcept {
    return without_exceptions(source, [&] { return source.read(); });
}

Result<bool> go_to_frame(FrameSource &source, std::int64_t frame) noexcept {
    return without_exceptions(source, [&] { return source.go_to(frame); });
}

Result<std::int64_t> skip_frames(FrameSource &source, std::int64_t count) noexcept {
    return without_exceptions(source, [&] { return source.skip(count); });
}

} // namespace isovmaf
