// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/self_test.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/align.hpp"
#include "base/try.hpp"
#include "device/recorder.hpp"
#include "device/self_test_known.hpp"
#include "device/self_test_params.h"

namespace isovmaf {

namespace {

constexpr std::uint32_t poison = 0xa5a5a5a5;

/// Blocks of a size, each with a number of elements around the widths of waves and the sizes of blocks.
struct Reductions {
    std::uint32_t block_size;
    std::span<const std::int32_t> counts;
};

constexpr std::int32_t counts_of_64[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64};
constexpr std::int32_t counts_of_256[] = {31, 33, 63, 64, 65, 127, 128, 129, 255, 256};
constexpr std::int32_t counts_of_1024[] = {65, 511, 1023, 1024};
constexpr std::array<Reductions, 3> reductions{{{64, counts_of_64}, {256, counts_of_256}, {1024, counts_of_1024}}};
static_assert(std::ranges::all_of(reductions, [](const Reductions &r) {
    return r.counts.size() <= SELF_TEST_MOST_COUNTS &&
           std::ranges::all_of(r.counts, [&](std::int32_t count) { return std::cmp_less_equal(count, r.block_size); });
}));

constexpr int sum_step = 3;

/// The rectangle that is copied: odd sizes and different strides.
constexpr isovmaf_copy rectangle{{}, {}, 512, 768, 301, 5};

/// A part of the self-test's one buffer.
struct Part {
    std::uint64_t offset, bytes;
};

constexpr Part after(Part earlier, std::uint64_t bytes) {
    return {align_up<std::uint64_t>(earlier.offset + earlier.bytes, ISOVMAF_RANGE_ALIGNMENT), bytes};
}

// What the host writes, and then what the device writes.
constexpr Part elements_part{0, SELF_TEST_ELEMENTS * sizeof(std::uint64_t)};
constexpr Part probes_part = after(elements_part, SELF_TEST_MOST_PROBES * sizeof(SelfTestProbe));
constexpr Part answers_part = after(probes_part, SELF_TEST_MOST_PROBES * sizeof(std::uint64_t));
constexpr std::uint64_t reductions_bytes = SELF_TEST_MOST_COUNTS * SELF_TEST_RESULTS * sizeof(std::uint64_t);
constexpr std::array<Part, 3> reductions_parts = [] {
    const Part first = after(answers_part, reductions_bytes), second = after(first, reductions_bytes);
    return std::array{first, second, after(second, reductions_bytes)};
}();
constexpr Part sum_part = after(reductions_parts.back(), sizeof(std::int64_t));
constexpr Part shared_part = after(sum_part, (SELF_TEST_SHARED_RESULTS + SELF_TEST_BIT_WORDS) * sizeof(std::uint32_t));
constexpr Part rectangle_part = after(shared_part, rectangle.rows *rectangle.to_stride);
constexpr std::uint64_t written_bytes = answers_part.offset;
constexpr std::uint64_t all_bytes = rectangle_part.offset + rectangle_part.bytes;

/// Elements with every byte in use, the same in every run: Weyl's sequence, mixed.
std::vector<std::uint64_t> make_elements() {
    std::vector<std::uint64_t> elements(SELF_TEST_ELEMENTS);
    std::uint64_t state = 0;
    for (std::uint64_t &element : elements) {
        state += 0x9e3779b97f4a7c15;
        element = (state ^ state >> 29) * 0xbf58476d1ce4e5b9;
        element ^= element >> 32;
    }
    return elements;
}

void write_operands(std::span<const std::uint64_t> elements, std::byte *memory) {
    std::memcpy(memory + elements_part.offset, elements.data(), elements.size_bytes());
    std::vector<SelfTestProbe> probes;
    for (const std::span<const KnownAnswer> answers : {known_answers(), known_f32_answers()})
        for (const KnownAnswer &answer : answers)
            probes.push_back(answer.probe);
    std::memcpy(memory + probes_part.offset, probes.data(), probes.size() * sizeof(SelfTestProbe));
}

void record_reductions(const Buffer &memory, Recorder &recorder) {
    for (std::size_t i = 0; i < reductions.size(); i++) {
        const auto &[block_size, counts] = reductions[i];
        SelfTestReduceParams params{};
        std::ranges::copy(counts, params.counts);
        recorder.dispatch(fmt::format("self_test_reduce_{}", block_size),
                          {static_cast<std::uint32_t>(counts.size()), 1, 1}, {block_size, 1, 1},
                          {memory.at(elements_part.offset), memory.at(reductions_parts[i].offset)}, params);
    }
}

Result<Commands> record(const Device &device, const Buffer &upload, const Buffer &memory, const Buffer &readback) {
    Recorder recorder(device);
    recorder.fill(memory.at(0), all_bytes, poison);
    recorder.copy(upload.at(0), memory.at(0), written_bytes);
    isovmaf_copy copy = rectangle;
    copy.from = memory.at(elements_part.offset);
    copy.to = memory.at(rectangle_part.offset);
    recorder.copy(copy);
    const auto probe_count = static_cast<std::uint32_t>(known_answers().size() + known_f32_answers().size());
    recorder.dispatch("self_test_probes", {(probe_count + SELF_TEST_THREADS - 1) / SELF_TEST_THREADS, 1, 1},
                      {SELF_TEST_THREADS, 1, 1}, {memory.at(probes_part.offset), memory.at(answers_part.offset)},
                      SelfTestParams{static_cast<std::int32_t>(probe_count)});
    record_reductions(memory, recorder);
    recorder.fill(memory.at(sum_part.offset), sum_part.bytes, 0);
    recorder.dispatch("self_test_sum", {SELF_TEST_SUM_GROUPS, 1, 1}, {SELF_TEST_SUM_THREADS, 1, 1},
                      {memory.at(elements_part.offset), memory.at(sum_part.offset)}, SelfTestSumParams{sum_step});
    recorder.fill(memory.at(shared_part.offset), shared_part.bytes, 0);
    recorder.dispatch("self_test_shared", {SELF_TEST_SUM_GROUPS, 1, 1}, {SELF_TEST_SUM_THREADS, 1, 1},
                      {memory.at(elements_part.offset), memory.at(shared_part.offset)},
                      SelfTestSharedParams{SELF_TEST_SUM_GROUPS});
    recorder.copy(memory.at(0), readback.at(0), all_bytes);
    return recorder.finish();
}

/// Runs everything once and gives back the whole memory.
Result<std::vector<std::byte>> run(const Device &device, std::span<const std::uint64_t> elements) {
    Result<Buffer> upload = device.create_buffer(ISOVMAF_MEMORY_UPLOAD, written_bytes);
    Result<Buffer> memory = device.create_buffer(ISOVMAF_MEMORY_DEVICE, all_bytes);
    Result<Buffer> readback = device.create_buffer(ISOVMAF_MEMORY_READBACK, all_bytes);
    for (const Result<Buffer> *buffer : {&upload, &memory, &readback})
        if (!*buffer)
            return tl::unexpected(buffer->error());
    std::memset(upload->host(), 0, written_bytes);
    write_operands(elements, upload->host());
    std::memset(readback->host(), 0, all_bytes);
    const Commands commands = TRY(record(device, *upload, *memory, *readback));
    Queue queue = TRY(device.create_queue());
    TRY(queue.run(commands));
    return std::vector<std::byte>(readback->host(), readback->host() + all_bytes);
}

/// Keeps the first value that is wrong.
class Findings {
  public:
    explicit Findings(std::span<const std::byte> memory) : memory_(memory) {}

    /// `probe` returns the name of what is checked.
    template <class Value, class Probe>
    void expect(std::uint64_t offset, Value expected, const Probe &probe) {
        Value found;
        std::memcpy(&found, memory_.data() + offset, sizeof found);
        if (found != expected && first_.empty())
            first_ = fmt::format("{}: found {:#x}, expected {:#x}", probe(), found, expected);
    }

    [[nodiscard]] const std::string &first() const { return first_; }

  private:
    std::span<const std::byte> memory_;
    std::string first_;
};

void check_copies(std::span<const std::uint64_t> elements, Findings &findings) {
    for (std::size_t i = 0; i < elements.size(); i++)
        findings.expect(elements_part.offset + i * sizeof(std::uint64_t), elements[i],
                        [&] { return fmt::format("upload and download of element {}", i); });
    const auto *const from = reinterpret_cast<const std::uint8_t *>(elements.data());
    for (std::uint64_t row = 0; row < rectangle.rows; row++)
        for (std::uint64_t at = 0; at < rectangle.to_stride; at++) {
            const bool inside = at < rectangle.row_bytes;
            findings.expect(rectangle_part.offset + row * rectangle.to_stride + at,
                            inside ? from[row * rectangle.from_stride + at] : static_cast<std::uint8_t>(poison), [&] {
                                return fmt::format("{}2-D copy, row {}, byte {}", inside ? "" : "fill and ", row, at);
                            });
        }
}

/// `first`: which of the device's results the first answer belongs to.
void check_probes(std::span<const KnownAnswer> answers, std::size_t first, Findings &findings) {
    for (std::size_t i = 0; i < answers.size(); i++)
        findings.expect(answers_part.offset + (first + i) * sizeof(std::uint64_t), answers[i].expected, [&] {
            const SelfTestProbe &probe = answers[i].probe;
            return fmt::format("{}{} with operands {:#x}, {:#x}, {:#x}",
                               (probe.operation & SELF_TEST_F32_QUICK) != 0 ? "quick " : "", answers[i].name, probe.a,
                               probe.b, probe.c);
        });
}

void check_reductions(std::span<const std::uint64_t> elements, Findings &findings) {
    constexpr std::array<std::string_view, SELF_TEST_TYPES> types{"i32", "u32", "i64", "u64"};
    constexpr std::array<std::string_view, SELF_TEST_OPERATIONS> operations{"sum", "least", "greatest"};
    for (std::size_t r = 0; r < reductions.size(); r++)
        for (std::size_t block = 0; block < reductions[r].counts.size(); block++) {
            const std::int32_t count = reductions[r].counts[block];
            const std::vector<std::uint64_t> expected = known_reductions(elements, static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < expected.size(); i++)
                findings.expect(reductions_parts[r].offset + (block * expected.size() + i) * sizeof(std::uint64_t),
                                expected[i], [&] {
                                    return fmt::format("{} of {} {} in a block of {}",
                                                       operations[i % SELF_TEST_OPERATIONS], count,
                                                       types[i / SELF_TEST_OPERATIONS], reductions[r].block_size);
                                });
        }
}

void check_shared(std::span<const std::uint64_t> elements, Findings &findings) {
    constexpr std::array<std::string_view, SELF_TEST_SHARED_RESULTS> names{
        "32-bit atomic sum in shared memory", "32-bit atomic least in shared memory",
        "32-bit atomic or in shared memory", "bytes in shared memory", "16-bit numbers in shared memory"};
    const std::vector<std::uint32_t> expected = known_shared(elements);
    for (std::size_t i = 0; i < expected.size(); i++)
        findings.expect(shared_part.offset + i * sizeof(std::uint32_t), expected[i],
                        [&] { return i < names.size() ? names[i] : "32-bit atomic or over blocks"; });
}

} // namespace

Result<SelfTestReport> self_test(const Device &device) {
    const auto fault = [&](ErrorCode code, const std::string &what) {
        return fail(code, fmt::format("device {} of {} ({}) is not used, because its self-test failed: {}",
                                      device.index(), device.plugin().name(), device.info().name, what));
    };
    const std::vector<std::uint64_t> elements = make_elements();
    const Result<std::vector<std::byte>> memory = run(device, elements);
    if (!memory)
        return fault(memory.error().code, memory.error().message);
    Findings findings(*memory);
    check_copies(elements, findings);
    check_probes(known_answers(), 0, findings);
    check_reductions(elements, findings);
    findings.expect(sum_part.offset, known_sum(elements, sum_step), [] { return "64-bit atomic sum over blocks"; });
    check_shared(elements, findings);
    if (!findings.first().empty())
        return fault(ErrorCode::device_failed,
                     findings.first() + "; its scores could be wrong: update its driver, or use another device");
    Findings f32_findings(*memory);
    check_probes(known_f32_answers(), known_answers().size(), f32_findings);
    return SelfTestReport{f32_findings.first()};
}

Result<SelfTestReport> self_test_once(const Device &device) {
    static std::mutex mutex;
    static std::map<std::pair<const isovmaf_backend *, std::uint32_t>, Result<SelfTestReport>> results;
    const std::lock_guard lock(mutex);
    const std::pair key{&device.plugin().backend(), device.index()};
    const auto known = results.find(key);
    return known != results.end() ? known->second : results.emplace(key, self_test(device)).first->second;
}

} // namespace isovmaf
