// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "batch/manifest/manifest.hpp"
#include "batch/manifest/validate.hpp"

/// Any text as a manifest. A row that is accepted is kept, and reads back as it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf::batch;
    static const ManifestColumns columns{{"bit_rate", "feature", "label", "model", "offset"}, {"feature", "model"}};
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto reader = read_manifest(std::make_unique<std::istringstream>(text), "fuzz", columns);
    if (!reader)
        return 0;
    const auto keep = [](const Row &row, std::uint64_t) -> isovmaf::Result<void> {
        const auto kept = encode_row(row);
        if (!kept || kept->find('\n') != std::string::npos)
            std::abort();
        const auto read = decode_row(*kept);
        if (!read || *encode_row(*read) != *kept)
            std::abort();
        return {};
    };
    const auto summary = validate_manifest(
        **reader, {{"model", {"default"}}}, [](const Row &row) -> isovmaf::Result<std::uint64_t> { return row.line; },
        keep);
    return summary && summary->pairs >= 0 ? 0 : -1;
}
