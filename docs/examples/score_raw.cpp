// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores two raw 4:2:0 8-bit files with the library: score_raw REFERENCE DISTORTED WIDTH HEIGHT [FEATURE]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <isovmaf/isovmaf.hpp>

int main(int argc, char **argv) {
    if (argc < 5 || argc > 6)
        return std::fprintf(stderr, "usage: score_raw REFERENCE DISTORTED WIDTH HEIGHT [FEATURE]\n"), 2;
    isovmaf::SessionOptions options{.format = {.width = std::atoi(argv[3]), .height = std::atoi(argv[4])}};
    if (argc == 5)
        options.models = {isovmaf::ModelRequest{}};
    else
        options.features = {{.name = argv[5]}};
    const isovmaf::VideoFormat &format = options.format;
    auto session = isovmaf::Session::create(options);
    if (!session)
        return std::fprintf(stderr, "%s\n", session.error().message.c_str()), 1;

    const std::ptrdiff_t width = format.width, chroma_width = format.plane_width(1);
    const std::ptrdiff_t luma_size = width * format.height, chroma_size = chroma_width * format.plane_height(1);
    std::vector<char> pictures[2];
    std::ifstream files[2] = {std::ifstream(argv[1], std::ios::binary), std::ifstream(argv[2], std::ios::binary)};
    for (;;) {
        isovmaf::FrameView views[2];
        for (int side = 0; side < 2; side++) {
            pictures[side].resize(static_cast<std::size_t>(luma_size + 2 * chroma_size));
            files[side].read(pictures[side].data(), static_cast<std::streamsize>(pictures[side].size()));
            const char *luma = pictures[side].data();
            views[side] = {{luma, luma + luma_size, luma + luma_size + chroma_size},
                           {width, chroma_width, chroma_width}};
        }
        if (!files[0] || !files[1])
            break;
        if (auto pushed = session->push(views[0], views[1]); !pushed) // copies: the memory is free for the next frame
            return std::fprintf(stderr, "%s\n", pushed.error().message.c_str()), 1;
    }
    if (auto finished = session->finish(); !finished)
        return std::fprintf(stderr, "%s\n", finished.error().message.c_str()), 1;
    while (auto result = session->next_result()) // frames that are ready can be taken between pushes, too
        std::printf("frame %lld: %f\n", static_cast<long long>(result->frame), result->scores.back());
    const std::string &name = session->score_names().back();
    std::printf("mean of %s: %f\n", name.c_str(), session->pooled(name)->mean);
    return 0;
}
