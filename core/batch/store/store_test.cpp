// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/store_index.hpp"

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::store_test {
namespace {

using namespace batch;

std::vector<std::byte> bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

Result<std::vector<std::byte>> words_of(const StoreIndex &index, const std::string &key) {
    return index.words({&key, 1}).front();
}

UnitRecord unit(const std::string &name, const std::string &key) { return {.unit = name, .key = key}; }

UnitRecord failure(const std::string &name, const std::string &key, const std::string &error) {
    return {.unit = name, .key = key, .error = error, .permanent = true};
}

TEST(Store, RecordsSurviveAsTextAndDamageIsSeen) {
    const InputRecord input{"/a \"b\"", 1, 2, 3, 4, "sha256:00", 5, true};
    const std::string line = encode_record(input);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    const std::string_view text(line.data(), line.size() - 1);
    const auto read = decode_record(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(std::get<InputRecord>(*read), input);
    for (std::size_t i = 0; i < text.size(); i++) {
        EXPECT_FALSE(decode_record(text.substr(0, i))) << i;
        std::string changed(text);
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(decode_record(changed)) << i;
    }
}

TEST(Store, UnitsKeepWarningsAndOlderRecordsHaveNone) {
    UnitRecord record = unit("u", "k");
    record.words = WordsPlace{0, 3};
    const std::string without = encode_record(record);
    EXPECT_EQ(without.find("warnings"), std::string::npos);
    EXPECT_THAT(std::get<UnitRecord>(*decode_record(without.substr(0, without.size() - 1))).warnings,
                ::testing::IsEmpty());
    record.warnings = {{PairWarning::lengths, "{reference} has \"3\" frames"},
                       {PairWarning::colours, "ü"},
                       {PairWarning::colours, "in 3 frames, it is", "interlacing of distorted", 3}};
    const std::string line = encode_record(record);
    EXPECT_EQ(std::get<UnitRecord>(*decode_record(line.substr(0, line.size() - 1))).warnings, record.warnings);
}

TEST(Store, SegmentsKeepWhatTheirPicturesSay) {
    UnitRecord record = unit("u", "k");
    record.words = WordsPlace{0, 3};
    record.pictures = WordsPlace{3, 4};
    record.rate = 60000.0 / 1001;
    record.start_difference = "{distorted} starts late";
    EXPECT_EQ(encode_record(record).find("settled"), std::string::npos);
    record.settled = {{"convert", "ref:420p8"}, {"convert", "dis:range"}, {"offset", "2"}};
    const std::string line = encode_record(record);
    const UnitRecord read = std::get<UnitRecord>(*decode_record(line.substr(0, line.size() - 1)));
    ASSERT_TRUE(read.pictures);
    EXPECT_EQ(std::pair(read.pictures->offset, read.pictures->bytes), std::pair(std::uint64_t{3}, std::uint64_t{4}));
    EXPECT_EQ(read.rate, record.rate);
    EXPECT_EQ(read.start_difference, record.start_difference);
    EXPECT_EQ(read.settled, record.settled);

    const TemporaryFolder folder;
    auto store = *StoreWriter::create(folder.path());
    ASSERT_TRUE(store->finished(unit("u1", "k1"), bytes_of("one"), {}, bytes_of("pictures")));
    ASSERT_TRUE(store->finished(unit("u2", "k2"), bytes_of("two")));
    ASSERT_TRUE(store->finished(unit("u3", "k3"), bytes_of("three"), {}, bytes_of("others")));
    ASSERT_TRUE(store->flush());
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    EXPECT_EQ(*words_of(index, "k1"), bytes_of("one"));
    EXPECT_EQ(*words_of(index, "k3"), bytes_of("three"));
    const std::vector<std::string> keys{"k3", "k2", "k1"};
    const auto pictures = index.pictures(keys);
    EXPECT_EQ(*pictures[0], bytes_of("others"));
    EXPECT_EQ(*pictures[1], bytes_of("")) << "as in stores of earlier builds";
    EXPECT_EQ(*pictures[2], bytes_of("pictures"));

    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path().extension() == ".words")
            std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 1);
    StoreIndex cut(folder.path());
    ASSERT_TRUE(cut.refresh());
    EXPECT_TRUE(cut.finished("k2"));
    EXPECT_FALSE(cut.finished("k3")) << "its pictures were lost";
}

/// What an index says of the units that were in work when processes died.
std::map<std::string, std::pair<int, int>> deaths_in(const StoreIndex &index) {
    std::map<std::string, std::pair<int, int>> all;
    for (const auto &[unit, deaths] : index.deaths())
        all[unit] = {deaths.all, deaths.alone};
    return all;
}

TEST(Store, UnitsWithoutAnEndDiedWithTheirProcessUnlessItStopped) {
    using Deaths = std::map<std::string, std::pair<int, int>>;
    const TemporaryFolder folder;
    auto first = *StoreWriter::create(folder.path()), second = *StoreWriter::create(folder.path());
    ASSERT_TRUE(first->begun({{"u1", "u2", "u3"}}));
    ASSERT_TRUE(first->finished(unit("u1", "k1"), bytes_of("one")));
    ASSERT_TRUE(first->append(failure("u2", "k2", "no video")));
    ASSERT_TRUE(second->begun({{"u3"}, true}));
    ASSERT_TRUE(first->flush());
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    EXPECT_EQ(deaths_in(index), (Deaths{{"u3", {2, 1}}}));
    StoreIndex other(folder.path());
    other.add_known(index.known());
    EXPECT_EQ(deaths_in(other), deaths_in(index));
    ASSERT_TRUE(second->stopped());
    ASSERT_TRUE(second->append(InputRecord{"/a", 1, 2, 3, 4, "sha256:00", 5})); // else the store is gone
    second.reset();
    ASSERT_TRUE(index.refresh());
    EXPECT_EQ(deaths_in(index), (Deaths{{"u3", {1, 0}}}));
}

TEST(Store, WhatIsKnownGoesToOtherProcessesWithoutTheWords) {
    const TemporaryFolder folder;
    const auto store = *StoreWriter::create(folder.path());
    const InputRecord input{"/a", 1, 2, 3, 4, "sha256:00", 5};
    UnitRecord moment{.unit = "u3", .key = "k3", .error = "no memory"};
    ASSERT_TRUE(store->append(input));
    ASSERT_TRUE(store->finished(unit("u1", "k1"), bytes_of("one")));
    ASSERT_TRUE(store->append(failure("u2", "k2", "no video")));
    ASSERT_TRUE(store->append(moment));
    ASSERT_TRUE(store->append(moment));
    ASSERT_TRUE(store->flush());
    StoreIndex index(folder.path()), other(folder.path());
    ASSERT_TRUE(index.refresh());
    other.add_known(index.known());
    EXPECT_EQ(other.inputs("/a"), std::vector{input});
    EXPECT_EQ(other.digests_of(2, 5), std::set<std::string>{input.digest});
    EXPECT_TRUE(other.finished("k1"));
    EXPECT_TRUE(other.fails_with("k2", ""));
    EXPECT_EQ(other.transient_failures("k3"), 2);
    EXPECT_EQ(other.transient_failures("k1"), 0);
}

TEST(Store, AShardLeavesTheStoresOfOtherShardsAlone) {
    const TemporaryFolder folder;
    const auto write = [&](const std::string &key, const Shard &shard) {
        const auto store = *StoreWriter::create(folder.path(), shard);
        EXPECT_TRUE(store->finished(unit("u", key), bytes_of("words")));
    };
    write("whole", {});
    write("own", {1, 12});
    write("other", {2, 12});
    write("like", {11, 12});
    write("cut", {2, 120});
    StoreIndex index(folder.path(), {1, 12}), all(folder.path());
    ASSERT_TRUE(index.refresh());
    ASSERT_TRUE(all.refresh());
    for (const char *const key : {"whole", "own", "cut"})
        EXPECT_TRUE(index.finished(key)) << key;
    for (const char *const key : {"other", "like"})
        EXPECT_TRUE(!index.finished(key) && all.finished(key)) << key;
}

TEST(Store, FailuresHaveAHostAndOlderRecordsHaveNone) {
    const auto decode = [](const std::string &host) {
        return std::get<UnitRecord>(*decode_record(
            seal_record(R"({"unit":"u","key":"k","error":"e","permanent":true,"versions":"v")" + host +
                        R"(,"frames":1,"seconds":1,"stages":{"decode":0,"upload":0,"kernels":0,"finish":0}})")));
    };
    EXPECT_EQ(decode("").host, "");
    EXPECT_EQ(decode(R"(,"host":"node1")").host, "node1");
    UnitRecord record = failure("u", "k", "e");
    record.host = "node2";
    const std::string line = encode_record(record);
    EXPECT_EQ(std::get<UnitRecord>(*decode_record(line.substr(0, line.size() - 1))).host, "node2");
    record = unit("u", "k");
    record.words = WordsPlace{0, 3};
    EXPECT_EQ(encode_record(record).find("host"), std::string::npos);
}

TEST(Store, OfEqualFailuresTheSameHostIsKeptInAnyOrder) {
    for (const auto &[first, second] : {std::pair{"node1", "node2"}, {"node2", "node1"}}) {
        const TemporaryFolder folder;
        const auto store = *StoreWriter::create(folder.path());
        for (const char *const host : {first, second}) {
            UnitRecord record = failure("u", "k", "e");
            record.host = host;
            ASSERT_TRUE(store->append(record));
        }
        ASSERT_TRUE(store->flush());
        StoreIndex index(folder.path());
        ASSERT_TRUE(index.refresh());
        EXPECT_EQ(index.failure("k")->host, "node2");
    }
}

TEST(Store, ReadersSeeWhatWasWrittenSoFar) {
    const TemporaryFolder folder;
    const auto first = *StoreWriter::create(folder.path()), second = *StoreWriter::create(folder.path());
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    EXPECT_FALSE(index.finished("k1"));
    ASSERT_TRUE(first->finished(unit("u1", "k1"), bytes_of("one")));
    ASSERT_TRUE(second->finished(unit("u2", "k2"), bytes_of("two")));
    ASSERT_TRUE(first->finished(unit("u1", "k3"), bytes_of("three")));
    ASSERT_TRUE(first->append(failure("u4", "", "no file")));
    ASSERT_TRUE(first->append(failure("u5", "k5", "no video")));
    ASSERT_TRUE(first->flush());
    ASSERT_TRUE(second->flush());
    ASSERT_TRUE(index.refresh());
    EXPECT_EQ(*words_of(index, "k1"), bytes_of("one"));
    EXPECT_EQ(*words_of(index, "k2"), bytes_of("two"));
    EXPECT_EQ(*words_of(index, "k3"), bytes_of("three"));
    EXPECT_THAT(index.keys_of("u1"), ::testing::ElementsAre("k1", "k3"));
    EXPECT_EQ(index.failure("u4")->error, "no file");
    EXPECT_EQ(index.failure("k5")->error, "no video");
    EXPECT_EQ(index.failure("u5")->error, "no video");
    EXPECT_FALSE(words_of(index, "k9"));
}

/// So many that several threads read them.
TEST(Store, ManyStoresAreReadAsIfOneAfterTheOther) {
    const TemporaryFolder folder;
    constexpr int stores = 300;
    for (int i = 0; i < stores; i++) {
        const auto store = *StoreWriter::create(folder.path());
        const std::string name = fmt::format("u{}", i), key = fmt::format("k{}", i);
        ASSERT_TRUE(store->finished(unit(name, key), bytes_of(fmt::format("words {}", i))));
        ASSERT_TRUE(store->finished(unit("same", "same"), bytes_of(fmt::format("same {}", i))));
        ASSERT_TRUE(store->append(failure("failed", key, fmt::format("error {:03}", i))));
    }
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    std::vector<std::string> keys{"none", "same"};
    for (int i = stores; i-- > 0;)
        keys.push_back(fmt::format("k{}", i));
    const auto words = index.words(keys);
    ASSERT_EQ(words.size(), keys.size());
    EXPECT_THAT(words[0].error().message, ::testing::HasSubstr("no store has words with the key none"));
    for (std::size_t i = 2; i < keys.size(); i++)
        EXPECT_EQ(*words[i], bytes_of("words " + keys[i].substr(1)));
    std::filesystem::path first = "~";
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        first = std::min(first, entry.path().filename());
    EXPECT_EQ(index.store_of("same"), first.stem());
    EXPECT_EQ(index.failure("failed")->error, fmt::format("error {:03}", stores - 1));
}

TEST(Store, APermanentFailureIsOneOfItsVersions) {
    const TemporaryFolder folder;
    const auto store = *StoreWriter::create(folder.path());
    UnitRecord record = failure("u", "k", "damaged");
    for (const char *const versions : {"new", "old"}) {
        record.versions = versions;
        ASSERT_TRUE(store->append(record));
    }
    record.versions = "other";
    record.permanent = false;
    ASSERT_TRUE(store->append(record));
    ASSERT_TRUE(store->flush());
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    EXPECT_TRUE(index.fails_with("k", "new"));
    EXPECT_TRUE(index.fails_with("k", "old"));
    EXPECT_FALSE(index.fails_with("k", "other")) << "it is not permanent";
    EXPECT_FALSE(index.fails_with("k", "newest"));
    EXPECT_FALSE(index.fails_with("l", "new"));
    EXPECT_TRUE(index.fails("k"));
    EXPECT_FALSE(index.fails("j"));
    EXPECT_FALSE(index.fails("l"));
}

std::filesystem::path only_file(const TemporaryFolder &folder, const char *extension) {
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path().extension() == extension)
            return entry.path();
    return {};
}

TEST(Store, AnEndThatIsMissingLosesItsUnitAlone) {
    const TemporaryFolder folder;
    const auto store = *StoreWriter::create(folder.path());
    ASSERT_TRUE(store->finished(unit("u1", "k1"), bytes_of("one")));
    ASSERT_TRUE(store->finished(unit("u2", "k2"), bytes_of("two")));
    ASSERT_TRUE(store->flush());
    const std::filesystem::path records = only_file(folder, ".jsonl"), words = only_file(folder, ".words");
    const auto size = std::filesystem::file_size(records);
    std::filesystem::resize_file(records, size - 1); // in the middle of a write
    StoreIndex index(folder.path());
    ASSERT_TRUE(index.refresh());
    EXPECT_TRUE(index.finished("k1"));
    EXPECT_FALSE(index.finished("k2"));
    std::ofstream(records, std::ios::app) << '\n'; // its end
    ASSERT_TRUE(index.refresh());
    EXPECT_EQ(*words_of(index, "k2"), bytes_of("two"));
    std::filesystem::resize_file(words, 5);
    EXPECT_THAT(words_of(index, "k2").error().message, ::testing::HasSubstr("shorter than its store says"));
    EXPECT_TRUE(words_of(index, "k1"));
}

/// Whether the stores of a folder have the words of a unit.
bool on_disk(const TemporaryFolder &folder, const std::string &key) {
    StoreIndex index(folder.path());
    return index.refresh() && words_of(index, key);
}

TEST(Store, HoldsALockUntilTheRecordIsOnDisk) {
    const TemporaryFolder folder;
    const auto store = *StoreWriter::create(folder.path());
    std::atomic<int> given_back = 0, too_early = 0;
    for (int i = 0; i < 200; i++) {
        const std::string key = fmt::format("k{}", i);
        const StoreWriter::Held lock(nullptr, [&, key](const void *) {
            too_early += !on_disk(folder, key);
            given_back++;
        });
        ASSERT_TRUE(store->finished(unit("u", key), bytes_of(key), lock));
    }
    ASSERT_TRUE(store->flush());
    EXPECT_EQ(given_back, 200);
    EXPECT_EQ(too_early, 0);
}

TEST(Store, WritesWhatIsLeftAtItsEnd) {
    const TemporaryFolder folder;
    auto store = *StoreWriter::create(folder.path());
    for (const char *key : {"k1", "k2", "k3"})
        ASSERT_TRUE(store->finished(unit("u", key), bytes_of(key)));
    store.reset();
    for (const char *key : {"k1", "k2", "k3"})
        EXPECT_TRUE(on_disk(folder, key)) << key;
}

TEST(Store, AfterAFailureNothingIsWrittenAndLocksAreGivenBack) {
    const TemporaryFolder folder;
    const auto store = *StoreWriter::create(folder.path());
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto ignore = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit nothing{0, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &nothing), 0);
    bool given_back = false;
    EXPECT_TRUE(store->append(failure("u1", "", "no file"),
                              StoreWriter::Held(nullptr, [&](const void *) { given_back = true; })));
    const Result<void> flushed = store->flush();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, ignore);
    EXPECT_THAT(flushed.error().message, ::testing::HasSubstr("cannot write"));
    EXPECT_TRUE(given_back);
    EXPECT_FALSE(store->append(failure("u2", "", "no file")));
    EXPECT_FALSE(store->finished(unit("u3", "k3"), bytes_of("three")));
}

TEST(Store, AStoreWithoutRecordsLeavesNoFile) {
    const TemporaryFolder folder;
    (*StoreWriter::create(folder.path())).reset();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(StoreRecord, NumbersThatAreNotWholeAreNoRecord) {
    const auto decode = [](const std::string &frames) {
        return batch::decode_record(
            batch::seal_record(R"({"unit":"u","key":"k","offset":0,"bytes":1,"frames":)" + frames +
                               R"(,"seconds":1,"stages":{"decode":0,"upload":0,"kernels":0,"finish":0}})"));
    };
    EXPECT_TRUE(decode("5"));
    EXPECT_FALSE(decode("5.5"));
    EXPECT_FALSE(decode("1e300"));
}

} // namespace
} // namespace isovmaf::testing::store_test
