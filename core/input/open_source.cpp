// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <new>
#include <utility>

#include "base/try.hpp"
#include "input/byte_reader.hpp"
#include "input/libav_source.hpp"
#include "input/raw_source.hpp"
#include "input/source.hpp"
#include "input/y4m_source.hpp"

namespace isovmaf {

Result<std::unique_ptr<FrameSource>> open_source(const std::string &path, const SourceOptions &options) try {
    auto reader = TRY(ByteReader::open(path));
    // Whether a pipe is empty is known only after a read.
    const auto first = TRY(reader->peek(1));
    if (first.empty())
        return fail(ErrorCode::corrupt_data, reader->name() + " is empty");

    if (options.raw_format)
        return open_raw(std::move(reader), options);
    const auto y4m = TRY(looks_like_y4m(*reader));
    return y4m ? open_y4m(std::move(reader), options) : open_libav(std::move(reader), options);
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory, "not enough memory to open " + path);
}

} // namespace isovmaf
