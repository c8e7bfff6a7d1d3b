// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

class PipeGroup;

/// What a file's headers say about one of its streams. The fields from `width` on are those of video.
struct StreamDescription {
    int number = 0;           ///< among all streams
    std::string kind;         ///< "video", "audio", "subtitle", "data" or "attachment"
    std::string codec;        ///< libavcodec's name
    std::optional<int> video; ///< among the video streams: 1 is v:1
    bool is_default = false;
    bool cover = false;  ///< one picture that belongs to the file, not to its video
    bool chosen = false; ///< scored when no stream is named
    int width = 0;
    int height = 0;
    std::string pixels; ///< libav's name of the pixel format
    ColourDescription colour;
    SourceTiming timing;
    /// Whether decoders apply film grain, as the first picture tells; nothing for streams that were not decoded.
    std::optional<bool> film_grain;
    std::optional<std::int64_t> frame_count; ///< an estimate when the file does not state it
};

struct FileDescription {
    std::string path;
    std::string container;
    std::vector<StreamDescription> streams;
};

/// Describes a file without decoding more than one picture of it. Files without a known header are an error. `pipes`
/// and `log` are those of ByteReader::open.
[[nodiscard]] Result<FileDescription>
describe_file(const std::string &path, const std::shared_ptr<PipeGroup> &pipes = {}, const LogSink &log = {});

} // namespace isovmaf
