// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#include "common/outcome.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::host {

using plugin::Outcome;

/// Maps a file in memory (memfd_create, shm_open). On the stand-in an opaque descriptor is the descriptor of such a
/// file.
class MappedFile {
  public:
    MappedFile() = default;
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// May be called once. The caller keeps the descriptor and may close it afterwards.
    [[nodiscard]] Outcome map(const isovmaf_external_memory &external);

    /// Start of the file, aligned to a page.
    [[nodiscard]] std::byte *data() const { return data_; }

  private:
    std::byte *data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace isovmaf::host
