// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/try.hpp"
#include "input/raw/planar_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// A file of planar frames, one behind the other. What stands before each frame is up to the format.
class PlanarSource : public FrameSource {
  public:
    [[nodiscard]] const SourceInfo &info() const final { return info_; }

    [[nodiscard]] Result<std::optional<Frame>> read() final {
        const bool more = TRY(begin_next());
        if (!more)
            return std::nullopt;
        auto frame = TRY(planes_.read());
        if (!frame)
            return std::nullopt;
        ended_ = false;
        frame->set_seconds(info_.timing.seconds_of(planes_.frames_read() - 1));
        return frame;
    }

    [[nodiscard]] std::string end_warning() const override { return planes_.end_warning(); }
    void cancel() final { reader_->cancel(); }

  protected:
    PlanarSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated)
        : reader_(std::move(reader)), info_(std::move(info)), planes_(*reader_, info_.format, truncated) {}

    [[nodiscard]] ByteReader &reader() { return *reader_; }

    /// Number of frames that were read or passed over.
    [[nodiscard]] std::int64_t frames_read() const { return planes_.frames_read(); }

  private:
    /// Reads what stands before the next frame; false at the end of the video.
    [[nodiscard]] virtual Result<bool> begin_frame() = 0;

    [[nodiscard]] Result<bool> begin_next() {
        if (std::exchange(ended_, true)) // an error ends the reading as well
            return false;
        return begin_frame();
    }

    [[nodiscard]] Result<bool> pass_over() final {
        const bool more = TRY(begin_next());
        if (!more)
            return false;
        const bool passed = TRY(planes_.skip());
        ended_ = !passed;
        return passed;
    }

    const std::unique_ptr<ByteReader> reader_;
    const SourceInfo info_;
    PlanarReader planes_;
    bool ended_ = false;
};

} // namespace isovmaf
