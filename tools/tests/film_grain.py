# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Puts film grain into streams of H.264 and HEVC, whose encoders do not: an SEI message in front of the first picture."""

FILM_GRAIN_CHARACTERISTICS = 19 # payloadType
LEVEL = 120 # of the grain


class Bits:
    def __init__(self):
        self.text = ""

    def u(self, value, count):
        self.text += f"{value:0{count}b}"

    def ue(self, value):
        self.text += "0" * ((value + 1).bit_length() - 1) + f"{value + 1:b}"

    def se(self, value):
        self.ue(2 * value - 1 if value > 0 else -2 * value)

    def bytes(self):
        """With the bit that ends a payload."""
        text = self.text if len(self.text) % 8 == 0 else self.text + "1"
        text += "0" * (-len(text) % 8)
        return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def payload(hevc):
    """Grain of ITU-T H.274 in luma, for all pictures from here on."""
    bits = Bits()
    bits.u(0, 1) # film_grain_characteristics_cancel_flag
    bits.u(0, 2) # film_grain_model_id: frequency filtering
    bits.u(0, 1) # separate_colour_description_present_flag
    bits.u(0, 2) # blending_mode_id: additive
    bits.u(2, 4) # log2_scale_factor
    bits.u(0b100, 3) # comp_model_present_flag
    bits.u(0, 8) # num_intensity_intervals_minus1
    bits.u(2, 3) # num_model_values_minus1
    bits.u(0, 8) # intensity_interval_lower_bound
    bits.u(255, 8) # intensity_interval_upper_bound
    for value in (LEVEL, 8, 8): # and the two cut-off frequencies
        bits.se(value)
    if hevc:
        bits.u(1, 1) # film_grain_characteristics_persistence_flag
    else:
        bits.ue(1) # film_grain_characteristics_repetition_period
    return bits.bytes()


def escape(data):
    """With emulation prevention."""
    out = bytearray()
    for byte in data:
        if out[-2:] == b"\0\0" and byte <= 3:
            out.append(3)
        out.append(byte)
    return bytes(out)


def with_film_grain(stream, hevc):
    """A stream of bytes (Annex B) with the message in front of its first picture."""
    message = payload(hevc)
    body = bytes([FILM_GRAIN_CHARACTERISTICS, len(message)]) + message + b"\x80"
    unit = b"\0\0\0\1" + (b"\x4e\x01" if hevc else b"\x06") + escape(body)
    at = 0
    while True:
        at = stream.index(b"\0\0\1", at)
        kind = stream[at + 3] >> 1 & 63 if hevc else stream[at + 3] & 31
        if kind < 32 if hevc else 1 <= kind <= 5:
            break
        at += 3
    at -= stream[at - 1] == 0
    return stream[:at] + unit + stream[at:]
