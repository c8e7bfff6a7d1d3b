// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/stated_rate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isovmaf {

namespace {

/// Encoders that are told no rate state the clock of their times: 1000 to 90000 ticks a second.
constexpr double least_clock = 1000;

/// Reads bits, the highest of a byte first. Behind the end there are zeros.
class BitReader {
  public:
    explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint64_t take(int count) {
        std::uint64_t value = 0;
        for (int i = 0; i < count; i++, at_++) {
            const std::size_t byte = at_ / 8;
            value = value << 1 | (byte < bytes_.size() ? bytes_[byte] >> (7 - at_ % 8) & 1U : 0U);
        }
        return value;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

/// AV1 bitstream specification, 5.5.1 and 5.5.3: the rate of a sequence header. Pictures at equal intervals may take
/// several ticks each.
std::optional<Rational> av1_rate(std::span<const std::uint8_t> header) {
    constexpr int most_zeros = 32;
    BitReader bits(header);
    bits.take(3 + 1); // seq_profile, still_picture
    const bool reduced = bits.take(1) != 0;
    if (reduced || bits.take(1) == 0) // timing_info_present_flag
        return std::nullopt;
    const auto units = static_cast<std::int64_t>(bits.take(32)), scale = static_cast<std::int64_t>(bits.take(32));
    std::int64_t ticks = 1;
    if (bits.take(1) != 0) { // equal_picture_interval: num_ticks_per_picture_minus_1 as uvlc
        int zeros = 0;
        while (zeros < most_zeros && bits.take(1) == 0)
            zeros++;
        ticks = static_cast<std::int64_t>((std::uint64_t{1} << zeros) + bits.take(zeros));
    }
    const bool fits = std::max({units, scale, ticks, units * ticks}) <= INT32_MAX;
    return units > 0 && fits ? std::optional(Rational{scale, units * ticks}) : std::nullopt;
}

/// The payload of the sequence header in AV1's extradata: bare OBUs, or those behind the four bytes of an av1C box. It
/// is the first OBU there. Empty when there is none.
std::span<const std::uint8_t> av1_sequence_header(const AVCodecParameters &stream) {
    constexpr std::uint8_t box = 0x81, sequence_header = 1;
    std::span<const std::uint8_t> bytes(stream.extradata, static_cast<std::size_t>(std::max(stream.extradata_size, 0)));
    if (bytes.size() > 4 && bytes[0] == box)
        bytes = bytes.subspan(4);
    const bool has_size = bytes.size() > 1 && (bytes[0] & 2U) != 0;
    if (!has_size || (bytes[0] >> 3 & 15U) != sequence_header)
        return {};
    bytes = bytes.subspan((bytes[0] & 4U) != 0 ? 2 : 1);
    const auto size_end = std::ranges::find_if(bytes, [](std::uint8_t byte) { return (byte & 0x80U) == 0; });
    return size_end == bytes.end() ? bytes.first(0)
                                   : bytes.subspan(static_cast<std::size_t>(size_end - bytes.begin()) + 1);
}

} // namespace

bool states_times(const AVFormatContext &file) {
    const AVClass *options = file.iformat->priv_class;
    return (file.iformat->flags & AVFMT_NOTIMESTAMPS) == 0 &&
           !(options && av_opt_find(&options, "framerate", nullptr, 0, AV_OPT_SEARCH_FAKE_OBJ));
}

std::optional<Rational> coded_rate(const AVCodecParameters &stream, const AVCodecContext &decoder) {
    std::optional<Rational> rate;
    if (stream.codec_id == AV_CODEC_ID_AV1) // decoders do not heed the ticks of a picture
        rate = av1_rate(av1_sequence_header(stream));
    else if (decoder.framerate.num > 0 && decoder.framerate.den > 0)
        rate = Rational{decoder.framerate.num, decoder.framerate.den};
    return rate && rate->value() > 0 && rate->value() < least_clock ? rate : std::nullopt;
}

} // namespace isovmaf
