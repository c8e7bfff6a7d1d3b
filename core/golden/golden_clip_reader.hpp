// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/hashes.hpp"
#include "content/patterns.hpp"
#include "engine/feed.hpp"
#include "frame/testing/add_samples.hpp"
#include "golden/golden_file.hpp"
#include "run/videos.hpp"

namespace isovmaf {

/// All pairs of a generated clip. Throws when the references have another hash than the golden file says.
inline std::vector<FramePair> generate_golden_clip(const GoldenClip &clip) {
    GeneratedClip generator(clip.format, clip.chroma_edge);
    Sha256 sha256;
    std::vector<FramePair> pairs;
    for (int n = 0; n < clip.frames; n++) {
        pairs.push_back(generator.frame(static_cast<std::uint32_t>(n)));
        add_samples(sha256, pairs.back().reference);
        if (clip.identical)
            pairs.back().distorted = pairs.back().reference;
    }
    if (const std::string found = std::move(sha256).hex(); found != clip.sha256_reference)
        throw std::runtime_error(fmt::format("the generator made {}, not {}", found, clip.sha256_reference));
    return pairs;
}

/// The same, of memory if it is the clip of the last call: most of the time would go into generating it for each of the
/// requests and levels that it is scored with, one after the other.
inline std::shared_ptr<const std::vector<FramePair>> last_golden_clip(const GoldenClip &clip) {
    static std::string last;
    static std::shared_ptr<const std::vector<FramePair>> pairs;
    const VideoFormat &format = clip.format;
    const std::string key = fmt::format(
        "{}x{} {} {} {}: {} of {}, {}", format.width, format.height, static_cast<int>(format.chroma), format.bit_depth,
        static_cast<int>(clip.chroma_edge), clip.sha256_reference, clip.frames, clip.identical);
    if (key != last) {
        pairs = std::make_shared<const std::vector<FramePair>>(generate_golden_clip(clip));
        last = key;
    }
    return pairs;
}

/// The pairs of a clip. Throws when a file cannot be opened, or the clip cannot be generated. For one thread.
inline PairReader read_golden_clip(const GoldenClip &clip) {
    if (clip.reference.empty())
        return [pairs = last_golden_clip(clip), n = std::size_t{0}]() mutable -> Result<std::optional<FramePair>> {
            return n < pairs->size() ? std::optional((*pairs)[n++]) : std::nullopt;
        };
    OpenedVideos videos = value_of(
        open_videos({.reference = {clip.reference, clip.format}, .distorted = {clip.distorted, clip.format}}, {}));
    return [pairs = std::shared_ptr(std::move(videos.pairs))] { return pairs->read(); };
}

} // namespace isovmaf
