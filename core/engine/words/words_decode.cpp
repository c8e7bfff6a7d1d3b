// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "engine/words/words_file.hpp"
#include "features/semantics.hpp"
#include "features/words.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

tl::unexpected<Error> corrupt(std::string message) { return fail(ErrorCode::corrupt_data, std::move(message)); }

/// Takes values from the front of untrusted bytes.
class BodyReader {
  public:
    explicit BodyReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] std::size_t left() const { return rest_.size(); }

    Result<std::span<const std::byte>> bytes(std::size_t count) {
        if (count > rest_.size())
            return corrupt(fmt::format("{} bytes are wanted where {} are left", count, rest_.size()));
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

    template <class T>
    Result<T> number() {
        const auto taken = TRY(bytes(sizeof(T)));
        T value;
        std::memcpy(&value, taken.data(), sizeof value);
        return value;
    }

    Result<bool> flag() {
        const auto value = TRY(number<std::uint8_t>());
        if (value > 1)
            return corrupt(fmt::format("{} stands where 0 or 1 has to", value));
        return value == 1;
    }

    /// How many items follow that take at least `item_bytes` each.
    template <class T = std::uint32_t>
    Result<std::size_t> count(std::size_t item_bytes) {
        const auto value = TRY(number<T>());
        if (value > rest_.size() / item_bytes)
            return corrupt(fmt::format("{} items are announced where {} bytes are left", value, rest_.size()));
        return static_cast<std::size_t>(value);
    }

    Result<std::string> text() {
        const std::size_t length = TRY(count(1));
        const auto taken = TRY(bytes(length));
        return std::string(reinterpret_cast<const char *>(taken.data()), taken.size());
    }

    Result<void> words(std::size_t count, std::vector<std::int64_t> &to) {
        const auto taken = TRY(bytes(count * sizeof(std::int64_t)));
        to.resize(count);
        if (count > 0)
            std::memcpy(to.data(), taken.data(), taken.size());
        return {};
    }

  private:
    std::span<const std::byte> rest_;
};

constexpr std::size_t text_bytes = 4, digest_bytes = 16; ///< smallest encoded size of a text; size of a digest

Result<VideoFormat> read_format(BodyReader &reader) {
    const auto width = TRY(reader.number<std::uint32_t>()), height = TRY(reader.number<std::uint32_t>());
    VideoFormat format{.width = TRY(validate_side("the frame width", width)),
                       .height = TRY(validate_side("the frame height", height))};
    format.chroma = static_cast<Chroma>(TRY(reader.number<std::uint8_t>()));
    format.bit_depth = TRY(reader.number<std::uint8_t>());
    TRY(validate_format(format));
    return format;
}

Result<OptionTexts> read_options(BodyReader &reader) {
    OptionTexts options(TRY(reader.count(2 * text_bytes)));
    for (auto &[name, value] : options) {
        name = TRY(reader.text());
        value = TRY(reader.text());
    }
    return options;
}

Result<WordSpec> read_word(BodyReader &reader) {
    WordSpec word{.name = TRY(reader.text())};
    const std::string kind = TRY(reader.text()), order = TRY(reader.text());
    if (!find_word_kind(kind) || !find_sum_order(order))
        return corrupt(fmt::format("the word {} is of kind {} and order {}, which this version does not know",
                                   quote(word.name), quote(kind), quote(order)));
    word.kind = *find_word_kind(kind);
    word.order = *find_sum_order(order);
    return word;
}

Result<WordsFeature> read_feature(BodyReader &reader) {
    WordsFeature feature;
    feature.name = TRY(reader.text());
    feature.every_frame = TRY(reader.flag());
    feature.option_sets.resize(TRY(reader.count(4)));
    for (OptionTexts &options : feature.option_sets)
        options = TRY(read_options(reader));
    feature.words.resize(TRY(reader.count(3 * text_bytes)));
    for (WordSpec &word : feature.words)
        word = TRY(read_word(reader));
    if (feature.option_sets.empty() || feature.words.empty())
        return corrupt(fmt::format("feature {} has no options or no words", quote(feature.name)));
    return feature;
}

Result<WordsSchema> read_schema(BodyReader &reader) {
    WordsSchema schema{.format = TRY(read_format(reader)), .features = {}};
    const std::string name = TRY(reader.text());
    const std::optional<Semantics> semantics = find_semantics(name);
    if (!semantics)
        return corrupt(fmt::format("this version does not know the semantics {}", quote(name)));
    schema.semantics = *semantics;
    const auto subsample = TRY(reader.number<std::uint32_t>());
    if (subsample < 1 || subsample > std::numeric_limits<int>::max())
        return corrupt(fmt::format("its subsampling is {}", subsample));
    schema.subsample = static_cast<int>(subsample);

    schema.features.resize(TRY(reader.count(text_bytes + 1 + 4 + 4)));
    std::set<std::string> names;
    for (WordsFeature &feature : schema.features) {
        feature = TRY(read_feature(reader));
        if (!names.insert(feature.name).second)
            return corrupt(fmt::format("it has feature {} twice", quote(feature.name)));
    }
    if (names.empty())
        return corrupt("it has no features");
    return schema;
}

Result<PairDigest> read_digest(BodyReader &reader) {
    const auto reference = TRY(reader.number<std::uint64_t>()), distorted = TRY(reader.number<std::uint64_t>());
    return PairDigest{reference, distorted};
}

/// So far no number of a frame overflows.
constexpr std::uint64_t max_frame = std::uint64_t{1} << 61;

/// How many of the file's frames the feature runs on.
std::uint64_t runs_of(const WordsFeature &feature, const WordsFile &file) {
    const auto multiples_before = [&](std::int64_t frame) { // of the subsampling
        return (static_cast<std::uint64_t>(frame) + static_cast<std::uint64_t>(file.schema.subsample) - 1) /
               static_cast<std::uint64_t>(file.schema.subsample);
    };
    return feature.every_frame ? static_cast<std::uint64_t>(file.frame_count)
                               : multiples_before(file.end_frame()) - multiples_before(file.first_frame);
}

/// The words of all frames.
Result<void> read_words(BodyReader &reader, WordsFile &file) {
    for (const WordsFeature &feature : file.schema.features) {
        const std::uint64_t runs = runs_of(feature, file);
        if (runs > reader.left() / sizeof(std::int64_t) / feature.words.size())
            return corrupt(fmt::format("it has no words for its {} frames", file.frame_count));
    }
    std::size_t count = 0;
    for (const WordsFeature &feature : file.schema.features)
        count += static_cast<std::size_t>(runs_of(feature, file)) * feature.words.size();
    return reader.words(count, file.words);
}

Result<void> read_frames(BodyReader &reader, WordsFile &file) {
    const auto first_frame = TRY(reader.number<std::uint64_t>());
    const auto frames = TRY(reader.number<std::uint64_t>());
    file.ends_video = TRY(reader.flag());
    file.lead_in.resize(TRY(reader.count(digest_bytes)));
    if (first_frame > max_frame || frames == 0 || frames > max_frame)
        return corrupt(fmt::format("it has {} frames from frame {} on", frames, first_frame));
    if (file.lead_in.size() > std::min<std::uint64_t>(first_frame, max_lead_in))
        return corrupt(fmt::format("it has {} lead-in frames before frame {}", file.lead_in.size(), first_frame));
    file.first_frame = static_cast<std::int64_t>(first_frame);
    file.frame_count = static_cast<std::int64_t>(frames);
    file.last.resize(file.last_count());

    for (PairDigest &digest : file.lead_in)
        digest = TRY(read_digest(reader));
    for (PairDigest &digest : file.last)
        digest = TRY(read_digest(reader));
    return read_words(reader, file);
}

Result<WordsFile> read_body(std::span<const std::byte> body) {
    BodyReader reader(body);
    WordsFile file;
    file.schema = TRY(read_schema(reader));
    TRY(read_frames(reader, file));
    if (reader.left() > 0)
        return corrupt("bytes are left after its last frame");
    return file;
}

/// Checks everything before the body, and the body's checksum.
Result<std::span<const std::byte>> open_envelope(std::span<const std::byte> bytes) {
    using namespace words_layout;
    const std::size_t seen = std::min(bytes.size(), magic.size());
    if (!std::ranges::equal(bytes.first(seen), std::as_bytes(std::span(magic)).first(seen)))
        return corrupt("it is no words file: it does not begin with ISOWORDS");
    BodyReader reader(bytes);
    if (bytes.size() < body_at)
        return corrupt(fmt::format("it is truncated: it has {} bytes; extract its frames again", bytes.size()));
    TRY(reader.bytes(magic.size()));
    if (const auto found = TRY(reader.number<std::uint32_t>()); found != format_version)
        return fail(
            ErrorCode::unsupported,
            fmt::format("it has version {} of the format, and this isovmaf reads version {}: extract its frames "
                        "again with this isovmaf",
                        found, format_version));
    const auto length = TRY(reader.number<std::uint64_t>());
    if (length != bytes.size())
        return corrupt(fmt::format("it {}: it has {} bytes, not {}; extract its frames again",
                                   bytes.size() < length ? "is truncated" : "goes on after its end", bytes.size(),
                                   length));
    const auto checksum = TRY(reader.number<std::uint64_t>());
    const std::span<const std::byte> body = bytes.subspan(body_at);
    if (const std::uint64_t found = xxh64(body); found != checksum)
        return corrupt(fmt::format("it is damaged: its checksum is {:016x}, not {:016x}; extract its frames again",
                                   found, checksum));
    return body;
}

} // namespace

Result<WordsFile> decode_words(std::span<const std::byte> bytes, const std::string &name) {
    const auto named = [&](const Error &error) {
        return tl::unexpected(Error{error.code, fmt::format("cannot read words file {}: {}", name, error.message)});
    };
    const Result<std::span<const std::byte>> body = open_envelope(bytes);
    if (!body)
        return named(body.error());
    Result<WordsFile> file = read_body(*body);
    if (!file)
        return named({ErrorCode::corrupt_data,
                      fmt::format("its checksum is right, but its content is not: {}", file.error().message)});
    file->name = name;
    return file;
}

} // namespace isovmaf
