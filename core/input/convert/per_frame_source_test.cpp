// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/per_frame_source.hpp"

#include <functional>
#include <new>

#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::per_frame_source_test {
namespace {

using namespace testing;

/// A video of two frames, half a second apart.
class TwoFrames final : public FrameSource {
  public:
    explicit TwoFrames(bool &cancelled) : frames_(clip_frames({16, 8}, 2)), cancelled_(cancelled) {
        info_.name = "a.mkv";
    }

    const SourceInfo &info() const override { return info_; }
    std::string end_warning() const override { return "a.mkv is cut short"; }
    void cancel() override { cancelled_ = true; }

    Result<std::optional<Frame>> read() override {
        if (next_ == frames_.size())
            return std::nullopt;
        Frame frame = frames_[next_];
        frame.set_seconds(0.5 * static_cast<double>(next_++));
        return frame;
    }

    Result<std::int64_t> skip(std::int64_t count) override {
        next_ += static_cast<std::size_t>(count);
        return count;
    }

  private:
    std::vector<Frame> frames_;
    std::size_t next_ = 0;
    bool &cancelled_;
    SourceInfo info_;
};

/// Makes every frame by the same function.
class Painted final : public PerFrameSource {
  public:
    using Paint = std::function<Result<Frame>()>;

    Painted(bool &cancelled, Paint paint)
        : PerFrameSource(std::make_unique<TwoFrames>(cancelled), described()), paint_(std::move(paint)) {}

  private:
    static SourceInfo described() {
        SourceInfo info;
        info.name = "a.mkv";
        info.conversions = {{"painted black"}};
        return info;
    }

    Result<Frame> make(const Frame & /*frame*/) override { return paint_(); }

    Paint paint_;
};

struct PerFrameSourceTest : ::testing::Test {
    bool cancelled = false;
};

TEST_F(PerFrameSourceTest, GivesEachPictureTheTimeOfItsFrame) {
    const Frame picture = clip_frames({4, 2}, 1).front();
    Painted source(cancelled, [&] { return picture; });
    for (const double seconds : {0.0, 0.5}) {
        const Frame frame = **source.read();
        EXPECT_TRUE(same_frame(frame, picture));
        EXPECT_EQ(frame.seconds(), seconds);
    }
    EXPECT_FALSE(source.read()->has_value());
    EXPECT_EQ(source.end_warning(), "a.mkv is cut short");
}

TEST_F(PerFrameSourceTest, SkipsAndStopsTheOtherVideo) {
    Painted source(cancelled, [] { return clip_frames({4, 2}, 1).front(); });
    EXPECT_EQ(*source.skip(1), 1);
    EXPECT_EQ((*source.read())->seconds(), 0.5);
    EXPECT_FALSE(cancelled);
    source.cancel();
    EXPECT_TRUE(cancelled);
}

TEST_F(PerFrameSourceTest, SaysWhichConversionFailed) {
    Painted refuses(cancelled, [] { return fail(ErrorCode::internal, "cannot paint"); });
    EXPECT_EQ(refuses.read().error().message, "cannot paint");
    Painted starves(cancelled, []() -> Result<Frame> { throw std::bad_alloc(); });
    EXPECT_EQ(starves.read().error().message, "not enough memory to convert a.mkv: painted black");
}

} // namespace
} // namespace isovmaf::per_frame_source_test
