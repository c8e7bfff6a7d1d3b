// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "device/device.hpp"

namespace isovmaf {

/// Host memory that a device copies from by itself, or reads in place: a picture in it is not copied on the host first.
/// Blocks that are given back are kept for others of their size, because allocating such memory is slow. Thread-safe.
class PinnedMemory : public std::enable_shared_from_this<PinnedMemory> {
  public:
    [[nodiscard]] static std::shared_ptr<PinnedMemory> create(std::shared_ptr<const Device> device);

    /// Whether a scheduler may keep a block when the frame in it was scored, because later frames read it in place. A
    /// caller with few blocks who waits for one cannot have that.
    enum class Keeping : bool { forbidden, allowed };

    /// A block of `bytes` bytes with unspecified contents, at a multiple of ISOVMAF_RANGE_ALIGNMENT. It keeps the
    /// device open. Any thread may give it back.
    [[nodiscard]] Result<std::shared_ptr<std::byte>> allocate(std::uint64_t bytes,
                                                              Keeping keeping = Keeping::forbidden);

    /// Why `allocate` failed for the first time; nothing when it never did.
    [[nodiscard]] std::optional<Error> refusal() const;

    /// Where `bytes` bytes from `address` on lie, for copies, when they lie in one block of this memory. Valid while
    /// the block is not given back.
    [[nodiscard]] std::optional<isovmaf_range> find(const std::byte *address, std::uint64_t bytes) const;
    /// The same, only of a block that may be kept.
    [[nodiscard]] std::optional<isovmaf_range> find_kept(const std::byte *address, std::uint64_t bytes) const;

  private:
    struct Block {
        Buffer buffer;
        std::uint64_t bytes = 0;
        bool in_use = false;
        Keeping keeping = Keeping::forbidden;
    };

    explicit PinnedMemory(std::shared_ptr<const Device> device) : device_(std::move(device)) {}
    [[nodiscard]] std::byte *take_spare(std::uint64_t bytes, Keeping keeping);
    [[nodiscard]] const Block *block_of(const std::byte *address, std::uint64_t bytes, std::uint64_t &offset) const;
    void give_back(std::byte *address);

    std::shared_ptr<const Device> device_; // outlives the buffers
    mutable std::mutex mutex_;             ///< guards the members below
    std::map<const std::byte *, Block> blocks_;
    std::optional<Error> refusal_;
};

} // namespace isovmaf
