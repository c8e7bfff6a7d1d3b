// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_source.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/try.hpp"
#include "frame/sample_range.hpp"
#include "frame/validate.hpp"
#include "input/convert/pixel_converter.hpp"
#include "input/libav/hardware_decoding.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_seeker.hpp"

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

/// Makes Frames of decoded pictures: without changing a sample, or by converting all of them.
using SampleReader = std::variant<LibavFrameConverter, PixelConverter>;

/// Whether a picture is like the first one, whose shape is `shape`.
bool accepts(const SampleReader &reader, const AVFrame &frame, const std::string &shape) {
    const auto *direct = std::get_if<LibavFrameConverter>(&reader);
    return direct ? direct->accepts(frame) : shape_text(frame) == shape;
}

Result<Frame> read_samples(SampleReader &reader, AvFrame frame) {
    if (auto *direct = std::get_if<LibavFrameConverter>(&reader))
        return direct->convert(std::move(frame));
    return std::get<PixelConverter>(reader).convert(*frame);
}

bool has_alpha(const AVFrame &frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    return format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
}

SourceInfo describe(const LibavDecoder &decoder, const SampleReader &reader, const AVFrame &first, bool adds_grain) {
    const LibavDemuxer &demuxer = decoder.demuxer();
    SourceInfo info{{}, demuxer.path(), demuxer.container(), decoder.codec(), demuxer.frame_count(), demuxer.timing()};
    info.colour = describe_colour(demuxer.stream(), first);
    info.stored_pixels = pixel_format_name(static_cast<AVPixelFormat>(first.format));
    if (decoder.has_film_grain().value_or(false))
        info.film_grain = adds_grain ? film_grain_applied : film_grain_left_out;
    count_streams(demuxer.file(), demuxer.stream(), info);
    if (has_alpha(first))
        info.conversions.push_back({"alpha dropped", ""});
    const auto *converter = std::get_if<PixelConverter>(&reader);
    if (!converter) {
        info.format = std::get<LibavFrameConverter>(reader).format();
        if (const std::string planar = planar_format_name(info.format);
            planar != info.stored_pixels && !info.stored_pixels.starts_with("yuvj")) // yuvj: full range, as planar
            info.planar_filter = "format=" + planar;
        return info;
    }
    info.format = converter->target().format;
    info.conversions.push_back(converter->conversion());
    if (!converter->target().matrix.empty()) {
        info.colour.matrix = converter->target().matrix;
        info.matrix_assumed = converter->target().matrix_assumed;
        info.colour.range = converter->target().range;
    }
    return info;
}

/// Fails when the pictures can neither be read as they are nor be converted.
Result<SampleReader> make_reader(const LibavDecoder &decoder, const AVFrame &first) {
    const std::string name = decoder.demuxer().name();
    const std::string range = describe_colour(decoder.demuxer().stream(), first).range;
    if (!pixel_layout(static_cast<AVPixelFormat>(first.format)))
        if (const auto target = PixelConverter::default_target(first, range)) {
            TRY(validate_format(target->format));
            return TRY(PixelConverter::create(first, range, *target, name));
        }
    return TRY(LibavFrameConverter::create(first, name));
}

/// What a device gave. libavcodec has the same errors for a video that is damaged and for a device that failed, so none
/// is put down to the video.
template <class T>
Result<T> of_device(Result<T> result) {
    if (!result && origin_of(result.error().code) == ErrorOrigin::input)
        return fail(ErrorCode::unavailable,
                    fmt::format("{}; a device decoded it: --hwaccel none tells whether the video is at fault",
                                result.error().message));
    return result;
}

class LibavSource final : public FrameSource {
  public:
    /// `first` is the first picture that came from the decoder. `seeker` may be null. `reopenable`: the file can be
    /// opened again by its path.
    LibavSource(std::unique_ptr<LibavDecoder> decoder, SampleReader reader, AvFrame first,
                std::unique_ptr<LibavSeeker> seeker, const SourceOptions &options, bool reopenable)
        : options_(options), reopenable_(reopenable), seeker_(std::move(seeker)), decoder_(std::move(decoder)),
          reader_(std::move(reader)), next_(std::move(first)), shape_(shape_text(*next_)),
          began_(describe_colour(decoder_->demuxer().stream(), *next_)),
          info_(describe(*decoder_, reader_, *next_, options.film_grain)) {}

    const SourceInfo &info() const override { return info_; }
    ColourChangeHandle change() const override { return change_; }

    Result<std::optional<Frame>> read() override try {
        look_for_index();
        if (hardware_ && in_software_ && frames_read_ > 0)
            TRY(of_device(begin_on_device()));
        if (hardware_ && !in_software_)
            return of_device(read_device());
        AvFrame decoded = TRY(next_ ? std::move(next_) : decoder_->next());
        if (!decoded)
            return std::nullopt;
        if (!accepts(reader_, *decoded, shape_))
            return fail(ErrorCode::unsupported,
                        fmt::format("frame {} of {} is {}, but the video began as {}; videos that change their "
                                    "format midway are not scored",
                                    frames_read_, decoder_->demuxer().name(), shape_text(*decoded), shape_));
        const std::optional<double> seconds = decoder_->seconds();
        note_change(*decoded);
        Frame frame = TRY(convert(std::move(decoded)));
        TRY(check_samples(frame, decoder_->demuxer().name(), frames_read_));
        frame.set_samples_checked();
        frames_read_++;
        frame.set_seconds(seconds);
        return frame;
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory,
                    fmt::format("not enough memory to decode {}", decoder_->demuxer().name()));
    }

    Result<std::int64_t> skip(std::int64_t count) override {
        const std::int64_t frame = frames_read_ + count;
        if (!seeker_ || seeker_->start_for(frame) <= frames_read_)
            return FrameSource::skip(count);
        return count - TRY(seek(frame));
    }

    bool can_go_to() const override {
        const std::lock_guard lock(mutex_);
        return seeker_ != nullptr;
    }

    Result<bool> go_to(std::int64_t frame) override {
        const bool is_near = seeker_->start_for(frame) <= frames_read_ && frames_read_ <= frame;
        return (is_near ? frame - frames_read_ - TRY(skip(frame - frames_read_)) : TRY(seek(frame))) == 0;
    }

    std::string end_warning() const override { return decoder_->end_warning(); }
    double conversion_seconds() const override { return converting_.get(); }

    std::optional<ConversionTarget> conversion() const override {
        const auto *converter = std::get_if<PixelConverter>(&reader_);
        return converter ? std::optional(converter->target()) : std::nullopt;
    }

    Result<void> convert_to(const ConversionTarget &target) override {
        const std::string range = describe_colour(decoder_->demuxer().stream(), *next_).range;
        reader_.emplace<PixelConverter>(TRY(PixelConverter::create(*next_, range, target, decoder_->demuxer().name())));
        info_ = describe(*decoder_, reader_, *next_, options_.film_grain);
        return {};
    }

    Result<void> prepare(const FrameNeeds &needs) override try {
        if (!needs.decoding.device)
            return {};
        if (const Result<void> done = decode_on(*needs.decoding.device); !done)
            return without_device(done.error(), needs.decoding);
        return {};
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory,
                    fmt::format("not enough memory to decode {}", decoder_->demuxer().name()));
    }

    void cancel() override {
        const std::lock_guard lock(mutex_);
        cancelled_ = true;
        if (seeker_)
            seeker_->cancel();
        decoder_->cancel();
    }

  private:
    Result<Frame> convert(AvFrame decoded) {
        if (std::holds_alternative<LibavFrameConverter>(reader_)) // describes the picture, and changes no sample
            return read_samples(reader_, std::move(decoded));
        const SharedStageClock clock(converting_);
        return read_samples(reader_, std::move(decoded));
    }

    /// Compares what a picture says about its colours with what the first one said. R'G'B' has the range and the matrix
    /// that it is converted to.
    void note_change(const AVFrame &picture) {
        ColourDescription colour = describe_colour(decoder_->demuxer().stream(), picture, began_);
        if (const auto *converter = std::get_if<PixelConverter>(&reader_);
            converter && !converter->target().matrix.empty()) {
            colour.matrix = info_.colour.matrix;
            colour.range = info_.colour.range;
        }
        if (colour == info_.colour)
            change_ = nullptr;
        else if (!change_ || change_->colour != colour)
            change_ = std::make_shared<ColourChange>(ColourChange{std::move(colour)});
    }

    /// See SourceOptions::index_later.
    void look_for_index() {
        if (seeker_ || !options_.index_later || !reopenable_)
            return;
        std::unique_ptr<LibavSeeker> found = LibavSeeker::find(decoder_->demuxer().path(), options_);
        if (!found)
            return;
        found->lead(*decoder_);
        const std::lock_guard lock(mutex_);
        seeker_ = std::move(found);
        if (cancelled_)
            seeker_->cancel();
    }

    /// With a seeker the first frame stays that of software, and the device's decoder is opened where the frames behind
    /// it are wanted: a reader of a part wants the time of the first frame, and then one far behind.
    Result<void> decode_on(DecodingDevice &device) {
        if (std::holds_alternative<PixelConverter>(reader_))
            return fail(ErrorCode::unsupported, "its samples are converted in host memory");
        if (!reopenable_)
            return fail(ErrorCode::unsupported, "it is no file that can be opened again");
        HardwareVideo video = TRY(prepare_device(*decoder_, *next_, info_.format, options_, device));
        if (!seeker_) {
            auto decoder = TRY(open_again(decoder_->demuxer(), options_, video.hardware.get()));
            AvFrame first = TRY(decoder->next());
            if (!first)
                return fail(ErrorCode::unsupported, "the device gives no picture of it");
            TRY(check_device_picture(*decoder, *first, 0));
            replace_decoder(decoder);
            next_ = std::move(first);
        }
        in_software_ = seeker_ != nullptr;
        hardware_ = std::move(video.hardware);
        info_.decoder = fmt::format("{}; {}", device.name(), video.check);
        return {};
    }

    /// What a device cannot decode is decoded by the CPU unless the device is required. Samples that differ are always
    /// an error.
    Result<void> without_device(const Error &why, const Decoding &decoding) const {
        const std::string name = decoder_->demuxer().name();
        if (why.code == ErrorCode::mismatch)
            return fail(ErrorCode::device_failed, why.message);
        if (decoding.required)
            return fail(may_blame_device(why.code) ? why.code : ErrorCode::unavailable,
                        fmt::format("{} cannot decode {}: {}", decoding.device->name(), name, why.message));
        if (decoding.log)
            decoding.log(Severity::info, fmt::format("{} is decoded by the CPU: {}", name, why.message));
        return {};
    }

    /// Goes to a frame by the key frame before it. Returns how many frames the video has too few.
    Result<std::int64_t> seek(std::int64_t frame) {
        const std::int64_t known = std::min(frame, seeker_->frame_count() - 1), missing = TRY(seek_known(known));
        const std::int64_t behind = frame - known;
        return missing + behind - (behind > 0 ? TRY(FrameSource::skip(behind)) : 0);
    }

    /// The same for a frame of the index.
    Result<std::int64_t> seek_known(std::int64_t frame) {
        const bool waits_for_device = hardware_ && in_software_;
        auto found = seeker_->seek(frame, waits_for_device ? nullptr : decoder_.get(), hardware_.get());
        auto place = TRY(hardware_ ? of_device(std::move(found)) : std::move(found));
        in_software_ = false;
        if (!place) { // the decoder may be anywhere
            auto decoder = TRY(seeker_->begin(hardware_.get()));
            replace_decoder(decoder);
            next_.reset();
            frames_read_ = 0;
            return frame - TRY(FrameSource::skip(frame));
        }
        if (place->decoder)
            replace_decoder(place->decoder);
        next_ = std::move(place->picture);
        frames_read_ = frame;
        return 0;
    }

    /// The device decodes from the next frame on, and no frame was skipped to.
    Result<void> begin_on_device() {
        auto decoder = TRY(seeker_->begin(hardware_.get()));
        for (std::int64_t n = 0; n < frames_read_; n++)
            TRY(decoder->next());
        replace_decoder(decoder);
        in_software_ = false;
        return {};
    }

    Result<std::optional<Frame>> read_device() {
        const AvFrame decoded = TRY(next_ ? std::move(next_) : decoder_->next());
        if (!decoded)
            return std::nullopt;
        TRY(check_device_picture(*decoder_, *decoded, frames_read_));
        note_change(*decoded);
        Frame frame = TRY(hardware_->take(*decoded, info_.format));
        frame.set_samples_checked();
        frames_read_++;
        frame.set_seconds(decoder_->seconds());
        return frame;
    }

    /// `other` becomes the decoder, and the old one is left there.
    void replace_decoder(std::unique_ptr<LibavDecoder> &other) {
        const std::lock_guard lock(mutex_);
        std::swap(decoder_, other);
        if (cancelled_)
            decoder_->cancel();
    }

    const SourceOptions options_;
    const bool reopenable_;
    std::unique_ptr<HardwareDecoder> hardware_; ///< null: software decodes; outlives the decoder
    bool in_software_ = false;                  ///< `decoder_` is still that of software, and `hardware_` waits
    mutable std::mutex mutex_;                  ///< of the pointers `seeker_` and `decoder_` and of `cancelled_`
    std::unique_ptr<LibavSeeker> seeker_;       ///< outlives the decoder, which looks at its index; set by who reads
    std::unique_ptr<LibavDecoder> decoder_;     ///< changed by the thread that reads
    bool cancelled_ = false;
    SampleReader reader_;
    SharedSeconds converting_; ///< samples
    AvFrame next_;             ///< when it was decoded already
    std::string shape_;
    ColourDescription began_; ///< what the first picture says
    SourceInfo info_;
    ColourChangeHandle change_;
    std::int64_t frames_read_ = 0;
};

Result<std::unique_ptr<FrameSource>> open_stream(std::unique_ptr<LibavDemuxer> demuxer, const SourceOptions &options,
                                                 bool reopenable, std::unique_ptr<LibavSeeker> seeker = {}) {
    TRY(demuxer->choose(options.stream));
    demuxer->look_at_times();
    auto decoder = TRY(
        LibavDecoder::open(std::move(demuxer), options, seeker ? std::optional(seeker->first_frame()) : std::nullopt));
    // Not every container states the pixel format, so the first picture is decoded.
    auto first = TRY(decoder->next());
    if (!first)
        return fail(ErrorCode::corrupt_data, fmt::format("{} ({}) holds no frame that can be decoded",
                                                         decoder->demuxer().name(), decoder->codec()));
    auto reader = TRY(make_reader(*decoder, *first));
    return std::make_unique<LibavSource>(std::move(decoder), std::move(reader), std::move(first), std::move(seeker),
                                         options, reopenable);
}

} // namespace

Result<std::unique_ptr<FrameSource>> open_libav(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    TRY(load_libav());
    const LibavLog quiet; // libav logs while it opens a file, too
    const bool reopenable = reader->is_reopenable();
    auto seeker = options.indexes && !options.index_later && reopenable
                      ? TRY(LibavSeeker::create(reader->path(), options))
                      : nullptr;
    return open_stream(TRY(LibavDemuxer::open(std::move(reader))), options, reopenable, std::move(seeker));
}

Result<std::unique_ptr<FrameSource>> open_libav(const std::string &path, const SourceOptions &options) {
    TRY(load_libav());
    const LibavLog quiet;
    return open_stream(TRY(LibavDemuxer::open(path)), options, false);
}

} // namespace isovmaf
