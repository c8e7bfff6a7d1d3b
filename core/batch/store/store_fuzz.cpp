// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "batch/manifest/row.hpp"
#include "batch/store/store_record.hpp"

/// Any text as a line of a store, as a record whose checksum is right, and as a row of a run folder. A record that is
/// accepted reads back as it is written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace isovmaf::batch;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const std::string &line : {std::string(text), seal_record(text)}) {
        const auto record = decode_record(line);
        if (!record)
            continue;
        const std::string written = encode_record(*record);
        const auto read = decode_record(std::string_view(written).substr(0, written.size() - 1));
        if (!read || encode_record(*read) != written)
            std::abort();
    }
    const auto row = decode_row(text);
    if (row && encode_row(*row) && !decode_row(*encode_row(*row)))
        std::abort();
    return 0;
}
