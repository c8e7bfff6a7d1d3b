// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "base/sha256.hpp"
#include "frame/frame.hpp"

namespace isovmaf {

/// Adds the samples of all planes in the order of a raw planar file of the scored size: rows follow each other without
/// gaps, so the bytes between rows have no influence.
void add_samples(Sha256 &sha256, const Frame &frame);

} // namespace isovmaf
