// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string content(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view old_report = R"({"version": "0.1.0", "fps": 0.00})";

void put(const fs::path &path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

/// Gives up root's power to write everywhere for a while.
class OrdinaryUser {
  public:
    OrdinaryUser() { changed_ = root_ && seteuid(65534) == 0; }
    ~OrdinaryUser() {
        if (changed_ && seteuid(0) != 0)
            std::abort();
    }
    OrdinaryUser(const OrdinaryUser &) = delete;
    OrdinaryUser &operator=(const OrdinaryUser &) = delete;

    bool is_ordinary() const { return changed_ || !root_; }

  private:
    bool root_ = geteuid() == 0;
    bool changed_ = false;
};

/// A folder of its own, empty at the start.
class ReportFileTest : public ::testing::Test {
  protected:
    void SetUp() override { fs::permissions(folder_, fs::perms(0755)); }

    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    static std::string refusal(const std::string &path, const ReportRules &rules = {}) {
        const auto file = ReportFile::create(path, rules);
        if (file)
            return "created";
        return file.error().message;
    }

    const testing::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

TEST_F(ReportFileTest, AppearsCompleteOnCommit) {
    const fs::path path = folder_ / "report.json";
    auto file = ReportFile::create(path);
    ASSERT_TRUE(file);
    EXPECT_FALSE(fs::exists(path));
    const std::string text(1 << 20, 'x');
    ASSERT_TRUE(file->commit(text));
    EXPECT_EQ(content(path), text);
    EXPECT_EQ(files(), 1U);
}

TEST_F(ReportFileTest, HasTheUsualPermissions) {
    const mode_t before = umask(027);
    const fs::path path = folder_ / "report.json";
    EXPECT_TRUE(ReportFile::create(path)->commit("text"));
    umask(before);
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(ReportFileTest, LeavesNothingWithoutCommit) {
    {
        const auto file = ReportFile::create(folder_ / "report.json");
        EXPECT_EQ(files(), 1U);
    }
    EXPECT_EQ(files(), 0U);
}

TEST_F(ReportFileTest, OldFileStaysUntilCommit) {
    const fs::path path = folder_ / "report.json";
    put(path, old_report);
    {
        const auto file = ReportFile::create(path);
        EXPECT_EQ(content(path), old_report);
    }
    EXPECT_EQ(content(path), old_report);
    EXPECT_TRUE(ReportFile::create(path)->commit("new"));
    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(files(), 1U);
}

TEST_F(ReportFileTest, FailedCommitLeavesNoTemporary) {
    const fs::path path = folder_ / "report.json";
    auto file = ReportFile::create(path);
    ASSERT_TRUE(file);
    fs::create_directory(path); // in the way of the rename
    const auto result = file->commit("text");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("Is a directory"));
    EXPECT_EQ(files(), 1U);
}

/// A limit on the size of files stands in for a disk that fills up in the middle of the text.
TEST_F(ReportFileTest, OldFileSurvivesADiskThatFillsUp) {
    const fs::path path = folder_ / "report.json";
    put(path, old_report);
    auto file = ReportFile::create(path);
    ASSERT_TRUE(file);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{.rlim_cur = 1000, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto result = file->commit(std::string(1500, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, signal_before);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::io);
    EXPECT_EQ(result.error().message, "cannot write report " + path.string() + ": File too large");
    EXPECT_EQ(content(path), old_report);
    EXPECT_EQ(files(), 1U);
}

/// Not as root, for whom a ReportFile gone wrong would put a file in the device's place.
TEST_F(ReportFileTest, FullDeviceIsAnError) {
    const OrdinaryUser user;
    if (!user.is_ordinary())
        GTEST_SKIP() << "root may replace devices, and cannot be left here";
    auto file = ReportFile::create("/dev/full");
    ASSERT_TRUE(file);
    const auto result = file->commit("text");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "cannot write report /dev/full: No space left on device");
}

TEST_F(ReportFileTest, RefusesWhatCannotBeAFile) {
    EXPECT_THAT(refusal(folder_), HasSubstr("is a directory"));
    EXPECT_THAT(refusal(folder_.string() + "/"), HasSubstr("is a directory"));
    EXPECT_THAT(refusal(folder_ / "missing" / "report.json"), HasSubstr("No such file or directory"));
    EXPECT_THAT(refusal(folder_ / "missing/"), HasSubstr("no name of a file"));
    EXPECT_THAT(refusal(folder_ / std::string(300, 'x')), HasSubstr("File name too long"));
    EXPECT_THAT(refusal(""), HasSubstr("no name of a file"));
    put(folder_ / "file", "");
    EXPECT_THAT(refusal(folder_ / "file" / "report.json"), HasSubstr("Not a directory"));
    EXPECT_EQ(files(), 1U);
}

TEST_F(ReportFileTest, RefusesWhereItMayNotWrite) {
    put(folder_ / "report.json", old_report);
    fs::permissions(folder_ / "report.json", fs::perms(0444));
    fs::create_directory(folder_ / "open");
    put(folder_ / "open" / "protected.json", old_report);
    fs::permissions(folder_ / "open", fs::perms(0777));
    fs::permissions(folder_ / "open" / "protected.json", fs::perms(0444));
    fs::permissions(folder_, fs::perms(0555));
    const OrdinaryUser user;
    if (!user.is_ordinary())
        GTEST_SKIP() << "root may write everywhere, and cannot be left here";
    EXPECT_THAT(refusal(folder_ / "new.json"), HasSubstr("Permission denied"));
    EXPECT_THAT(refusal(folder_ / "report.json"), HasSubstr("Permission denied"));
    EXPECT_THAT(refusal(folder_ / "open" / "protected.json"), HasSubstr("Permission denied"));
    EXPECT_EQ(refusal(folder_ / "open" / "new.json"), "created");
}

TEST_F(ReportFileTest, LinksKeepPointingAtTheFile) {
    fs::create_directory(folder_ / "there");
    put(folder_ / "there" / "report.json", old_report);
    fs::create_symlink("there/report.json", folder_ / "link.json");
    EXPECT_TRUE(ReportFile::create(folder_ / "link.json")->commit("new"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
    EXPECT_EQ(content(folder_ / "there" / "report.json"), "new");
}

/// Through a chain of links, and with a name relative to the current folder.
TEST_F(ReportFileTest, LinksToAFileThatIsNotThereMakeThatFile) {
    fs::create_directory(folder_ / "there");
    fs::create_symlink("there/second.json", folder_ / "first.json");
    fs::create_symlink(folder_ / "there" / "report.json", folder_ / "there" / "second.json");
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    for (const char *text : {"new", "newer"}) {
        auto file = ReportFile::create("first.json", {.force = true});
        fs::current_path(before);
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->commit(text));
        fs::current_path(folder_);
        EXPECT_TRUE(fs::is_symlink(folder_ / "first.json"));
        EXPECT_TRUE(fs::is_symlink(folder_ / "there" / "second.json"));
        EXPECT_EQ(content(folder_ / "there" / "report.json"), text);
    }
    fs::current_path(before);
    fs::create_symlink("there/none/report.json", folder_ / "lost.json");
    EXPECT_THAT(refusal(folder_ / "lost.json"),
                HasSubstr("no file can be made in folder " + (folder_ / "there").string()));
    fs::create_symlink("round.json", folder_ / "round.json");
    EXPECT_THAT(refusal(folder_ / "round.json"), HasSubstr("Too many levels of symbolic links"));
}

TEST_F(ReportFileTest, NoLinkIsReplacedByTheScoresOfARunThatEndsEarly) {
    fs::create_symlink("elsewhere.json", folder_ / "report.json.partial");
    for (const bool there : {false, true}) {
        if (there)
            put(folder_ / "elsewhere.json", old_report);
        EXPECT_THAT(refusal(folder_ / "report.json", {.force = true}),
                    HasSubstr("report.json.partial is a symbolic link"));
    }
    fs::create_symlink("made.json", folder_ / "link.json");
    EXPECT_EQ(*ReportFile::create(folder_ / "link.json")->commit_partial("half"), folder_ / "made.json.partial");
    EXPECT_FALSE(fs::exists(folder_ / "made.json"));
}

TEST_F(ReportFileTest, NamesWithoutAFolderAreInTheCurrentOne) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    EXPECT_TRUE(ReportFile::create("report.json")->commit("text"));
    fs::current_path(before);
    EXPECT_EQ(content(folder_ / "report.json"), "text");
}

TEST_F(ReportFileTest, PipesAreWrittenDirectly) {
    const fs::path path = folder_ / "pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] { read = content(path); });
    const std::string text(300000, 'x'); // more than a pipe holds
    auto file = ReportFile::create(path);
    EXPECT_TRUE(file && file->commit(text));
    reader.join();
    EXPECT_EQ(read, text);
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(ReportFileTest, DashIsStandardOutput) {
    for (const char *name : {"-", "/dev/stdout"}) {
        ::testing::internal::CaptureStdout();
        EXPECT_TRUE(ReportFile::create(name)->commit("text")) << name;
        EXPECT_EQ(::testing::internal::GetCapturedStdout(), "text") << name;
    }
}

TEST_F(ReportFileTest, KeepsThePermissionsOfTheOldFile) {
    const fs::path path = folder_ / "report.json";
    put(path, old_report);
    fs::permissions(path, fs::perms(0640));
    EXPECT_TRUE(ReportFile::create(path)->commit("new"));
    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(ReportFileTest, ReplacesNoInput) {
    const fs::path input = folder_ / "video.mp4";
    put(input, old_report); // even though it looks like a report
    fs::create_hard_link(input, folder_ / "hard.mp4");
    fs::create_symlink("video.mp4", folder_ / "soft.mp4");
    for (const char *name : {"video.mp4", "hard.mp4", "soft.mp4"}) {
        const auto file = ReportFile::create(folder_ / name, {.inputs = {"missing", input}, .force = true});
        ASSERT_FALSE(file) << name;
        EXPECT_EQ(file.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(file.error().message, HasSubstr("same file as the input " + input.string()));
    }
    EXPECT_THAT(refusal(folder_ / "soft.mp4", {.inputs = {"file:" + input.string()}}), HasSubstr("same file"));
    EXPECT_EQ(content(input), old_report);
}

TEST_F(ReportFileTest, ReplacesWhatIsNoReportOnlyByForce) {
    const fs::path path = folder_ / "thesis.tex";
    put(path, "ten years of work");
    EXPECT_THAT(refusal(path), HasSubstr("is no report of isovmaf or libvmaf"));
    EXPECT_EQ(content(path), "ten years of work");
    EXPECT_TRUE(ReportFile::create(path, {.force = true})->commit("new"));
    EXPECT_EQ(content(path), "new");
    put(folder_ / "empty", ""); // as mktemp makes it
    EXPECT_EQ(refusal(folder_ / "empty"), "created");
}

TEST_F(ReportFileTest, AnInterruptedRunLeavesTheOldReport) {
    const fs::path path = folder_ / "report.json", partial = folder_ / "report.json.partial";
    put(path, old_report);
    EXPECT_EQ(*ReportFile::create(path)->commit_partial(old_report), partial);
    EXPECT_EQ(*ReportFile::create(path)->commit_partial("half"), partial);
    EXPECT_EQ(content(path), old_report);
    EXPECT_EQ(content(partial), "half");
    EXPECT_THAT(refusal(path), HasSubstr("report.json.partial: it exists and is no report"));
    EXPECT_THAT(refusal(path, {.inputs = {partial}, .force = true}), HasSubstr("same file"));
    EXPECT_EQ(files(), 2U);
}

TEST_F(ReportFileTest, DescriptorsHaveNames) {
    const int descriptor = open((folder_ / "there").c_str(), O_WRONLY | O_CREAT, 0600);
    EXPECT_TRUE(ReportFile::create("/dev/fd/" + std::to_string(descriptor))->commit("text"));
    close(descriptor);
    EXPECT_EQ(content(folder_ / "there"), "text");
    const int closed = open("/dev/null", O_RDONLY);
    EXPECT_THAT(refusal("/dev/fd/" + std::to_string(closed)), HasSubstr("Bad file descriptor"));
    close(closed);
    EXPECT_THAT(refusal("/dev/fd/" + std::to_string(closed)), HasSubstr("Bad file descriptor"));
}

TEST_F(ReportFileTest, MovingHandsTheTemporaryOver) {
    auto first = *ReportFile::create(folder_ / "first.json");
    ReportFile second = std::move(first);
    first = *ReportFile::create(folder_ / "third.json");
    EXPECT_EQ(files(), 2U);
    second = std::move(first);
    EXPECT_EQ(files(), 1U);
    EXPECT_TRUE(second.commit("text"));
    EXPECT_EQ(content(folder_ / "third.json"), "text");
    EXPECT_EQ(files(), 1U);
}

} // namespace
} // namespace isovmaf
