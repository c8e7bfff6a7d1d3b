// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/part_pictures.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/hashes.hpp"

namespace isovmaf {

namespace {

/// The layout: this header, the costs and the motion of all pairs, the first pairs, and the last ones that are not
/// among these. Of a picture the samples are kept. Numbers are those of the machine, as in words files.
struct PartHeader {
    std::uint64_t magic = 0x3173747261706f73; ///< "soparts1"
    std::uint64_t hash = 0;                   ///< XXH64 of all that follows
    std::uint64_t first_pair = 0;
    std::uint64_t pairs = 0;
    std::uint64_t reach = 0;
};
constexpr std::size_t hashed_from = offsetof(PartHeader, first_pair);

/// How many pairs have pictures.
struct PictureCounts {
    std::size_t first, last;

    explicit PictureCounts(const PartHeader &part) {
        const std::uint64_t wide =
            WideSearch::most_pairs - std::min<std::uint64_t>(part.first_pair, WideSearch::most_pairs);
        first = std::min(part.pairs, std::max(part.reach, wide));
        last = std::min(part.pairs - first, part.reach);
    }
};

constexpr std::size_t pair_bytes = 2 * sizeof(Thumbnail::samples);

std::size_t body_bytes(const PartHeader &part) {
    const PictureCounts pictures(part);
    return part.pairs * (2 * part.reach + 2) * sizeof(std::uint16_t) + (pictures.first + pictures.last) * pair_bytes;
}

/// Writes to the beginning of `bytes`, which becomes what is behind.
template <class Item>
void put(std::span<const Item> items, std::span<std::byte> &bytes) {
    std::memcpy(bytes.data(), items.data(), items.size_bytes());
    bytes = bytes.subspan(items.size_bytes());
}

void put(const PairThumbnails &pair, std::span<std::byte> &bytes) {
    put<std::int16_t>(pair.reference.samples, bytes);
    put<std::int16_t>(pair.distorted.samples, bytes);
}

template <class Item>
void take(std::span<const std::byte> &bytes, std::span<Item> items) {
    std::memcpy(items.data(), bytes.data(), items.size_bytes());
    bytes = bytes.subspan(items.size_bytes());
}

std::vector<PairThumbnails> take_pairs(std::span<const std::byte> &bytes, std::size_t count) {
    std::vector<PairThumbnails> pairs(count);
    for (PairThumbnails &pair : pairs)
        for (Thumbnail *const picture : {&pair.reference, &pair.distorted})
            take<std::int16_t>(bytes, picture->samples);
    return pairs;
}

/// Whether the header is that of the part behind `costs`, and the bytes are those that it announces.
bool goes_on(const PartHeader &part, std::span<const std::byte> bytes, const OffsetCosts &costs) {
    return part.magic == PartHeader().magic && part.hash == xxh64(bytes.subspan(hashed_from)) &&
           part.first_pair == costs.frames() && part.reach == static_cast<std::uint64_t>(costs.reach()) &&
           part.pairs <= bytes.size() && bytes.size() == sizeof part + body_bytes(part);
}

} // namespace

std::vector<std::byte> encode_part(std::size_t first_pair, const OffsetCosts &costs, const WideSearch &wide) {
    const OffsetCosts::Part part = costs.part();
    PartHeader header{
        .first_pair = first_pair, .pairs = part.motion.size(), .reach = static_cast<std::uint64_t>(costs.reach())};
    const PictureCounts pictures(header);
    std::vector<std::byte> bytes(sizeof header + body_bytes(header));
    std::span<std::byte> rest(bytes);
    put<PartHeader>({&header, 1}, rest);
    put<std::uint16_t>(part.costs, rest);
    put<std::uint16_t>(part.motion, rest);
    for (std::size_t n = 0; n < pictures.first; n++)
        put(n < wide.pairs() ? wide.pair(n) : part.first[n], rest);
    for (const PairThumbnails &pair : std::span(part.last).last(pictures.last))
        put(pair, rest);
    header.hash = xxh64(std::span(bytes).subspan(hashed_from));
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

Result<void> append_part(std::span<const std::byte> bytes, OffsetCosts &costs, WideSearch &wide) {
    PartHeader header;
    if (bytes.size() < sizeof header)
        return fail(ErrorCode::corrupt_data, "the small pictures of a part are cut short");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (!goes_on(header, bytes, costs))
        return fail(ErrorCode::corrupt_data, "the small pictures of a part are damaged");
    const PictureCounts pictures(header);
    auto rest = bytes.subspan(sizeof header);
    OffsetCosts::Part part;
    part.costs.resize(header.pairs * (2 * header.reach + 1));
    part.motion.resize(header.pairs);
    take<std::uint16_t>(rest, part.costs);
    take<std::uint16_t>(rest, part.motion);
    const std::vector<PairThumbnails> first = take_pairs(rest, pictures.first), last = take_pairs(rest, pictures.last);
    const std::size_t ends = std::min(header.pairs, header.reach);
    part.first.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(ends));
    part.last.assign(first.end() - static_cast<std::ptrdiff_t>(ends - last.size()), first.end());
    part.last.insert(part.last.end(), last.begin(), last.end());
    costs.append(part);
    for (const PairThumbnails &pair : first)
        wide.add(pair.reference, pair.distorted);
    return {};
}

} // namespace isovmaf
