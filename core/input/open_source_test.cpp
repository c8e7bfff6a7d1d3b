// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::open_source_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

constexpr VideoFormat small{.width = 16, .height = 10};

Error open_error(const std::string &path, const SourceOptions &options = {}) {
    const auto source = open_source(path, options);
    return source ? Error{ErrorCode::internal, "opened"} : source.error();
}

TEST(OpenSource, TellsFailuresApart) {
    const TemporaryFolder folder;
    const struct {
        std::string path;
        ErrorCode code;
        const char *message;
    } cases[] = {
        {folder.file("none.mp4"), ErrorCode::not_found, "there is no file \""},
        {folder.write("plain", "x") + "/below.y4m", ErrorCode::not_found, "there is no file \""},
        {"", ErrorCode::not_found, "there is no file \"\""},
        {folder.file(""), ErrorCode::invalid_argument, "is a directory, not a video"},
        {folder.write("empty.mkv", ""), ErrorCode::corrupt_data, "empty.mkv is empty"},
        {folder.write("noise.bin", std::string(5000, '\xa7')), ErrorCode::corrupt_data,
         "noise.bin is in no video format known here"},
        {folder.write("notes.txt", std::string("Minutes of the meeting\n")), ErrorCode::corrupt_data,
         "notes.txt is in no video format known here"},
        {folder.file("a\n\x1b[31m"), ErrorCode::not_found, "a\\x0a\\x1b[31m\""},
        {"/dev/null", ErrorCode::corrupt_data, "/dev/null is empty"},
    };
    for (const auto &c : cases) {
        const Error error = open_error(c.path);
        EXPECT_EQ(error.code, c.code) << error.message;
        EXPECT_THAT(error.message, HasSubstr(c.message));
    }
    EXPECT_THAT(open_error(folder.file("empty.mkv"), {.stated = small}).message, HasSubstr("is empty"));
}

TEST(OpenSource, SaysWhenPermissionIsMissing) {
    const TemporaryFolder folder;
    const std::string path = folder.write("secret.y4m", "x");
    chmod(path.c_str(), 0);
    if (access(path.c_str(), R_OK) == 0)
        GTEST_SKIP() << "this user reads everything";
    EXPECT_EQ(open_error(path).message, "no permission to read " + path);
}

/// Standard input for a while.
class Redirect {
  public:
    explicit Redirect(int descriptor) : saved_(dup(STDIN_FILENO)) {
        dup2(descriptor, STDIN_FILENO);
        close(descriptor);
    }
    ~Redirect() {
        dup2(saved_, STDIN_FILENO);
        close(saved_);
    }

  private:
    int saved_;
};

/// A pipe that holds `bytes` and then ends. They have to fit its buffer, 64 KiB.
int filled_pipe(const std::string &bytes) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        ADD_FAILURE() << "cannot fill a pipe";
    close(ends[1]);
    return ends[0];
}

TEST(StandardInput, ReadsY4mRawAndContainersFromAPipe) {
    const auto frames = clip_frames(small, 3);
    {
        const Redirect redirect(filled_pipe(y4m_bytes("YUV4MPEG2 W16 H10", frames)));
        expect_frames("-", {}, frames);
    }
    {
        const Redirect redirect(filled_pipe(raw_bytes(frames)));
        expect_frames("-", {.stated = small}, frames);
    }
    const TemporaryFolder folder;
    std::vector<AvFrame> pictures;
    for (const Frame &frame : frames)
        pictures.push_back(av_frame(frame));
    if (!write_video(folder.file("a.mkv"), "matroska", "ffv1", pictures))
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    const Redirect redirect(filled_pipe(read_bytes(folder.file("a.mkv"))));
    expect_frames("-", {}, frames);
}

TEST(StandardInput, ReadsAFileFromWhereItStands) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(small, 2);
    const int descriptor = open(folder.write("a", "skipped" + raw_bytes(frames)).c_str(), O_RDONLY);
    lseek(descriptor, 7, SEEK_SET);
    const Redirect redirect(descriptor);
    expect_frames("-", {.stated = small}, frames);
}

TEST(StandardInput, CanBeEmptyOrCutShort) {
    {
        const Redirect redirect(filled_pipe(""));
        EXPECT_EQ(open_error("-").message, "standard input is empty");
    }
    const std::string cut = raw_bytes(clip_frames(small, 2)).substr(0, 300);
    {
        const Redirect redirect(filled_pipe(cut));
        const auto source = *open_source("-", {.stated = small});
        EXPECT_EQ(read_all(*source).error().message, "standard input ends inside frame 1, after 60 of its 240 bytes; "
                                                     "check that the file is complete and its format right");
    }
    const Redirect redirect(filled_pipe(cut));
    const auto source = *open_source("-", {.stated = small, .allow_partial = true});
    EXPECT_FALSE(source->info().frame_count);
    EXPECT_EQ(read_all(*source)->size(), 1u);
    EXPECT_THAT(source->end_warning(), HasSubstr("standard input ends inside frame 1, after 60"));
}

TEST(StandardInput, CanBeCutInsidePlanesThatNobodyWants) {
    const std::string raw = raw_bytes(clip_frames(small, 2)),
                      y4m = y4m_bytes("YUV4MPEG2 W16 H10", clip_frames(small, 2));
    for (const auto &[bytes, stated] : {std::pair{raw, StatedFormat(small)}, {y4m, {}}})
        for (const int planes : {1, 2, 3}) {
            const Redirect redirect(filled_pipe(bytes.substr(0, bytes.size() - 1)));
            const auto source = *open_source("-", {.stated = stated, .allow_partial = true});
            ASSERT_TRUE(source->prepare({.planes = planes}));
            EXPECT_EQ(read_all(*source)->size(), 1u) << planes << " planes";
            EXPECT_EQ(source->end_warning(),
                      "standard input ends inside frame 1, after 239 of its 240 bytes; the 1 whole "
                      "frames before it are used");
        }
}

} // namespace
} // namespace isovmaf::open_source_test
