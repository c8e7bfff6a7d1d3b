// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "capi/picture.hpp"
#include "device/pinned_memory.hpp"

namespace isovmaf::capi {

/// The memory of all pictures of the process, whatever their context: vmaf_picture_alloc is given none. It is pinned
/// memory of the device that a context opened last, so that pictures are uploaded from where they lie. While no context
/// has a device, or when it has no more such memory, it is the heap.
[[nodiscard]] PictureMemory &process_memory();

/// From now on pictures get this memory, as long as its context or a picture keeps it.
void use_pinned_memory(const std::shared_ptr<PinnedMemory> &memory);

} // namespace isovmaf::capi
