// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace isovmaf {

/// Walks through the NAL units of H.264 and HEVC packets (ITU-T H.264 Annex B and ISO/IEC 14496-15).
class NalUnits {
  public:
    /// How the packets of a stream with these parameters hold their units.
    explicit NalUnits(const AVCodecParameters &stream);

    using Bytes = std::span<const std::uint8_t>;

    /// Calls `visit` for each unit, which begins with its header and has at least two bytes. False when the packet has
    /// no such form.
    template <class Visit>
    [[nodiscard]] bool for_each(Bytes packet, const Visit &visit) const {
        while (!packet.empty()) {
            const std::optional<Bytes> unit = length_bytes_ > 0 ? take_counted(packet) : take_delimited(packet);
            if (!unit)
                return false;
            if (unit->size() >= 2)
                visit(*unit);
        }
        return true;
    }

  private:
    std::optional<Bytes> take_counted(Bytes &packet) const;
    static std::optional<Bytes> take_delimited(Bytes &packet);

    std::size_t length_bytes_ = 0; ///< of the number in front of each unit; 0: start codes part them
};

} // namespace isovmaf
