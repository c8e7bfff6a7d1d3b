// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/content_blocks.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr std::string_view digest_start = "xxh3-128/";
constexpr std::size_t hash_digits = 32;

/// Reads a number up to `end`, which follows it, and moves `text` behind `end`.
bool take_number(std::string_view &text, char end, std::uint64_t &number) {
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto digits = static_cast<std::size_t>(stopped - text.data());
    if (error != std::errc() || digits == text.size() || *stopped != end)
        return false;
    text.remove_prefix(digits + 1);
    return true;
}

} // namespace

ByteRange BlockLayout::part(std::size_t number) const {
    if (number < blocks())
        return {offset + number * distance, covered};
    if (number == blocks())
        return {0, covered == distance ? offset : std::min(file_bytes, std::max(offset, recognised_bytes))};
    const std::uint64_t tail = offset + blocks() * distance;
    return {tail, file_bytes - tail};
}

BlockLayout whole_file(std::uint64_t file_bytes) {
    constexpr std::uint64_t block = std::uint64_t{1} << 20;
    return {file_bytes, 0, block, block};
}

void BlockHashes::set(std::size_t part, const ContentHash &hash) {
    const std::lock_guard lock(mutex_);
    std::vector<Part> &piece = pieces_[part / piece_parts];
    if (piece.empty())
        piece.resize(piece_parts);
    Part &entry = piece[part % piece_parts];
    known_ += entry.known ? 0 : 1;
    entry = {hash.value(), true};
}

std::size_t BlockHashes::count_missing() const {
    const std::lock_guard lock(mutex_);
    return layout_.parts() - known_;
}

bool BlockHashes::is_missing(std::size_t part) const {
    const std::lock_guard lock(mutex_);
    const std::vector<Part> &piece = pieces_[part / piece_parts];
    return piece.empty() || !piece[part % piece_parts].known;
}

std::string BlockHashes::digest() const {
    assert(count_missing() == 0);
    const std::lock_guard lock(mutex_);
    ContentHash all;
    for (std::size_t part = 0; part < layout_.parts(); part++)
        all.add(std::as_bytes(std::span(pieces_[part / piece_parts][part % piece_parts].hash)));
    return fmt::format("{}{}/{}/{}/{}:{}", digest_start, layout_.file_bytes, layout_.offset, layout_.distance,
                       layout_.covered, all.hex());
}

OrderedBlocks::OrderedBlocks(std::uint64_t file_bytes) : hashes_(whole_file(file_bytes)) { pass_empty_parts(); }

void OrderedBlocks::add(std::span<const std::byte> bytes) {
    while (!bytes.empty() && part_ < hashes_.layout().parts()) {
        const std::uint64_t left = hashes_.layout().part(part_).bytes - begun_;
        const auto some = bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
        hash_.add(some);
        begun_ += some.size();
        bytes = bytes.subspan(some.size());
        if (some.size() == left)
            complete_part();
    }
}

void OrderedBlocks::complete_part() {
    hashes_.set(part_++, hash_);
    begun_ = 0;
    hash_ = {};
    pass_empty_parts();
}

/// As the head is, and often the tail.
void OrderedBlocks::pass_empty_parts() {
    for (; part_ < hashes_.layout().parts() && hashes_.layout().part(part_).bytes == 0; part_++)
        hashes_.set(part_, hash_);
}

std::optional<BlockLayout> layout_of(std::string_view digest) {
    if (!digest.starts_with(digest_start))
        return std::nullopt;
    digest.remove_prefix(digest_start.size());
    BlockLayout layout;
    if (!take_number(digest, '/', layout.file_bytes) || !take_number(digest, '/', layout.offset) ||
        !take_number(digest, '/', layout.distance) || !take_number(digest, ':', layout.covered) ||
        digest.size() != hash_digits || layout.offset > layout.file_bytes || layout.covered == 0 ||
        layout.covered > layout.distance)
        return std::nullopt;
    return layout;
}

bool is_of_whole_file(std::string_view digest) {
    const std::optional<BlockLayout> layout = layout_of(digest);
    return layout && *layout == whole_file(layout->file_bytes);
}

} // namespace isovmaf
