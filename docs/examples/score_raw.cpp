// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores two raw 4:2:0 8-bit files with the library: score_raw REFERENCE DISTORTED WIDTH HEIGHT [FEATURE]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <isovmaf/score_video.hpp>

/// Reads one frame into memory of its own, which the session frees when it has scored the frame.
static isovmaf::Frame read_frame(std::ifstream &file, const isovmaf::VideoFormat &format) {
    const std::ptrdiff_t width = format.width, chroma_width = format.plane_width(1);
    const std::ptrdiff_t luma_size = width * format.height, chroma_size = chroma_width * format.plane_height(1);
    const auto memory = std::make_shared<std::vector<char>>(static_cast<std::size_t>(luma_size + 2 * chroma_size));
    file.read(memory->data(), static_cast<std::streamsize>(memory->size()));
    const char *luma = memory->data();
    return {
        format, memory, {luma, luma + luma_size, luma + luma_size + chroma_size}, {width, chroma_width, chroma_width}};
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > 6)
        return std::fprintf(stderr, "usage: score_raw REFERENCE DISTORTED WIDTH HEIGHT [FEATURE]\n"), 2;
    isovmaf::SessionOptions options{.format = {.width = std::atoi(argv[3]), .height = std::atoi(argv[4])}};
    if (argc == 5)
        options.scoring.models = {isovmaf::ModelRequest{}};
    else
        options.scoring.features = {{.name = argv[5]}};
    auto session = isovmaf::Session::create(options);
    if (!session)
        return std::fprintf(stderr, "%s\n", session.error().message.c_str()), 1;

    std::ifstream files[2] = {std::ifstream(argv[1], std::ios::binary), std::ifstream(argv[2], std::ios::binary)};
    const auto read = [&]() -> isovmaf::Result<std::optional<isovmaf::FramePair>> {
        isovmaf::FramePair pair{read_frame(files[0], options.format), read_frame(files[1], options.format)};
        if (!files[0] || !files[1])
            return std::nullopt; // one of the videos has no further whole frame
        return pair;
    };
    const auto print = [](const isovmaf::FrameScores &result) {
        std::printf("frame %lld: %f\n", static_cast<long long>(result.frame), result.scores.back());
    };
    if (auto end = isovmaf::score_video(*session, read, {.scored = print}); !end)
        return std::fprintf(stderr, "%s\n", end.error().message.c_str()), 1;
    const std::string &name = session->score_names().back();
    std::printf("mean of %s: %f\n", name.c_str(), session->pooled(name)->mean);
    return 0;
}
