// SPDX-License-Identifier: BSD-2-Clause-Patent
// Any bytes as raw video of any format: the first eleven choose width, height (four each, little-endian, absurd ones
// included), chroma and bit depth, and whether sides are cut to what a small file can hold.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "input/raw/raw_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf;
    constexpr std::size_t format_bytes = 11;
    if (size < format_bytes)
        return 0;
    SourceOptions options;
    VideoFormat format;
    std::memcpy(&format.width, data, 4);
    std::memcpy(&format.height, data + 4, 4);
    format.chroma = static_cast<Chroma>(data[8]);
    format.bit_depth = data[9];
    if (data[10] % 2 == 1) {
        format.width = format.width % 32;
        format.height = format.height % 32;
    }
    options.stated = format;
    options.allow_partial = true;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(format_bytes);
    auto source = open_raw(std::make_unique<ByteReader>("fuzz.yuv", bytes), options);
    if (!source)
        return 0;
    for (auto frame = (*source)->read(); frame && *frame;)
        frame = (*source)->read();
    return 0;
}
