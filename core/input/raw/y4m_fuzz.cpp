// SPDX-License-Identifier: BSD-2-Clause-Patent
// Any bytes as a Y4M file.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "input/raw/y4m_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf;
    const auto bytes = std::as_bytes(std::span(data, size));
    auto source = open_y4m(std::make_unique<ByteReader>("fuzz.y4m", bytes), {});
    if (!source)
        return 0;
    for (auto frame = (*source)->read(); frame && *frame;)
        frame = (*source)->read();
    return 0;
}
