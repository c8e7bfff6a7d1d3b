// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "request/scoring_arguments.hpp"
#include "request/video_arguments.hpp"

namespace isovmaf::diff {

/// What is compared, as it is asked for: texts and numbers of the options of `isovmaf diff`.
struct DiffArguments : VideoArguments, ScoringArguments {
    std::string backends = "cpu-ref,available";
    std::string devices = "first";
    std::vector<int> frames_in_flight;
    std::vector<int> streams;
    std::vector<std::string> required;
    std::vector<std::string> backend_folders;
    int threads = 0;
    int repeat = 1;

    std::string against;
    std::string clips_folder;

    std::vector<std::string> fills;
    std::vector<std::string> sizes;
    std::vector<std::string> chroma;
    std::vector<int> depths;
    int frames = 3;
    std::optional<std::uint32_t> seed;
    std::optional<double> fuzz_seconds;

    std::int64_t skip = 0;
    std::string crop;
    std::string keep_bits;
    bool no_locate = false;
};

} // namespace isovmaf::diff
