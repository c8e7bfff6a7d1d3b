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

std::unique_ptr<LibavSeeker> LibavSeeker::find(const std::string &path, const SourceOptions &options) {
    auto index = options.indexes->find(path, options);
    if (!index || !index->obstacle().empty())
        return nullptr;
    return std::unique_ptr<LibavSeeker>(new LibavSeeker(path, options, std::move(index)));
}

Result<std::optional<LibavSeeker::SeekResult>> LibavSeeker::seek(std::int64_t frame, LibavDecoder *reused,
                                                                 HardwareDecoder *hardware) {
    auto result = decode_frame(frame, reused, hardware);
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

Result<LibavSeeker::SeekResult> LibavSeeker::decode_frame(std::int64_t frame, LibavDecoder *reused,
                                                          HardwareDecoder *hardware) {
    SeekResult result;
    if (reused)
        TRY(reused->restart(*index_, index_->starts_for(frame)));
    else
        result.decoder = TRY(open_at_start(path_, options_, *index_, index_->starts_for(frame), hardware));
    LibavDecoder *const decoder = reused ? reused : result.decoder.get();
    set_decoder(decoder);
    Result<AvFrame> picture = decode_to(*decoder, frame);
    set_decoder(nullptr);
    result.picture = TRY(std::move(picture));
    return result;
}

Result<AvFrame> LibavSeeker::decode_to(LibavDecoder &decoder, std::int64_t frame) const {
    AvFrame picture;
    for (std::int64_t n = start_for(frame); n <= frame; n++) {
        picture = TRY(decoder.next());
        if (!picture)
            return fail(ErrorCode::corrupt_data, fmt::format("it ends before frame {}", n));
    }
    return picture;
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
