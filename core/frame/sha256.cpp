// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/sha256.hpp"

#include <array>
#include <cstdint>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/sha.h>
}

namespace isovmaf {

void Sha256::Free::operator()(AVSHA *state) const { av_free(state); }

Sha256::Sha256() : state_(av_sha_alloc()) {
    if (!state_)
        throw std::bad_alloc();
    av_sha_init(state_.get(), 256);
}

void Sha256::add(std::span<const std::byte> bytes) {
    av_sha_update(state_.get(), reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
}

void Sha256::add(const Frame &frame) {
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const auto row_bytes = static_cast<std::size_t>(plane.width * frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            add({plane.row<std::byte>(y), row_bytes});
    }
}

std::string Sha256::hex() && {
    std::array<std::uint8_t, 32> digest{};
    av_sha_final(state_.get(), digest.data());
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

} // namespace isovmaf
