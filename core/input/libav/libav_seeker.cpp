// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_seeker.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/libav/libav_decoder.hpp"

namespace isovmaf {

Result<std::unique_ptr<LibavSeeker>> LibavSeeker::create(const std::string &path, const SourceOptions &options) {
    auto index = TRY(options.indexes->get(path, options));
    if (!index->obstacle().empty())
        return nullptr;
    return std::unique_ptr<LibavSeeker>(new LibavSeeker(path, options, std::move(index)));
}

Result<std::optional<LibavSeeker::SeekResult>> LibavSeeker::seek(std::int64_t from, std::int64_t frame,
                                                                 HardwareDecoder *hardware) {
    if (frame >= index_->frame_count() || index_->starts_for(frame).back().frame <= from)
        return std::nullopt;
    auto result = decode_frame(frame, hardware);
    if (result)
        return *std::move(result);
    const std::lock_guard lock(mutex_);
    if (cancelled_)
        return tl::unexpected(result.error());
    if (options_.log)
        options_.log(
            Severity::info,
            fmt::format("{} is decoded from its first frame, because decoding could not start near frame {}: {}",
                        display_name(path_), frame, result.error().message));
    return std::nullopt;
}

Result<LibavSeeker::SeekResult> LibavSeeker::decode_frame(std::int64_t frame, HardwareDecoder *hardware) {
    SeekResult result{TRY(open_at_start(path_, options_, *index_, index_->starts_for(frame), hardware)), {}};
    set_decoder(result.decoder.get());
    const auto decoded = decode_to(result, frame);
    set_decoder(nullptr);
    TRY(decoded);
    return result;
}

Result<void> LibavSeeker::decode_to(SeekResult &result, std::int64_t frame) {
    for (std::int64_t n = index_->starts_for(frame).back().frame; n <= frame; n++) {
        result.picture = TRY(result.decoder->next());
        if (!result.picture)
            return fail(ErrorCode::corrupt_data, fmt::format("it ends before frame {}", n));
    }
    return {};
}

void LibavSeeker::set_decoder(LibavDecoder *decoder) {
    const std::lock_guard lock(mutex_);
    decoder_ = decoder;
    if (decoder_ && cancelled_)
        decoder_->cancel();
}

void LibavSeeker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (decoder_)
        decoder_->cancel();
}

} // namespace isovmaf
