// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/memory.hpp"

#include <vector>

namespace isovmaf::amd {

bool Memory::copied(const void *to, const void *from, std::size_t bytes, const Accessor &accessor) {
    const auto target = reinterpret_cast<std::uint64_t>(to), source = reinterpret_cast<std::uint64_t>(from);
    const Range *const written = find(target, bytes), *const read = find(source, bytes);
    std::vector<std::uint8_t> undefined(bytes);
    Conflict conflict = Conflict::none;
    if (read && read->shadow) {
        conflict = read->shadow->access(source - read->begin, bytes, AccessKind::read, accessor);
        read->shadow->undefined_bits(source - read->begin, bytes, undefined.data());
    }
    if (written && written->shadow) {
        if (conflict == Conflict::none)
            conflict = written->shadow->access(target - written->begin, bytes, AccessKind::write, accessor);
        written->shadow->set_undefined_bits(target - written->begin, bytes, undefined.data());
    }
    return conflict == Conflict::none;
}

} // namespace isovmaf::amd
