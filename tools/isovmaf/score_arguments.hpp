// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isovmaf::tool {

/// The command line of `isovmaf score`, as typed.
struct ScoreArguments {
    std::string reference;
    std::string distorted;
    std::optional<int> width;
    std::optional<int> height;
    std::optional<std::string> pixel_format;
    std::optional<int> bit_depth;
    std::string resize;
    std::int64_t skip_reference = 0;
    std::int64_t skip_distorted = 0;
    std::optional<std::int64_t> frame_count;
    bool strict = false;

    std::vector<std::string> models;
    std::vector<std::string> model_folders;
    std::vector<std::string> features;
    bool no_prediction = false;
    int subsample = 1;
    std::string compat = "libvmaf-3.2";

    std::string backend = "auto";
    std::optional<int> device;
    std::vector<std::string> backend_folders;
    int frames_in_flight = 0;
    int threads = 0;

    std::string output;
    bool json = false, xml = false, csv = false, sub = false;
    std::string precision = "legacy";
    bool timing = false;
    bool quiet = false;
    bool verbose = false;
    bool progress = false;
};

} // namespace isovmaf::tool
