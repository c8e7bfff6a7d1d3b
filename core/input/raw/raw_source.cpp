// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/raw_source.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/raw/planar_source.hpp"

namespace isovmaf {

namespace {

class RawSource final : public PlanarSource {
  public:
    RawSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated)
        : PlanarSource(std::move(reader), std::move(info), truncated, "") {}

  private:
    Result<bool> begin_frame() override {
        const auto next = TRY(reader().peek(1));
        return !next.empty();
    }
};

} // namespace

Result<std::unique_ptr<FrameSource>> open_raw(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    const VideoFormat format = *options.stated.raw_format();
    if (const auto valid = validate_format(format); !valid)
        return fail(valid.error().code,
                    fmt::format("cannot read {} as raw video: {}", reader->name(), valid.error().message));
    SourceInfo info{format, reader->path(), "raw", "rawvideo"};
    info.timing.average_rate = options.stated.frame_rate;
    const bool partial = options.allow_partial && !options.strict;
    const std::uint64_t frame_bytes = stored_frame_bytes(format);
    if (const auto bytes = reader->remaining()) {
        if (*bytes < frame_bytes)
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} holds {} bytes, less than one raw frame of {} ({} bytes); check width, "
                                    "height, pixel format and bit depth",
                                    reader->name(), *bytes, format_text(format), frame_bytes));
        if (*bytes % frame_bytes != 0 && !partial)
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} holds {} bytes, which is no whole number of raw frames of {} ({} bytes each; "
                                    "{} remain after {} frames); check width, height, pixel format and bit depth, or "
                                    "use --allow-partial to leave the incomplete frame out{}",
                                    reader->name(), *bytes, format_text(format), frame_bytes, *bytes % frame_bytes,
                                    *bytes / frame_bytes, options.strict ? " (never with --strict)" : ""));
        info.frame_count = static_cast<std::int64_t>(*bytes / frame_bytes);
    }
    return std::make_unique<RawSource>(std::move(reader), std::move(info),
                                       partial ? TruncatedEnd::warning : TruncatedEnd::error);
}

} // namespace isovmaf
