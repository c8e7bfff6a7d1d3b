// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/raw/planar_reader.hpp"
#include "input/raw/read_ahead.hpp"
#include "input/read_content.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// A file of planar frames, one behind the other. What stands before each frame is up to the format.
///
/// With more than one reader (FrameNeeds) the frames of a regular file are read by several threads, for as long as all
/// headers are the usual one. From the first frame on that is not as expected, the file is read in order.
///
/// A file that is hashed (SourceOptions::content) is hashed frame by frame by whoever reads the frame: the planes that
/// are wanted, and what stands before them.
class PlanarSource : public FrameSource {
  public:
    [[nodiscard]] const SourceInfo &info() const final { return info_; }
    [[nodiscard]] Result<void> prepare(const FrameNeeds &needs) final;
    [[nodiscard]] Result<std::optional<Frame>> read() final;
    [[nodiscard]] Result<std::int64_t> skip(std::int64_t count) final;
    [[nodiscard]] bool can_go_to() const final { return first_frame_ && !content_; }
    [[nodiscard]] Result<bool> go_to(std::int64_t frame) final;
    [[nodiscard]] std::string end_warning() const override { return planes_.end_warning(); }
    void cancel() final { reader_->cancel(); }

  protected:
    /// `header`: what stands before a frame of most files.
    PlanarSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated, std::string_view header);

    [[nodiscard]] ByteReader &reader() { return *reader_; }

    /// Number of frames that were read or passed over.
    [[nodiscard]] std::int64_t frames_read() const { return planes_.frames_read(); }

    /// What stands before the next frame is longer than the usual header.
    void found_odd_header();

  private:
    /// Reads what stands before the next frame; false at the end of the video.
    [[nodiscard]] virtual Result<bool> begin_frame() = 0;

    [[nodiscard]] Result<bool> begin_next();
    void begin_hashing();
    [[nodiscard]] Result<std::optional<Frame>> read_in_order();
    [[nodiscard]] std::optional<std::uint64_t> position() const;
    [[nodiscard]] std::optional<EvenFrames> frames_left() const;
    [[nodiscard]] Result<std::optional<Frame>> read_ahead();
    [[nodiscard]] std::int64_t count_usual(std::int64_t most) const;
    [[nodiscard]] Result<bool> pass_over() final;

    const std::unique_ptr<ByteReader> reader_;
    const SourceInfo info_;
    const std::string_view header_;
    const std::uint64_t frame_distance_;
    PlanarReader planes_;
    const std::optional<std::uint64_t> first_frame_; ///< where it begins in a regular file
    const std::shared_ptr<ReadContent> content_;     ///< null when the file is not hashed
    bool hashing_begun_ = false;
    BlockHashes *hashes_ = nullptr;  ///< of frames, in `content_`; null when they are not hashed
    int readers_ = 1;                ///< of a regular file
    std::optional<ReadAhead> ahead_; ///< its frames are behind what `reader_` has read
    std::int64_t frames_seen_ = 0;   ///< in a regular file when it was opened; 0 if one has an odd header
    bool in_order_ = false;          ///< all that is left
    bool ended_ = false;
};

} // namespace isovmaf
