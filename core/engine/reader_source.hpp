// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <utility>

#include "base/try.hpp"
#include "engine/frame_loop.hpp"

namespace isovmaf {

/// The pairs of a reader: a source with one member.
class ReaderSource final : public GroupSource {
  public:
    /// `read` outlives the source.
    explicit ReaderSource(const PairReader &read) : read_(read) {}

    [[nodiscard]] std::size_t members() const override { return 1; }
    void next_frame() override { reference_ = {}; }
    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t) override {
        std::optional<FramePair> pair = TRY(read_());
        if (!pair)
            return std::nullopt;
        reference_ = std::move(pair->reference);
        return std::move(pair->distorted);
    }
    [[nodiscard]] const Frame &reference() const override { return reference_; }

  private:
    const PairReader &read_;
    Frame reference_;
};

} // namespace isovmaf
