// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include <libavutil/pixfmt.h>
}

#include "base/log.hpp"
#include "base/testing/temporary_folder.hpp"
#include "frame/frame.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/source.hpp"

/// Small video files for tests.
namespace isovmaf::testing {

/// Collects warnings, from any thread.
class Warnings {
  public:
    [[nodiscard]] LogSink sink();
    [[nodiscard]] std::vector<std::string> taken() const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

[[nodiscard]] std::string read_bytes(const std::string &path);

/// Frames 0 to `count` - 1 of the integer generator.
[[nodiscard]] std::vector<Frame> clip_frames(const VideoFormat &format, int count);

/// A frame of the samples that `sample(plane, x, y)` returns, with the chroma that files hold: rounded up.
[[nodiscard]] Frame stored_frame(const VideoFormat &format, const std::function<int(int, int, int)> &sample);

/// Frames as raw files hold them. The column and row that odd sizes add to chroma hold values found nowhere else,
/// unless the frames have them.
[[nodiscard]] std::string raw_bytes(const std::vector<Frame> &frames);

/// A Y4M file; `header` in full, without its line feed; the first frame's header has parameters.
[[nodiscard]] std::string y4m_bytes(std::string_view header, const std::vector<Frame> &frames);

/// A libav frame with the samples of a planar one, with its chroma rounded up.
[[nodiscard]] AvFrame av_frame(const Frame &frame);

/// Writes a video of `frames`, all of one shape, with libav: "matroska" and "ffv1", or "nut" and "rawvideo". False
/// when this libav lacks the encoder or the format.
[[nodiscard]] bool write_video(const std::string &path, const char *container, const char *codec,
                               const std::vector<AvFrame> &frames);

/// One video stream of a file: its frames, all of one shape, libav's disposition flags, by how many degrees a player
/// turns it clockwise, the presentation times of the frames in 1/25 s (0, 1, 2... if there are none), and options of
/// libav for the encoder.
struct WrittenStream {
    const std::vector<AvFrame> *frames;
    int disposition = 0;
    int rotation = 0;
    std::vector<std::int64_t> times = {};
    std::string encoder_options = {}; ///< "g=12,bf=2"; without any, each frame is a key frame
};

/// Writes several videos into one file, like write_video. The first frame of a stream says its colours.
[[nodiscard]] bool write_videos(const std::string &path, const char *container, const char *codec,
                                const std::vector<WrittenStream> &streams);

/// Whether formats and samples are the same.
[[nodiscard]] bool same_frame(const Frame &a, const Frame &b);

/// All frames of a source up to its end.
[[nodiscard]] Result<std::vector<Frame>> read_all(FrameSource &source);

/// Expects that `path` opens in `expected`'s format and holds exactly `expected`.
void expect_frames(const std::string &path, const SourceOptions &options, const std::vector<Frame> &expected);

} // namespace isovmaf::testing
