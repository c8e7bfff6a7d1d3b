// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/hashes.hpp"
#include "content/patterns.hpp"
#include "engine/feed.hpp"
#include "frame/testing/add_samples.hpp"
#include "golden/golden_file.hpp"
#include "run/videos.hpp"

namespace isovmaf {

/// Generates the clip, and fails at its end when the references have another hash than the golden file says.
inline PairReader generate_golden_clip(const GoldenClip &clip) {
    return [&clip, generator = std::make_shared<GeneratedClip>(clip.format, clip.chroma_edge), sha256 = Sha256(),
            n = 0]() mutable -> Result<std::optional<FramePair>> {
        if (n == clip.frames) {
            if (const std::string found = std::move(sha256).hex(); found != clip.sha256_reference)
                return fail(ErrorCode::internal,
                            fmt::format("the generator made {}, not {}", found, clip.sha256_reference));
            return std::nullopt;
        }
        FramePair pair = generator->frame(static_cast<std::uint32_t>(n++));
        add_samples(sha256, pair.reference);
        return clip.identical ? FramePair{pair.reference, pair.reference} : pair;
    };
}

/// The pairs of a clip, which outlives the reader. Throws when a file cannot be opened.
inline PairReader read_golden_clip(const GoldenClip &clip) {
    if (clip.reference.empty())
        return generate_golden_clip(clip);
    OpenedVideos videos = value_of(
        open_videos({.reference = {clip.reference, clip.format}, .distorted = {clip.distorted, clip.format}}, {}));
    return [pairs = std::shared_ptr(std::move(videos.pairs))] { return pairs->read(); };
}

} // namespace isovmaf
