// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/video_fact.hpp"

namespace isovmaf {

std::optional<double> stated(const VideoFacts &facts, VideoFact fact) {
    switch (fact) {
    case VideoFact::none:
        break;
    case VideoFact::frame_rate:
        return facts.frame_rate;
    }
    return std::nullopt;
}

double assumed(VideoFact fact) {
    switch (fact) {
    case VideoFact::none:
        break;
    case VideoFact::frame_rate:
        return 25;
    }
    return 0;
}

std::string_view fact_name(VideoFact fact) {
    switch (fact) {
    case VideoFact::none:
        break;
    case VideoFact::frame_rate:
        return "frame rate";
    }
    return "";
}

} // namespace isovmaf
