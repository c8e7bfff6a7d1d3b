// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "engine/testing/sealed_words.hpp"
#include "engine/words/words_file.hpp"
#include "engine/words/words_schema.hpp"

/// Any bytes as a words file, and as the body of one whose length and checksum are right. A file that is accepted is
/// written again with the same bytes, and its features are looked up.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf;
    const auto bytes = std::as_bytes(std::span(data, size));
    for (const std::vector<std::byte> &file :
         {std::vector(bytes.begin(), bytes.end()), isovmaf::testing::sealed_words(bytes)}) {
        const Result<WordsFile> words = decode_words(file, "fuzz");
        if (!words)
            continue;
        if (encode_words(*words) != file)
            std::abort();
        const Result<FeatureSet> features = features_of(words->schema);
        if (features && features->entries().size() != words->schema.features.size())
            std::abort();
    }
    return 0;
}
