// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/raw_source.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/raw/planar_source.hpp"
#include "input/raw/word_check.hpp"

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

/// Looks at a few places of a regular file, and at the beginning of others, which was read when the format was looked
/// for. A pipe that the user says to be raw video is left alone: nobody may write to it yet.
Result<void> look_at_bytes(ByteReader &reader, const StatedFormat &stated, WordCheck &check) {
    constexpr std::uint64_t places = 8, window = std::uint64_t{1} << 14;
    const auto position = reader.file_position();
    if (!position) {
        if (!stated.headerless)
            check.add(TRY(reader.peek(static_cast<std::size_t>(
                std::min<std::uint64_t>(stored_frame_bytes(*stated.raw_format()), ByteReader::peek_limit)))));
        return {};
    }
    const std::uint64_t last = std::max(*reader.remaining(), window) - window;
    std::vector<std::byte> bytes(window);
    for (std::uint64_t n = 0; n < (last == 0 ? 1 : places); n++) {
        const std::uint64_t begin = last * n / (places - 1) / 2 * 2;
        const ssize_t got =
            pread(position->descriptor, bytes.data(), window, static_cast<off_t>(position->offset + begin));
        if (got > 0) // whoever reads the frames reports what cannot be read
            check.add({bytes.data(), static_cast<std::size_t>(got)});
    }
    return {};
}

/// Why samples of 8 bit seem to be read wrongly; empty where they do not.
Result<std::string> find_doubt(ByteReader &reader, const StatedFormat &stated) {
    if (*stated.bit_depth != 8)
        return "";
    WordCheck check;
    TRY(look_at_bytes(reader, stated, check));
    const std::optional<int> depth = check.depth_of_words();
    if (!depth)
        return "";
    StatedFormat other = stated;
    other.bit_depth = depth;
    return fmt::format(
        "{} is read as samples of 8 bit, but its bytes look like words of 16 bit, in which samples of {} "
        "bit are stored: check its bit depth (-b {}, or {} as --ref-format or --dis-format)",
        reader.name(), *depth, *depth, stated_format_text(other));
}

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
    info.sample_doubt = TRY(find_doubt(*reader, options.stated));
    return std::make_unique<RawSource>(std::move(reader), std::move(info),
                                       partial ? TruncatedEnd::warning : TruncatedEnd::error);
}

} // namespace isovmaf
