// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/hardware_decoding.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file_io.hpp"
#include "base/hashes.hpp"
#include "base/try.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// Codecs whose specifications leave no bit of a picture to the decoder. Others, such as MPEG-2 and MPEG-4, leave the
/// rounding of the inverse transform to it.
constexpr std::array exact_codecs{AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1};

constexpr int compared_first = 8;                        ///< pictures at the beginning
constexpr int compared_later = 4;                        ///< pictures from a later key frame on
constexpr std::array later_places{1.0 / 3.0, 2.0 / 3.0}; ///< parts of the duration; the key frames before them

tl::unexpected<Error> cannot(std::string why) { return fail(ErrorCode::unsupported, std::move(why)); }

Result<void> check_video(const LibavDecoder &software, const AVFrame &first, const VideoFormat &format) {
    const AVStream &stream = software.demuxer().stream();
    const AVCodecID codec = stream.codecpar->codec_id;
    if (std::ranges::find(exact_codecs, codec) == exact_codecs.end())
        return cannot(
            fmt::format("only h264, hevc, vp9 and av1 are decoded by devices, and it is {}", avcodec_get_name(codec)));
    if (format.chroma != Chroma::k420 || (format.bit_depth != 8 && format.bit_depth != 10))
        return cannot(fmt::format("only 4:2:0 of 8 or 10 bit is decoded by devices, and it is {}",
                                  pixel_format_name(static_cast<AVPixelFormat>(first.format))));
    if (describe_colour(stream, first).interlaced())
        return cannot("it is interlaced");
    if (software.may_add_film_grain())
        return cannot("it has film grain");
    return {};
}

bool are_equal(const Plane &a, const Plane &b, std::size_t sample_bytes) {
    const std::size_t bytes = static_cast<std::size_t>(a.width) * sample_bytes;
    for (int y = 0; y < a.height; y++)
        if (std::memcmp(a.row<std::byte>(y), b.row<std::byte>(y), bytes) != 0)
            return false;
    return true;
}

bool are_equal(const Frame &a, const Frame &b) {
    for (int p = 0; p < a.format().plane_count(); p++)
        if (!are_equal(a.plane(p), b.plane(p), static_cast<std::size_t>(a.format().bytes_per_sample())))
            return false;
    return true;
}

/// In units of the stream; 0 when the file does not say it.
std::int64_t duration_of(const LibavDemuxer &demuxer) {
    const AVStream &stream = demuxer.stream();
    if (stream.duration != AV_NOPTS_VALUE)
        return stream.duration;
    const std::int64_t whole = demuxer.file().duration;
    return whole == AV_NOPTS_VALUE ? 0 : av_rescale_q(whole, AV_TIME_BASE_Q, stream.time_base);
}

/// Compares pictures of one video that software and a device decode.
class DecoderComparison {
  public:
    DecoderComparison(const LibavDemuxer &demuxer, const SourceOptions &options, DecodingDevice &device,
                      LibavFrameConverter converter)
        : demuxer_(demuxer), options_(options), device_(device), converter_(std::move(converter)) {}

    /// Returns how many pictures were compared.
    Result<int> run() {
        TRY(compare_from({}, compared_first));
        const AVStream &stream = demuxer_.stream();
        const std::int64_t start = stream.start_time == AV_NOPTS_VALUE ? 0 : stream.start_time;
        if (const std::int64_t duration = duration_of(demuxer_); duration > 0)
            for (const double place : later_places)
                TRY(compare_from(start + static_cast<std::int64_t>(place * static_cast<double>(duration)),
                                 compared_later));
        return compared_;
    }

  private:
    /// From the beginning, or from the key frame before `time`, if the file allows to go there.
    Result<void> compare_from(std::optional<std::int64_t> time, int count) {
        const auto hardware = TRY(device_.open());
        const auto software = TRY(open_again(demuxer_, options_, nullptr, time));
        const auto decoder = TRY(open_again(demuxer_, options_, hardware.get(), time));
        for (int n = 0; software && decoder && n < count; n++) {
            auto expected = software->next();
            if (!expected && time)
                return {}; // pictures that refer to what lies before the key frame
            AvFrame wanted = TRY(std::move(expected));
            const AvFrame found = TRY(decoder->next());
            if (!wanted || !found || wanted->pts != found->pts)
                return time || !(wanted || found) ? Result<void>() : differ(n, nullptr);
            TRY(check_device_picture(*decoder, *found, n));
            const Frame picture = TRY(hardware->take(*found, converter_.format()));
            const Frame fetched = TRY(device_.fetch(picture, picture.format().plane_count()));
            if (const std::int64_t pts = wanted->pts; !are_equal(converter_.convert(std::move(wanted)), fetched))
                return differ(n, time ? &pts : nullptr);
            compared_++;
        }
        return {};
    }

    /// The frame has a number, counted from the beginning, or a time.
    tl::unexpected<Error> differ(int number, const std::int64_t *pts) const {
        const std::string frame =
            pts ? fmt::format("the frame at {:.3f} s", static_cast<double>(*pts) * av_q2d(demuxer_.stream().time_base))
                : fmt::format("frame {}", number);
        return fail(ErrorCode::mismatch, fmt::format("{} of {} has other samples when {} decodes it than when software "
                                                     "does: score it with --hwaccel none",
                                                     frame, demuxer_.name(), device_.name()));
    }

    const LibavDemuxer &demuxer_;
    const SourceOptions &options_;
    DecodingDevice &device_;
    LibavFrameConverter converter_;
    int compared_ = 0;
};

/// What a file says: only a file that says all of it counts.
std::string text_of(const std::string &decoder) { return "same samples as software: " + decoder + "\n"; }

std::filesystem::path folder_of(const char *variable, const char *below) {
    const char *const value = std::getenv(variable);
    const std::filesystem::path folder = value ? value : "";
    return folder.is_absolute() ? folder / below : std::filesystem::path(); // XDG: a relative path is ignored
}

/// Remembers of which decoders the pictures had the samples of software. A file for each in a folder of the user; what
/// cannot be read or written is not remembered.
class DecoderVerdicts {
  public:
    explicit DecoderVerdicts(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The folder "isovmaf/decoders" in $XDG_CACHE_HOME, or in .cache of the home folder. Remembers nothing without
    /// both.
    [[nodiscard]] static DecoderVerdicts of_user();

    /// `decoder` names everything that decides what is decoded: device, driver, codec, profile, libraries.
    [[nodiscard]] bool knows(const std::string &decoder) const;
    void remember(const std::string &decoder) const;

  private:
    [[nodiscard]] std::filesystem::path file_of(const std::string &decoder) const;

    std::filesystem::path folder_; ///< empty: none
};

DecoderVerdicts DecoderVerdicts::of_user() {
    std::filesystem::path folder = folder_of("XDG_CACHE_HOME", "isovmaf/decoders");
    return DecoderVerdicts(folder.empty() ? folder_of("HOME", ".cache/isovmaf/decoders") : std::move(folder));
}

std::filesystem::path DecoderVerdicts::file_of(const std::string &decoder) const {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(decoder)));
    return folder_ / (std::move(hash).hex().substr(0, 32) + ".txt");
}

bool DecoderVerdicts::knows(const std::string &decoder) const {
    const std::string expected = text_of(decoder);
    std::string text;
    return !folder_.empty() && read_whole_file(file_of(decoder), text, expected.size()) == 0 && text == expected;
}

void DecoderVerdicts::remember(const std::string &decoder) const {
    std::error_code error;
    if (folder_.empty() || (std::filesystem::create_directories(folder_, error), error))
        return;
    const std::string file = file_of(decoder);
    std::string temporary = file + ".XXXXXX";
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return;
    PendingFile pending(descriptor, temporary);
    if (pending.write(text_of(decoder)) == 0)
        (void)pending.commit(file);
}

/// Everything that may decide what a device decodes.
std::string decoder_text(const LibavDecoder &software, const AVFrame &first, const DecodingDevice &device) {
    const AVCodecParameters &coded = *software.demuxer().stream().codecpar;
    const char *const profile = avcodec_profile_name(coded.codec_id, coded.profile);
    return fmt::format("{}, {} {}, {}, {}", device.name(), avcodec_get_name(coded.codec_id),
                       profile ? profile : std::to_string(coded.profile), shape_text(first), decoder_versions());
}

/// How the pictures were compared. Readers of one video that begin together wait for the first of them.
Result<std::string> compare(const LibavDecoder &software, const AVFrame &first, const SourceOptions &options,
                            DecodingDevice &device) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const DecoderVerdicts verdicts = DecoderVerdicts::of_user();
    const std::string decoder = decoder_text(software, first, device);
    if (verdicts.knows(decoder))
        return "equal to software in an earlier comparison";
    auto converter = TRY(LibavFrameConverter::create(first, software.demuxer().name()));
    const int pictures = TRY(DecoderComparison(software.demuxer(), options, device, std::move(converter)).run());
    verdicts.remember(decoder);
    return fmt::format("equal to software in {} pictures", pictures);
}

} // namespace

Result<void> check_device_picture(const LibavDecoder &decoder, const AVFrame &picture, std::int64_t number) {
    const char *const obstacle = is_interlaced(picture)                            ? "is interlaced"
                                 : decoder.may_add_film_grain()                    ? "has film grain"
                                 : picture.crop_left != 0 || picture.crop_top != 0 ? "is cropped at the left or top"
                                                                                   : nullptr;
    if (!obstacle)
        return {};
    return fail(ErrorCode::unavailable, fmt::format("frame {} of {} {}: score it with --hwaccel none", number,
                                                    decoder.demuxer().name(), obstacle));
}

Result<std::unique_ptr<LibavDecoder>> open_again(const LibavDemuxer &known, const SourceOptions &options,
                                                 HardwareDecoder *hardware, std::optional<std::int64_t> time) {
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(known.path()))));
    TRY(demuxer->choose(options.stream));
    if (time && !demuxer->seek(*time))
        return nullptr;
    if (!time)
        demuxer->look_at_times();
    return LibavDecoder::open(std::move(demuxer), options, {}, hardware);
}

Result<HardwareVideo> prepare_device(const LibavDecoder &software, const AVFrame &first, const VideoFormat &format,
                                     const SourceOptions &options, DecodingDevice &device) {
    TRY(check_video(software, first, format));
    HardwareVideo video;
    video.check = TRY(compare(software, first, options, device));
    video.hardware = TRY(device.open());
    return video;
}

} // namespace isovmaf
