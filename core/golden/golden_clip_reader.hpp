// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
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

/// The pairs of a generated clip. The clip of the last call is kept: a golden file has several requests for a clip,
/// each request is scored at several levels, and most of the time would go into generating the clip again.
inline std::shared_ptr<const std::vector<FramePair>> last_golden_clip(const GoldenClip &clip) {
    const auto identity = std::tuple(clip.format, clip.chroma_edge, clip.frames, clip.identical, clip.sha256_reference);
    static std::optional<std::remove_const_t<decltype(identity)>> last;
    static std::shared_ptr<const std::vector<FramePair>> pairs;
    if (last != identity) {
        pairs = std::make_shared<const std::vector<FramePair>>(generate_golden_clip(clip));
        last = identity;
    }
    return pairs;
}

/// The pairs of a clip. Throws when a file cannot be opened, or the generator makes
/// another clip than the golden file says. To be called from one thread.
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
