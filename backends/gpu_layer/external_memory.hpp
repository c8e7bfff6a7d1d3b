// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "gpu_layer/handle.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

/// Memory that another API exported, mapped for the device. The device has to be the calling thread's current device
/// when an object is created or destroyed.
class ExternalMemory {
  public:
    /// Throws FailedOutcome.
    ExternalMemory(const Api &api, const isovmaf_external_memory &external);
    ExternalMemory(const ExternalMemory &) = delete;
    ExternalMemory &operator=(const ExternalMemory &) = delete;
    ~ExternalMemory();

    [[nodiscard]] void *data() const { return data_; }

  private:
    Handle<hipExternalMemory_t, &Api::hipDestroyExternalMemory> memory_;
    void *data_;
};

} // namespace isovmaf::gpu
