// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/testing/clip_files.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/try.hpp"
#include "content/patterns.hpp"
#include "frame/frame_pool.hpp"
#include "frame/validate.hpp"

namespace isovmaf::testing {

struct Warnings::Shared {
    std::mutex mutex;
    std::vector<std::string> sentences;
};

LogSink Warnings::sink() {
    if (!shared_)
        shared_ = std::make_shared<Shared>();
    return [shared = shared_](Severity, std::string_view sentence) {
        const std::scoped_lock lock(shared->mutex);
        shared->sentences.emplace_back(sentence);
    };
}

std::vector<std::string> Warnings::taken() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->sentences;
}

std::string read_bytes(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Frame> clip_frames(const VideoFormat &format, int count) {
    GeneratedClip clip(format);
    std::vector<Frame> frames;
    for (int n = 0; n < count; n++)
        frames.push_back(clip.frame(static_cast<std::uint32_t>(n)).reference);
    return frames;
}

Frame stored_frame(const VideoFormat &format, const std::function<int(int, int, int)> &sample) {
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    const WritableFrame frame = FramePool(format, ChromaEdge::present).take();
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        for (int y = 0; y < stored_height(format, p); y++) {
            std::byte *next = frame.data[i] + y * frame.stride_bytes[i];
            for (int x = 0; x < stored_width(format, p); x++, next += bytes) {
                const auto value = static_cast<std::uint16_t>(sample(p, x, y)); // little-endian, as files hold samples
                std::memcpy(next, &value, bytes);
            }
        }
    }
    return frame.frame;
}

std::string raw_bytes(const std::vector<Frame> &frames) {
    std::string bytes;
    for (const Frame &frame : frames) {
        const VideoFormat &format = frame.format();
        const auto sample_bytes = static_cast<std::size_t>(format.bytes_per_sample());
        for (int p = 0; p < format.plane_count(); p++) {
            const Plane plane = frame.stored_plane(p);
            const auto row_bytes = static_cast<std::size_t>(plane.width) * sample_bytes;
            const bool extra_column = stored_width(format, p) > plane.width;
            const bool extra_row = stored_height(format, p) > plane.height;
            for (int y = 0; y < plane.height; y++) {
                bytes.append(reinterpret_cast<const char *>(plane.row<std::byte>(y)), row_bytes);
                bytes.append(extra_column ? sample_bytes : 0, '\1');
            }
            bytes.append(extra_row ? row_bytes + (extra_column ? sample_bytes : 0) : 0, '\1');
        }
    }
    return bytes;
}

std::string y4m_bytes(std::string_view header, const std::vector<Frame> &frames) {
    std::string bytes = fmt::format("{}\n", header);
    for (std::size_t i = 0; i < frames.size(); i++)
        bytes += (i == 0 ? "FRAME Ip Xcomment\n" : "FRAME\n") + raw_bytes({frames[i]});
    return bytes;
}

bool same_frame(const Frame &a, const Frame &b) {
    if (a.format() != b.format())
        return false;
    for (int p = 0; p < a.format().plane_count(); p++) {
        const auto row_bytes = static_cast<std::size_t>(a.plane(p).width * a.format().bytes_per_sample());
        for (int y = 0; y < a.plane(p).height; y++)
            if (std::memcmp(a.plane(p).row<std::byte>(y), b.plane(p).row<std::byte>(y), row_bytes) != 0)
                return false;
    }
    return true;
}

Result<std::vector<Frame>> read_all(FrameSource &source) {
    std::vector<Frame> frames;
    for (;;) {
        auto frame = TRY(source.read());
        if (!frame)
            return frames;
        frames.push_back(*frame);
    }
}

void expect_frames(const std::string &path, const SourceOptions &options, const std::vector<Frame> &expected) {
    const auto source = open_source(path, options);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(format_text((*source)->info().format), format_text(expected.front().format()));
    const auto frames = read_all(**source);
    ASSERT_TRUE(frames) << frames.error().message;
    ASSERT_EQ(frames->size(), expected.size()) << path;
    for (std::size_t i = 0; i < expected.size(); i++)
        EXPECT_TRUE(same_frame((*frames)[i], expected[i])) << path << " frame " << i;
}

} // namespace isovmaf::testing
