// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/process_memory.hpp"

#include <mutex>

namespace isovmaf::capi {

namespace {

class ProcessMemory final : public PictureMemory {
  public:
    std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
        if (const std::shared_ptr<PinnedMemory> memory = pinned())
            if (Result<std::shared_ptr<std::byte>> block = memory->allocate(bytes))
                return *std::move(block);
        return host_memory().allocate(bytes);
    }

    bool is_best(const std::byte *block, std::size_t bytes) const override {
        const std::shared_ptr<PinnedMemory> memory = pinned();
        return !memory || memory->find(block, bytes);
    }

    void use(const std::shared_ptr<PinnedMemory> &memory) {
        const std::scoped_lock lock(mutex_);
        pinned_ = memory;
    }

  private:
    [[nodiscard]] std::shared_ptr<PinnedMemory> pinned() const {
        const std::scoped_lock lock(mutex_);
        return pinned_.lock();
    }

    mutable std::mutex mutex_;
    std::weak_ptr<PinnedMemory> pinned_;
};

ProcessMemory &memory_of_process() {
    static ProcessMemory memory;
    return memory;
}

} // namespace

PictureMemory &process_memory() { return memory_of_process(); }

void use_pinned_memory(const std::shared_ptr<PinnedMemory> &memory) { memory_of_process().use(memory); }

} // namespace isovmaf::capi
