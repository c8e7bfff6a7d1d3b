// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/open_pair.hpp"

#include <algorithm>

#include "engine/plan/chroma_use.hpp"

namespace isovmaf::batch {

std::int64_t first_opened_frame(const FrameRange &frames) {
    return std::max<std::int64_t>(0, frames.first - max_lead_in);
}

VideoRequest videos_from(const PairJob &job, std::int64_t first) {
    VideoRequest videos = job.videos;
    videos.pair.skip_reference += first;
    videos.pair.skip_distorted += first;
    if (videos.pair.frame_count)
        *videos.pair.frame_count -= first;
    videos.chroma_readers = chroma_readers_of(job.session);
    return videos;
}

} // namespace isovmaf::batch
