// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "frame/frame.hpp"

struct AVSHA;

namespace isovmaf {

/// SHA-256 of bytes that come in pieces.
class Sha256 {
  public:
    /// Throws std::bad_alloc when memory is out.
    Sha256();

    void add(std::span<const std::byte> bytes);

    /// The frame as a raw planar file of its scored size would hold it: no gaps between rows.
    void add(const Frame &frame);

    /// The hash in hexadecimal; ends the object's use.
    [[nodiscard]] std::string hex() &&;

  private:
    struct Free {
        void operator()(AVSHA *state) const;
    };
    std::unique_ptr<AVSHA, Free> state_;
};

} // namespace isovmaf
