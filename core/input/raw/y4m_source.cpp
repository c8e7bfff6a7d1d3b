// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/y4m_source.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/raw/planar_reader.hpp"
#include "input/raw/y4m_header.hpp"

namespace isovmaf {

namespace {

class Y4mSource final : public FrameSource {
  public:
    Y4mSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated, const LogSink &log)
        : reader_(std::move(reader)), info_(std::move(info)), truncated_(truncated), log_(log),
          planes_(*reader_, info_.format, truncated, log) {}

    const SourceInfo &info() const override { return info_; }

    Result<std::optional<Frame>> read() override {
        if (ended_)
            return std::nullopt;
        ended_ = true; // an error ends the reading as well
        const auto more = TRY(read_frame_header());
        if (!more)
            return std::nullopt;
        auto frame = planes_.read();
        ended_ = !frame || !*frame;
        return frame;
    }

    std::optional<double> seconds() const override { return info_.timing.seconds_of(planes_.frames_read() - 1); }
    void cancel() override { reader_->cancel(); }

  private:
    Result<bool> pass_over() override {
        if (ended_)
            return false;
        ended_ = true;
        const auto more = TRY(read_frame_header());
        if (!more)
            return false;
        const auto skipped = planes_.skip();
        ended_ = !skipped || !*skipped;
        return skipped;
    }

    /// False at the end of the video.
    Result<bool> read_frame_header() {
        const auto line = TRY(reader_->read_line(y4m_line_limit));
        const std::string_view text = line.text;
        const std::string_view word = text.substr(0, text.find(' '));
        if (line.ended && word == y4m_frame_magic)
            return true;
        if (line.ended || text.size() == y4m_line_limit || !may_begin_header(text))
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{}: \"{}\" stands where the header of frame {} should begin with {}",
                                    reader_->name(), printable(text), planes_.frames_read(), y4m_frame_magic));
        if (!text.empty())
            TRY(end_inside_header());
        return false;
    }

    Result<void> end_inside_header() {
        const std::string where =
            fmt::format("{} ends inside the header of frame {}", reader_->name(), planes_.frames_read());
        if (truncated_ == TruncatedEnd::error)
            return fail(ErrorCode::corrupt_data, where + "; check that the file is complete");
        warn(log_, fmt::format("{}; the {} whole frames before it are used", where, planes_.frames_read()));
        return {};
    }

    /// Whether `text`, which the end of the file cut short, is the beginning of a frame's header.
    static bool may_begin_header(std::string_view text) {
        const std::string_view word = text.substr(0, text.find(' '));
        return word == y4m_frame_magic || (word.size() == text.size() && y4m_frame_magic.starts_with(word));
    }

    std::unique_ptr<ByteReader> reader_;
    SourceInfo info_;
    TruncatedEnd truncated_;
    LogSink log_;
    PlanarReader planes_;
    bool ended_ = false;
};

} // namespace

Result<bool> looks_like_y4m(ByteReader &reader) {
    const auto head = TRY(reader.peek(y4m_magic.size()));
    return head.size() == y4m_magic.size() && std::memcmp(head.data(), y4m_magic.data(), y4m_magic.size()) == 0;
}

Result<std::unique_ptr<FrameSource>> open_y4m(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    const auto line = TRY(reader->read_line(y4m_line_limit));
    if (!line.ended)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}: the Y4M header does not end within {} bytes", reader->name(), line.text.size()));
    const Y4mHeader header = TRY(parse_y4m_header(line.text, reader->name()));
    const VideoFormat &format = header.format;

    SourceInfo info{format, reader->path(), "y4m", "rawvideo"};
    info.timing.average_rate = header.frame_rate;
    info.colour = header.colour;
    if (const auto bytes = reader->remaining()) {
        // A frame whose header has parameters is longer than this.
        const std::uint64_t frame_bytes = stored_frame_bytes(format) + y4m_frame_magic.size() + 1;
        if (*bytes < frame_bytes)
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} holds no whole frame: {} bytes follow its header, and a frame of {} takes {}",
                                    reader->name(), *bytes, format_text(format), frame_bytes));
        info.frame_count = static_cast<std::int64_t>(*bytes / frame_bytes);
    }
    return std::make_unique<Y4mSource>(std::move(reader), std::move(info),
                                       options.strict ? TruncatedEnd::error : TruncatedEnd::warning, options.log);
}

} // namespace isovmaf
