// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/unit_digests.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf::batch {

namespace {

std::array<std::string, 2> paths_of(const PairJob &job) {
    return {job.videos.reference.path, job.videos.distorted.path};
}

} // namespace

Result<PairJob> UnitDigests::begin(PairJob job, const FrameRange &frames) {
    const bool whole = frames.first == 0 && !frames.end;
    for (VideoSide *const side : {&job.videos.reference, &job.videos.distorted}) {
        if (!videos_.contains(side->path)) {
            Video video;
            if (whole)
                video.reading = TRY(inputs_.begin_reading(side->path));
            if (!video.reading)
                video.digest = TRY(inputs_.digest(side->path));
            videos_.emplace(side->path, std::move(video));
        }
        if (const auto &reading = videos_.at(side->path).reading)
            side->content = reading->content;
    }
    return job;
}

bool UnitDigests::known(const PairJob &job) const {
    for (const std::string &path : paths_of(job))
        if (videos_.at(path).digest.empty())
            return false;
    return true;
}

Result<void> UnitDigests::finish_hashing(const PairJob &job) {
    for (const std::string &path : paths_of(job)) {
        Video &video = videos_.at(path);
        if (!video.digest.empty())
            continue;
        if (!video.reading) // this failed before
            return fail(ErrorCode::io, fmt::format("{} could not be hashed while it was read", path));
        const Inputs::Reading reading = *video.reading;
        video.reading.reset();
        video.digest = TRY(inputs_.end_reading(reading));
    }
    return {};
}

DigestSource UnitDigests::source() {
    return [this](const std::string &path) -> Result<std::optional<std::string>> {
        const auto video = videos_.find(path);
        if (video != videos_.end() && !video->second.digest.empty())
            return video->second.digest;
        return TRY(inputs_.digest(path));
    };
}

} // namespace isovmaf::batch
