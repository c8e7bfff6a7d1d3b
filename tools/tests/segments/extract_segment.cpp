// SPDX-License-Identifier: BSD-2-Clause-Patent
// Extracts frames FIRST to END - 1 of a clip into a words file:
//
//     extract_segment FILE FIRST END CASE...
//
// CASE as segment_case.hpp says. Exit code 0: written; 1: not, with a sentence on standard error.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "engine/extraction.hpp"
#include "engine/words/segments.hpp"
#include "segment_case.hpp"

namespace isovmaf::testing {
namespace {

WordsFile extract(const SegmentCase &the_case, std::int64_t first, std::int64_t end) {
    const VideoFormat format = open_pairs(the_case, 0).format;
    SegmentExtraction segment =
        value_of(SegmentExtraction::create(format, the_case.scoring, value_of(open_execution(one_thread)), first));
    const CasePairs pairs = open_pairs(the_case, first - segment.extraction().lead_in());
    std::optional<FramePair> pair = pairs.read();
    for (std::int64_t n = first - segment.extraction().lead_in(); pair && n < end; n++) {
        value_of(segment.extraction().push(*pair));
        pair = pairs.read();
    }
    return value_of(segment.finish(!pair));
}

void run(const std::vector<std::string> &arguments) {
    if (arguments.size() < 4)
        throw Failure({ErrorCode::invalid_argument, "usage: extract_segment FILE FIRST END CASE..."});
    const SegmentCase the_case = SegmentCase::parse({arguments.begin() + 3, arguments.end()});
    const WordsFile words = extract(the_case, std::stoll(arguments[1]), std::stoll(arguments[2]));
    const std::vector<std::byte> bytes = encode_words(words);
    std::ofstream file(arguments[0], std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        throw Failure({ErrorCode::io, "cannot write " + arguments[0]});
}

} // namespace
} // namespace isovmaf::testing

int main(int argc, char **argv) {
    try {
        isovmaf::testing::run({argv + 1, argv + argc});
        return 0;
    } catch (const std::exception &error) {
        fmt::print(stderr, "extract_segment: {}\n", error.what());
        return 1;
    }
}
