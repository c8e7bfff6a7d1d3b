// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/hashes.hpp"
#include "engine/words/words_file.hpp"

namespace isovmaf::testing {

/// A words file with any body: magic, version, length and checksum are right.
inline std::vector<std::byte> sealed_words(std::span<const std::byte> body) {
    using namespace words_layout;
    std::vector<std::byte> file(body_at);
    const std::uint64_t length = body_at + body.size(), checksum = xxh64(body);
    std::memcpy(file.data(), magic.data(), magic.size());
    std::memcpy(&file[version_at], &format_version, sizeof format_version);
    std::memcpy(&file[length_at], &length, sizeof length);
    std::memcpy(&file[checksum_at], &checksum, sizeof checksum);
    file.insert(file.end(), body.begin(), body.end());
    return file;
}

} // namespace isovmaf::testing
