// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/try.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// A video whose frames are made of those of another video, one of each. It has the same presentation times, and ends,
/// skips, moves and stops as the other one does.
class PerFrameSource : public FrameSource {
  public:
    [[nodiscard]] const SourceInfo &info() const final { return info_; }

    [[nodiscard]] Result<std::optional<Frame>> read() final try {
        const auto frame = TRY(source_->read());
        if (!frame)
            return std::nullopt;
        Frame made = TRY([&] {
            const SharedStageClock clock(converting_);
            return make(*frame);
        }());
        made.set_seconds(frame->seconds());
        convert_change();
        return made;
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory,
                    fmt::format("not enough memory to convert {}: {}", info_.name, info_.conversions.back().what));
    }

    [[nodiscard]] Result<std::int64_t> skip(std::int64_t count) final { return source_->skip(count); }
    [[nodiscard]] bool can_go_to() const final { return source_->can_go_to(); }
    [[nodiscard]] Result<bool> go_to(std::int64_t frame) final { return source_->go_to(frame); }
    [[nodiscard]] ColourChangeHandle change() const final { return change_; }
    [[nodiscard]] std::string end_warning() const final { return source_->end_warning(); }
    void cancel() final { source_->cancel(); }
    [[nodiscard]] double conversion_seconds() const final { return converting_.get() + source_->conversion_seconds(); }

  protected:
    /// `info` is that of the frames that `make` gives; its last conversion is the one that `make` does.
    PerFrameSource(std::unique_ptr<FrameSource> source, SourceInfo info)
        : source_(std::move(source)), info_(std::move(info)) {
        assert(!info_.conversions.empty());
    }

    /// What the other video says.
    [[nodiscard]] const SourceInfo &converted_info() const { return source_->info(); }

  private:
    /// The picture for one frame of the other video. `read` sets its time.
    [[nodiscard]] virtual Result<Frame> make(const Frame &frame) = 0;

    /// What a frame of `make` says about its colours when that of the other video says this: by default the same.
    [[nodiscard]] virtual ColourChange make_change(const ColourChange &change) const { return change; }

    void convert_change() {
        ColourChangeHandle change = source_->change();
        if (change == source_change_)
            return;
        change_ = change ? std::make_shared<ColourChange>(make_change(*change)) : nullptr;
        source_change_ = std::move(change);
    }

    const std::unique_ptr<FrameSource> source_;
    const SourceInfo info_;
    ColourChangeHandle source_change_, change_; ///< of the last frame of the other video, and of the one made of it
    SharedSeconds converting_;                  ///< by `make`
};

} // namespace isovmaf
