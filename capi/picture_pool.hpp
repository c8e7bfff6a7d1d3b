// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "capi/picture.hpp"

namespace isovmaf::capi {

/// A fixed number of pictures of one shape. Thread-safe. Pictures may outlive the pool: the memory of each is then
/// freed when it is given back.
class PicturePool {
  public:
    /// Allocates `count` (at least 1) pictures, whose samples are 0, in `memory`, which outlives the pool. Throws
    /// std::bad_alloc when memory is out.
    PicturePool(const PictureShape &shape, unsigned count, PictureMemory &memory);
    ~PicturePool();
    PicturePool(PicturePool &&) noexcept;

    /// A picture that owns its memory, with any content. Waits at most `timeout` for one to be free: nothing when none
    /// is. The memory returns to the pool when the last share of it is dropped.
    [[nodiscard]] std::optional<VmafPicture> fetch_within(std::chrono::milliseconds timeout);

  private:
    class Blocks;

    PictureShape shape_;
    std::shared_ptr<Blocks> blocks_; ///< pictures share it
};

} // namespace isovmaf::capi
