// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#include "common/outcome.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::host {

using plugin::Outcome;

/// A file in memory (memfd_create, shm_open) that is mapped: what an opaque descriptor stands for on a CPU.
class MappedFile {
  public:
    MappedFile() = default;
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// Once. The descriptor is the caller's again.
    [[nodiscard]] Outcome map(const isovmaf_external_memory &external);

    /// Aligned to a page.
    [[nodiscard]] std::byte *data() const { return data_; }

  private:
    std::byte *data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace isovmaf::host
