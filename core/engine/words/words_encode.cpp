// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include "base/hashes.hpp"
#include "engine/words/words_file.hpp"
#include "features/words.hpp"

namespace isovmaf {

namespace {

class BodyWriter {
  public:
    void bytes(std::span<const std::byte> bytes) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + bytes.size());
        std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(before));
    }

    template <class T>
    void number(T value) {
        bytes(std::as_bytes(std::span(&value, 1)));
    }
    void flag(bool value) { number<std::uint8_t>(value); }
    void count(std::size_t value) { number(static_cast<std::uint32_t>(value)); }
    void text(std::string_view text) {
        count(text.size());
        bytes(std::as_bytes(std::span(text)));
    }

    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

void write(const OptionTexts &options, BodyWriter &writer) {
    writer.count(options.size());
    for (const auto &[name, value] : options) {
        writer.text(name);
        writer.text(value);
    }
}

void write(const WordsFeature &feature, BodyWriter &writer) {
    writer.text(feature.name);
    writer.flag(feature.every_frame);
    writer.count(feature.option_sets.size());
    for (const OptionTexts &options : feature.option_sets)
        write(options, writer);
    writer.count(feature.words.size());
    for (const WordSpec &word : feature.words) {
        writer.text(word.name);
        writer.text(word_kind_name(word.kind));
        writer.text(sum_order_name(word.order));
    }
}

void write(const WordsSchema &schema, BodyWriter &writer) {
    writer.number(static_cast<std::uint32_t>(schema.format.width));
    writer.number(static_cast<std::uint32_t>(schema.format.height));
    writer.number(static_cast<std::uint8_t>(schema.format.chroma));
    writer.number(static_cast<std::uint8_t>(schema.format.bit_depth));
    writer.text(schema.semantics.name());
    writer.number(static_cast<std::uint32_t>(schema.subsample));
    writer.count(schema.features.size());
    for (const WordsFeature &feature : schema.features)
        write(feature, writer);
}

void write(const PairDigest &digest, BodyWriter &writer) {
    writer.number(digest.reference);
    writer.number(digest.distorted);
}

void write_frames(const WordsFile &file, BodyWriter &writer) {
    writer.number(static_cast<std::uint64_t>(file.first_frame));
    writer.number(static_cast<std::uint64_t>(file.frame_count));
    writer.flag(file.ends_video);
    writer.count(file.lead_in.size());
    for (const PairDigest &digest : file.lead_in)
        write(digest, writer);
    for (const PairDigest &digest : file.last)
        write(digest, writer);
    writer.bytes(std::as_bytes(std::span(file.words)));
}

} // namespace

std::vector<std::byte> encode_words(const WordsFile &file) {
    BodyWriter body_writer;
    write(file.schema, body_writer);
    write_frames(file, body_writer);
    const std::vector<std::byte> body = body_writer.take();

    BodyWriter writer;
    writer.bytes(std::as_bytes(std::span(words_layout::magic)));
    writer.number(words_layout::format_version);
    writer.number(static_cast<std::uint64_t>(words_layout::body_at + body.size()));
    writer.number(xxh64(body));
    writer.bytes(body);
    return writer.take();
}

} // namespace isovmaf
