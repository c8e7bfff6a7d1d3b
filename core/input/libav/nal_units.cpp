// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/nal_units.hpp"

#include <algorithm>
#include <cstring>

namespace isovmaf {

namespace {

constexpr std::size_t start_code_bytes = 3; ///< 00 00 01

/// Where the next start code begins; the size of `bytes` when there is none.
std::size_t find_start_code(NalUnits::Bytes bytes) {
    std::size_t from = start_code_bytes - 1;
    while (from < bytes.size()) {
        const auto *one = static_cast<const std::uint8_t *>(std::memchr(&bytes[from], 1, bytes.size() - from));
        if (!one)
            break;
        const auto place = static_cast<std::size_t>(one - bytes.data());
        if (bytes[place - 1] == 0 && bytes[place - 2] == 0)
            return place - 2;
        from = place + 1;
    }
    return bytes.size();
}

} // namespace

NalUnits::NalUnits(const AVCodecParameters &stream) {
    const Bytes extra(stream.extradata, static_cast<std::size_t>(std::max(stream.extradata_size, 0)));
    // avcC and hvcC begin with their version, 1; the two low bits of one byte are lengthSizeMinusOne.
    const std::size_t length_place = stream.codec_id == AV_CODEC_ID_HEVC ? 21 : 4;
    if (extra.size() > length_place && extra[0] == 1)
        length_bytes_ = std::size_t{1} + (extra[length_place] & 3U);
}

std::optional<NalUnits::Bytes> NalUnits::take_counted(Bytes &packet) const {
    if (packet.size() < length_bytes_)
        return std::nullopt;
    std::size_t size = 0;
    for (const std::uint8_t byte : packet.first(length_bytes_))
        size = size << 8 | byte;
    if (size > packet.size() - length_bytes_)
        return std::nullopt;
    const Bytes unit = packet.subspan(length_bytes_, size);
    packet = packet.subspan(length_bytes_ + size);
    return unit;
}

std::optional<NalUnits::Bytes> NalUnits::take_delimited(Bytes &packet) {
    const std::size_t code = find_start_code(packet);
    if (code == packet.size() || std::ranges::any_of(packet.first(code), [](std::uint8_t byte) { return byte != 0; }))
        return std::nullopt;
    packet = packet.subspan(code + start_code_bytes);
    std::size_t size = find_start_code(packet);
    const std::size_t next = size;
    while (size > 0 && packet[size - 1] == 0) // zero bytes may follow a unit
        size--;
    const Bytes unit = packet.first(size);
    packet = packet.subspan(next);
    return unit;
}

} // namespace isovmaf
