// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "input/libav/frame_indexes.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Finds frames of a video file by its index. One thread uses it; only `cancel` may be called by others.
class LibavSeeker {
  public:
    /// Null when the index has an obstacle. `options.indexes` is not null.
    [[nodiscard]] static Result<std::unique_ptr<LibavSeeker>> create(const std::string &path,
                                                                     const SourceOptions &options);

    /// The same if the index is there, without waiting for it; else null.
    [[nodiscard]] static std::unique_ptr<LibavSeeker> find(const std::string &path, const SourceOptions &options);

    /// Lets a decoder without a track, which began with the first packet, compare what comes with the index.
    void lead(LibavDecoder &decoder) const { decoder.follow(*index_); }

    /// For a decoder that starts with the first packet.
    [[nodiscard]] FrameTrack first_frame() const { return {*index_, index_->starts_for(0).front()}; }

    [[nodiscard]] std::int64_t frame_count() const { return index_->frame_count(); }

    /// The frame that decoding begins with to come to `frame`.
    [[nodiscard]] std::int64_t start_for(std::int64_t frame) const { return index_->starts_for(frame).back().frame; }

    struct SeekResult {
        std::unique_ptr<LibavDecoder> decoder; ///< null: the one that was given
        AvFrame picture;                       ///< that came last from the decoder
    };

    /// A decoder that started with the key frame before the frame, which the index has, and has decoded that. Nothing,
    /// with a warning, when the file did not allow it: `reused` cannot be used then. Throws
    /// std::bad_alloc when memory is out. `reused`, if given, becomes that decoder; else `hardware`, if given, decodes,
    /// and outlives the decoder.
    [[nodiscard]] Result<std::optional<SeekResult>> seek(std::int64_t frame, LibavDecoder *reused,
                                                         HardwareDecoder *hardware = nullptr);

    /// A decoder that starts with the first packet: see `first_frame`.
    [[nodiscard]] Result<std::unique_ptr<LibavDecoder>> begin(HardwareDecoder *hardware) const {
        return open_at_start(path_, options_, *index_, index_->starts_for(0), hardware);
    }

    /// See FrameSource::cancel.
    void cancel();

  private:
    LibavSeeker(std::string path, const SourceOptions &options, std::shared_ptr<const FrameIndex> index)
        : path_(std::move(path)), options_(options), index_(std::move(index)) {}

    Result<SeekResult> decode_frame(std::int64_t frame, LibavDecoder *reused, HardwareDecoder *hardware);
    Result<AvFrame> decode_to(LibavDecoder &decoder, std::int64_t frame) const;
    void set_decoder(LibavDecoder *decoder);

    const std::string path_;
    const SourceOptions options_;
    const std::shared_ptr<const FrameIndex> index_;
    std::mutex mutex_;                ///< guards the members below
    LibavDecoder *decoder_ = nullptr; ///< that is at work
    bool cancelled_ = false;
};

} // namespace isovmaf
