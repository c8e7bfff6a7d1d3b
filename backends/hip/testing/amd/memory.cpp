// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/memory.hpp"

#include <vector>

namespace isovmaf::amd {

void Memory::copied(const void *to, const void *from, std::size_t bytes) {
    const auto target = reinterpret_cast<std::uint64_t>(to), source = reinterpret_cast<std::uint64_t>(from);
    const Range *const written = find(target, bytes);
    if (!written || !written->shadow)
        return;
    const Range *const read = find(source, bytes);
    std::vector<std::uint8_t> undefined(bytes);
    if (read && read->shadow)
        read->shadow->undefined_bits(source - read->begin, bytes, undefined.data());
    written->shadow->set_undefined_bits(target - written->begin, bytes, undefined.data());
}

} // namespace isovmaf::amd
