// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav_source.hpp"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/libav_colour.hpp"
#include "input/libav_decoder.hpp"
#include "input/libav_frame.hpp"
#include "input/planar_reader.hpp"

namespace isovmaf {

namespace {

void count_streams(const AVFormatContext &file, const AVStream &chosen, SourceInfo &info) {
    info.video_streams = 0;
    const std::vector<unsigned> videos = video_streams(file);
    for (std::size_t i = 0; i < videos.size(); i++) {
        const AVStream &stream = *file.streams[videos[i]];
        if (&stream == &chosen)
            info.stream = static_cast<int>(i);
        if (!is_cover(stream))
            info.video_streams++;
    }
}

class LibavSource final : public FrameSource {
  public:
    /// `first` is the first picture that came from the decoder.
    LibavSource(std::unique_ptr<LibavDecoder> decoder, LibavFrameConverter converter, AvFrame first)
        : decoder_(std::move(decoder)), converter_(std::move(converter)), first_(std::move(first)),
          shape_(shape_text(*first_)), info_(describe()) {}

    const SourceInfo &info() const override { return info_; }

    Result<std::optional<Frame>> read() override try {
        AvFrame decoded = TRY(first_ ? std::move(first_) : decoder_->next());
        if (!decoded)
            return std::nullopt;
        if (!converter_.accepts(*decoded))
            return fail(ErrorCode::unsupported,
                        fmt::format("frame {} of {} is {}, but the video began as {}; videos that change their "
                                    "format midway are not scored",
                                    frames_read_, decoder_->demuxer().name(), shape_text(*decoded), shape_));
        seconds_ = seconds_of(*decoded);
        Frame frame = converter_.convert(std::move(decoded));
        TRY(check_samples(frame, decoder_->demuxer().name(), frames_read_));
        frames_read_++;
        return frame;
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory,
                    fmt::format("not enough memory to decode {}", decoder_->demuxer().name()));
    }

    std::optional<double> seconds() const override { return seconds_; }
    void cancel() override { decoder_->cancel(); }

  private:
    SourceInfo describe() const {
        const LibavDemuxer &demuxer = decoder_->demuxer();
        SourceInfo info{converter_.format(), demuxer.path(),        demuxer.container(),
                        decoder_->codec(),   demuxer.frame_count(), demuxer.timing()};
        info.colour = describe_colour(demuxer.stream(), *first_);
        info.stored_pixels = pixel_format_name(static_cast<AVPixelFormat>(first_->format));
        count_streams(demuxer.file(), demuxer.stream(), info);
        return info;
    }

    std::optional<double> seconds_of(const AVFrame &frame) const {
        if (frame.best_effort_timestamp == AV_NOPTS_VALUE)
            return std::nullopt;
        return static_cast<double>(frame.best_effort_timestamp) * av_q2d(decoder_->demuxer().stream().time_base);
    }

    std::unique_ptr<LibavDecoder> decoder_;
    LibavFrameConverter converter_;
    AvFrame first_;
    std::string shape_;
    SourceInfo info_;
    std::int64_t frames_read_ = 0;
    std::optional<double> seconds_; ///< of the frame that was read last
};

} // namespace

Result<std::unique_ptr<FrameSource>> open_libav(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    const LibavLog quiet; // libav logs while it opens a file, too
    auto demuxer = TRY(LibavDemuxer::open(std::move(reader)));
    TRY(demuxer->choose(options.stream));
    auto decoder = TRY(LibavDecoder::open(std::move(demuxer), options));
    // Not every container states the pixel format, so the first picture is decoded.
    auto first = TRY(decoder->next());
    const std::string name = decoder->demuxer().name();
    if (!first)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} ({}) holds no frame that can be decoded", name, decoder->codec()));
    auto converter = TRY(LibavFrameConverter::create(*first, name));
    return std::make_unique<LibavSource>(std::move(decoder), std::move(converter), std::move(first));
}

} // namespace isovmaf
