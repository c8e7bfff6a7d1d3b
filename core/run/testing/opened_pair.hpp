// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "base/testing/temporary_folder.hpp"
#include "run/videos.hpp"

/// Opens pairs, for tests of what is said about them.
namespace isovmaf::testing {

/// One grey frame of 34x32 as Y4M with these tags.
inline std::string y4m_file(const TemporaryFolder &folder, const std::string &name, const std::string &tags) {
    return folder.write(name,
                        "YUV4MPEG2 W34 H32 F25:1 Ip A1:1 " + tags + "\nFRAME\n" + std::string(34 * 32 * 3 / 2, '\x81'));
}

struct Opened {
    std::string error;
    std::vector<std::string> warnings, notes, conversions;
    std::string command; ///< of the distorted video
    VideoFormat format;
};

inline Opened open(const VideoRequest &request) {
    Opened result;
    const auto videos =
        open_videos(request, [&](Severity, std::string_view sentence) { result.warnings.emplace_back(sentence); });
    if (!videos) {
        result.error = videos.error().message;
        return result;
    }
    result.notes = videos->notes;
    for (const Conversion &conversion : videos->distorted.conversions)
        result.conversions.push_back(conversion_text(conversion));
    result.command = videos->distorted_command;
    result.format = videos->pairs->format();
    return result;
}

} // namespace isovmaf::testing
