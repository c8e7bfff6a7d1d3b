// SPDX-License-Identifier: BSD-2-Clause-Patent
// The executor on kernels of test_kernels.cu, which is compiled for the architecture that ISOVMAF_TEST_CODE_OBJECT is
// for.
#include "hip/testing/amd/executor.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gmock/gmock.h>

#include "hip/testing/amd/wave.hpp"

namespace isovmaf::executor_test {
namespace {

using namespace amd;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Settings every_setting[] = {{Order::forward, 0, 1}, {Order::reverse, 0, 1}, {Order::shuffle, 3, 2}};

struct Words {
    std::uint32_t added = 0, limit = ~0u;
};

const Program &program() {
    static const Program made = [] {
        std::ifstream file(std::getenv("ISOVMAF_TEST_CODE_OBJECT"), std::ios::binary);
        return Program(std::string(std::istreambuf_iterator<char>(file), {}));
    }();
    return made;
}

class Executor : public ::testing::Test {
  protected:
    /// Memory for a test's kernels.
    template <class T>
    std::vector<T> &buffer(std::vector<T> &content) {
        memory_.add(content.data(), content.size() * sizeof(T), true);
        return content;
    }

    /// The same for strict execution: words that were written.
    std::vector<std::uint32_t> &watched(std::vector<std::uint32_t> &content) {
        const std::size_t bytes = content.size() * sizeof(std::uint32_t);
        memory_.add(content.data(), bytes, true, true);
        memory_.copied(content.data(), nullptr, bytes, {});
        return content;
    }

    /// `arguments` are pointers and structures, in the kernel's order.
    template <class... Arguments>
    void run(const char *name, std::array<std::uint32_t, 3> groups, std::array<std::uint32_t, 3> size,
             const Settings &settings, Arguments... arguments) {
        run_as(0, name, groups, size, settings, arguments...);
    }

    /// The same as work of a number in the timeline, or as any work.
    template <class... Arguments>
    void run_as(std::uint32_t work, const char *name, std::array<std::uint32_t, 3> groups,
                std::array<std::uint32_t, 3> size, const Settings &settings, Arguments... arguments) {
        const Kernel *const kernel = program().find(name);
        ASSERT_NE(kernel, nullptr);
        ASSERT_EQ(kernel->arguments.size(), sizeof...(arguments));
        void *const values[] = {&arguments...};
        execute(program(), {kernel, groups, size, gather_arguments(*kernel, values), work, work ? &timeline_ : nullptr},
                memory_, settings);
    }

    /// The message of the fault of a kernel whose first argument is a buffer of 64 words.
    template <class... Arguments>
    std::string fault_of(const char *name, Arguments... arguments) {
        std::vector<std::uint32_t> words(64);
        buffer(words);
        return message([&] { run(name, {1, 1, 1}, {64, 1, 1}, {}, words.data(), arguments...); });
    }

    /// The same of strict execution. The buffer has 256 words, which were written.
    template <class... Arguments>
    std::string strict_fault_of(const char *name, std::uint32_t groups, Arguments... arguments) {
        std::vector<std::uint32_t> words(256);
        watched(words);
        memory_.add(unwritten_.data(), sizeof unwritten_, true, true);
        const std::uint32_t size = name == std::string("misses_a_barrier") ? 256 : 64;
        Settings settings;
        settings.strict = true;
        return message([&] { run(name, {groups, 1, 1}, {size, 1, 1}, settings, words.data(), arguments...); });
    }

    [[nodiscard]] const std::uint64_t *unwritten() const { return unwritten_.data(); }

    /// The message of the fault of the second of two launches, each on its stream, which write the same words. Between
    /// them `order` may wait.
    template <class Function>
    std::string fault_of_two(const Function &order) {
        std::vector<std::uint32_t> words(64);
        memory_.add(words.data(), 256, true, true);
        Settings settings;
        settings.strict = true;
        const auto launch = [&](const char *stream) {
            timeline_.submitted(stream);
            run_as(timeline_.begin(stream), "groups_write_one_word", {1, 1, 1}, {64, 1, 1}, settings, words.data());
        };
        launch(first_stream);
        order(timeline_);
        return message([&] { launch(second_stream); });
    }

    /// The message of the fault of a launch that writes what a launch on each of three streams reads. It waits for
    /// those on `waited`.
    std::string fault_of_write_after_reads(std::initializer_list<const char *> waited) {
        std::vector<std::uint32_t> read(64), out(64);
        Settings settings;
        settings.strict = true;
        memory_.add(read.data(), 256, true, true);
        memory_.copied(read.data(), nullptr, 256, {});
        for (const char *stream : {first_stream, second_stream, third_stream}) {
            buffer(out);
            run_as(timeline_.begin(stream), "strides_in_global", {1, 1, 1}, {64, 1, 1}, settings, out.data(),
                   read.data(), Words{1, 64});
            timeline_.record(stream, stream);
        }
        timeline_.submitted(fourth_stream);
        for (const char *stream : waited)
            timeline_.wait(fourth_stream, stream);
        return message([&] {
            run_as(timeline_.begin(fourth_stream), "groups_write_one_word", {1, 1, 1}, {64, 1, 1}, settings,
                   read.data());
        });
    }

    static constexpr const char *third_stream = "three", *fourth_stream = "four";
    static constexpr const char *first_stream = "one", *second_stream = "two", *event = "event";

  private:
    template <class Function>
    static std::string message(const Function &function) {
        try {
            function();
            return "no fault";
        } catch (const Fault &fault) {
            return fault.what();
        }
    }

    Memory memory_;
    Timeline timeline_;
    std::array<std::uint64_t, 64> unwritten_{};
};

std::vector<std::uint32_t> counted(std::size_t count) {
    std::vector<std::uint32_t> words(count);
    std::iota(words.begin(), words.end(), 1000u);
    return words;
}

/// Words with other bits in every byte.
std::vector<std::uint32_t> mixed(std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t i = 0; i < count; i++)
        words[i] = i * 0x9e3779b9u;
    return words;
}

TEST_F(Executor, ThreadsKnowTheirPlaces) {
    for (const Settings &settings : every_setting) {
        std::vector<std::uint32_t> places(12 * 30);
        run("places", {3, 2, 2}, {5, 3, 2}, settings, buffer(places).data());
        for (std::uint32_t i = 0; i < places.size(); i++) {
            const std::uint32_t thread = i % 30, group = i / 30;
            EXPECT_EQ(places[i], thread % 5 | thread / 5 % 3 << 4 | thread / 15 << 8 | group % 3 << 12 |
                                     group / 3 % 2 << 16 | group / 6 << 20)
                << i;
        }
    }
}

std::uint32_t collatz_steps(std::uint32_t number) {
    std::uint32_t steps = 0;
    for (; number != 1; steps++)
        number = number % 2 ? 3 * number + 1 : number / 2;
    return steps;
}

TEST_F(Executor, LanesTakeTheirOwnBranches) {
    std::vector<std::uint32_t> steps(200);
    run("diverges", {1, 1, 1}, {256, 1, 1}, {}, buffer(steps).data(), Words{27, 200});
    for (std::uint32_t i = 0; i < steps.size(); i++)
        EXPECT_EQ(steps[i], collatz_steps(i + 27)) << i;
}

TEST_F(Executor, WavesMeetAtBarriers) {
    for (const Settings &settings : every_setting) {
        std::vector<std::uint32_t> in = counted(4 * 256), out(in.size());
        run("reverses", {4, 1, 1}, {256, 1, 1}, settings, buffer(in).data(), buffer(out).data());
        for (std::size_t group = 0; group < 4; group++)
            std::reverse(in.begin() + long(256 * group), in.begin() + long(256 * (group + 1)));
        EXPECT_EQ(in, out);
    }
}

TEST_F(Executor, AtomicsAreComplete) {
    for (const Settings &settings : every_setting) {
        std::vector<std::uint32_t> in = counted(50 * 64);
        std::vector<std::uint64_t> sum = {7};
        run("sums", {50, 1, 1}, {64, 1, 1}, settings, buffer(in).data(), buffer(sum).data());
        EXPECT_EQ(sum[0], 7 + (std::accumulate(in.begin(), in.end(), std::uint64_t{0}) << 20));
    }
}

TEST_F(Executor, NumbersOfEverySizeAreLoadedAndStored) {
    std::vector<std::uint8_t> in(512), out(960);
    for (std::size_t i = 0; i < in.size(); i++)
        in[i] = static_cast<std::uint8_t>(i * 37 + 200);
    run("sizes", {1, 1, 1}, {64, 1, 1}, {}, buffer(in).data(), buffer(out).data());
    EXPECT_EQ(std::memcmp(out.data(), in.data(), 64), 0);
    EXPECT_EQ(std::memcmp(out.data() + 64, in.data(), 128), 0);
    for (std::size_t i = 0; i < 64; i++) {
        std::int16_t half = 0;
        std::int32_t extended = 0;
        std::uint64_t whole = 0, product = 0;
        std::memcpy(&half, in.data() + 2 * i, sizeof half);
        std::memcpy(&extended, out.data() + 192 + 4 * i, sizeof extended);
        std::memcpy(&whole, in.data() + 8 * i, sizeof whole);
        std::memcpy(&product, out.data() + 448 + 8 * i, sizeof product);
        EXPECT_EQ(extended, half) << i;
        EXPECT_EQ(product, whole * 3) << i;
    }
}

TEST_F(Executor, HalvesOfWordsAreStoredInLocalMemory) {
    for (const Settings &settings : every_setting) {
        std::vector<std::uint32_t> in = mixed(64), out(64);
        run("halves_in_local", {1, 1, 1}, {64, 1, 1}, settings, buffer(in).data(), buffer(out).data());
        for (std::size_t i = 0; i < in.size(); i++)
            EXPECT_EQ(out[i], (in[63 - i] & 0xffff) | (in[i] & 0xffff0000)) << i;
    }
}

TEST_F(Executor, HalvesOfRegistersAreLoadedFromLocalMemory) {
    for (const Settings &settings : every_setting) {
        std::vector<std::uint32_t> in = mixed(64), out(64);
        run("halves_from_local", {1, 1, 1}, {64, 1, 1}, settings, buffer(in).data(), buffer(out).data());
        for (std::size_t i = 0; i < in.size(); i++)
            EXPECT_EQ(out[i], in[63 - i] >> 16 | (in[63 - i] & 0xff) << 16) << i;
    }
}

TEST_F(Executor, HalvesOfSourcesAreChosen) {
    std::vector<std::uint32_t> in(64), out(256);
    for (std::uint32_t i = 0; i < in.size(); i++)
        in[i] = ~(i * 0x9e3779b9u);
    run("products_of_halves", {1, 1, 1}, {64, 1, 1}, {}, buffer(in).data(), buffer(out).data());
    for (std::uint32_t i = 0; i < in.size(); i++) {
        const std::uint32_t low = in[i] & 0xffff, high = in[i] >> 16;
        EXPECT_EQ(out[4 * i], low * low + i);
        EXPECT_EQ(out[4 * i + 1], high * low + i);
        EXPECT_EQ(out[4 * i + 2], low * high + i);
        EXPECT_EQ(out[4 * i + 3], high * high + i);
    }
}

TEST_F(Executor, SharedWordsBytesAndHalvesAreChanged) {
    for (const bool strict : {false, true})
        for (Settings settings : every_setting) {
            settings.strict = strict;
            std::vector<std::uint32_t> out(64);
            run("changes_shared", {5, 1, 1}, {128, 1, 1}, settings, (strict ? watched(out) : buffer(out)).data());
            out.resize(9);
            EXPECT_EQ(out, (std::vector<std::uint32_t>{0x1f, 127 * 64, 500 - 127, (1u << 29) - 1, 44u << 16 | 47,
                                                       34464u << 16 | 35464, 0, 0, 0xffff'8e70}));
        }
}

TEST_F(Executor, AccessOutsideABufferIsAFault) {
    EXPECT_EQ(fault_of("writes_outside", Words{}), "no fault");
    EXPECT_THAT(fault_of("writes_outside", Words{1}),
                AllOf(HasSubstr("kernel writes_outside"), HasSubstr("global_store"), HasSubstr("writing 4 bytes")));
    EXPECT_THAT(fault_of("reads_outside", Words{1}), HasSubstr("reading 4 bytes"));
}

TEST_F(Executor, AnUnalignedAtomicIsAFault) {
    EXPECT_THAT(fault_of("adds_unaligned"), AllOf(HasSubstr("global_atomic_add"), HasSubstr("not aligned")));
}

TEST_F(Executor, AnUnknownInstructionIsAFault) {
    EXPECT_THAT(fault_of("is_unknown"), AllOf(HasSubstr("kernel is_unknown"), HasSubstr("s_sethalt 1")));
}

TEST_F(Executor, GroupsOfALaunchMustNotMeet) {
    EXPECT_THAT(strict_fault_of("groups_write_one_word", 2), AllOf(HasSubstr("a race"), HasSubstr("writing 4 bytes")));
    EXPECT_THAT(strict_fault_of("groups_read_and_write", 2), HasSubstr("a race: reading 4 bytes"));
    EXPECT_THAT(strict_fault_of("adds_and_reads", 2), HasSubstr("a race: reading"));
    EXPECT_EQ(strict_fault_of("groups_write_one_word", 1), "no fault");
    EXPECT_EQ(strict_fault_of("groups_write_their_own", 4), "no fault");
}

TEST_F(Executor, LaunchesOnTwoStreamsNeedAnOrder) {
    EXPECT_THAT(fault_of_two([](Timeline &) {}), HasSubstr("no order between this and earlier work"));
    EXPECT_THAT(fault_of_two([](Timeline &timeline) { timeline.record(event, first_stream); }), HasSubstr("no order"));
    EXPECT_EQ(fault_of_two([](Timeline &timeline) {
                  timeline.record(event, first_stream);
                  timeline.wait(second_stream, event);
              }),
              "no fault");
    EXPECT_EQ(fault_of_two([](Timeline &timeline) {
                  timeline.record(event, first_stream);
                  timeline.host_waited(event);
              }),
              "no fault");
}

TEST_F(Executor, AWriteWaitsForTheReadsOfAllStreams) {
    EXPECT_EQ(fault_of_write_after_reads({first_stream, second_stream, third_stream}), "no fault");
    EXPECT_THAT(fault_of_write_after_reads({second_stream, third_stream}), HasSubstr("no order"));
    EXPECT_THAT(fault_of_write_after_reads({first_stream, third_stream}), HasSubstr("no order"));
    EXPECT_THAT(fault_of_write_after_reads({first_stream, second_stream}), HasSubstr("no order"));
}

TEST_F(Executor, WavesMustNotMeetBetweenBarriers) {
    EXPECT_THAT(strict_fault_of("misses_a_barrier", 1, Words{64, 0}), HasSubstr("a race between waves"));
    EXPECT_EQ(strict_fault_of("misses_a_barrier", 1, Words{64, 1}), "no fault");
    EXPECT_EQ(strict_fault_of("misses_a_barrier", 1, Words{1, 0}), "no fault") << "the words of the same wave";
}

TEST_F(Executor, WhatNobodyWroteMustHaveNoEffect) {
    EXPECT_THAT(strict_fault_of("stores_unwritten", 1, unwritten()), HasSubstr("what memory gets depends on bits"));
    EXPECT_THAT(strict_fault_of("stores_unwritten_local", 1), HasSubstr("what memory gets"));
    EXPECT_THAT(strict_fault_of("adds_unwritten", 1, unwritten()), HasSubstr("what memory gets"));
    EXPECT_THAT(strict_fault_of("addresses_by_unwritten", 1, unwritten()), HasSubstr("an address depends on bits"));
    EXPECT_THAT(strict_fault_of("selects_lanes_by_unwritten", 1, unwritten()), HasSubstr("EXEC depends on bits"));
    EXPECT_THAT(strict_fault_of("branches_on_unwritten", 1, unwritten()), HasSubstr("a branch depends on bits"));
    EXPECT_EQ(strict_fault_of("discards_unwritten", 1, unwritten()), "no fault");
}

TEST_F(Executor, LoadsMustBeWaitedFor) {
    std::vector<std::uint32_t> in(64);
    buffer(in);
    const auto early = HasSubstr("a register is used before the wait");
    EXPECT_THAT(strict_fault_of("uses_before_waiting", 1, in.data()), early);
    EXPECT_THAT(strict_fault_of("uses_scalars_before_waiting", 1, in.data()), early);
    EXPECT_EQ(strict_fault_of("uses_the_first_load", 1, in.data()), "no fault");
    EXPECT_THAT(strict_fault_of("uses_the_second_load", 1, in.data()), early);
    EXPECT_THAT(strict_fault_of("meets_before_waiting", 1), HasSubstr("a barrier without a wait"));
}

} // namespace
} // namespace isovmaf::executor_test
