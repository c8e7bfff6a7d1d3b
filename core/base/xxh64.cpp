// SPDX-License-Identifier: BSD-2-Clause-Patent
// XXH64 as its specification gives it (doc/xxhash_spec.md of xxHash); the steps are numbered as there.
#include "base/xxh64.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace isovmaf {

namespace {

static_assert(std::endian::native == std::endian::little, "values are read from memory in little-endian order");

constexpr std::uint64_t prime_1 = 0x9e3779b185ebca87, prime_2 = 0xc2b2ae3d27d4eb4f, prime_3 = 0x165667b19e3779f9,
                        prime_4 = 0x85ebca77c2b2ae63, prime_5 = 0x27d4eb2f165667c5;

constexpr std::size_t stripe_bytes = 32;

/// Takes a value of type T from the front.
template <class T>
T take(std::span<const std::byte> &bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

std::uint64_t round(std::uint64_t accumulator, std::uint64_t lane) {
    return std::rotl(accumulator + lane * prime_2, 31) * prime_1;
}

std::uint64_t merge(std::uint64_t accumulator, std::uint64_t other) {
    return (accumulator ^ round(0, other)) * prime_1 + prime_4;
}

/// Steps 1 to 3: consumes the whole stripes.
std::uint64_t converge(std::span<const std::byte> &bytes, std::uint64_t seed) {
    if (bytes.size() < stripe_bytes)
        return seed + prime_5;
    std::array<std::uint64_t, 4> lanes{seed + prime_1 + prime_2, seed + prime_2, seed, seed - prime_1};
    while (bytes.size() >= stripe_bytes)
        for (std::uint64_t &lane : lanes)
            lane = round(lane, take<std::uint64_t>(bytes));
    std::uint64_t accumulator =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes)
        accumulator = merge(accumulator, lane);
    return accumulator;
}

/// Step 5: the bytes after the last whole stripe.
std::uint64_t consume(std::span<const std::byte> rest, std::uint64_t accumulator) {
    while (rest.size() >= 8)
        accumulator = std::rotl(accumulator ^ round(0, take<std::uint64_t>(rest)), 27) * prime_1 + prime_4;
    if (rest.size() >= 4)
        accumulator = std::rotl(accumulator ^ (take<std::uint32_t>(rest) * prime_1), 23) * prime_2 + prime_3;
    while (!rest.empty())
        accumulator = std::rotl(accumulator ^ (take<std::uint8_t>(rest) * prime_5), 11) * prime_1;
    return accumulator;
}

} // namespace

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed) {
    const auto length = static_cast<std::uint64_t>(bytes.size());
    std::uint64_t hash = converge(bytes, seed) + length; // step 4
    hash = consume(bytes, hash);
    hash = (hash ^ (hash >> 33)) * prime_2; // step 6
    hash = (hash ^ (hash >> 29)) * prime_3;
    return hash ^ (hash >> 32);
}

} // namespace isovmaf
