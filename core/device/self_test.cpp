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

#include "device/recorder.hpp"
#include "device/self_test_known.hpp"
#include "device/self_test_params.h"

namespace isovmaf {

namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint32_t poison = 0xa5a5a5a5;
constexpr std::array<std::uint32_t, 3> block_sizes{64, 256, 1024};
constexpr std::array<std::int32_t, SELF_TEST_COUNT_COUNT> counts SELF_TEST_COUNTS;
static_assert(std::ranges::is_sorted(counts));
constexpr int sum_step = 3;

/// The rectangle that is copied: odd sizes and different strides.
constexpr isovmaf_copy rectangle{{}, {}, 512, 768, 301, 5};

/// A part of the one buffer that all of the self-test's memory lies in.
struct Part {
    std::uint64_t offset, bytes;
};

constexpr Part after(Part earlier, std::uint64_t bytes) {
    return {(earlier.offset + earlier.bytes + alignment - 1) / alignment * alignment, bytes};
}

// What the host writes, and then what the device writes.
constexpr Part elements_part{0, SELF_TEST_ELEMENTS * sizeof(std::uint64_t)};
constexpr Part probes_part = after(elements_part, SELF_TEST_MOST_PROBES * sizeof(SelfTestProbe));
constexpr Part answers_part = after(probes_part, SELF_TEST_MOST_PROBES * sizeof(std::uint64_t));
constexpr std::uint64_t block_bytes = counts.size() * SELF_TEST_RESULTS * sizeof(std::uint64_t);
constexpr std::array<Part, 3> reductions_parts = [] {
    const Part first = after(answers_part, block_bytes), second = after(first, block_bytes);
    return std::array{first, second, after(second, block_bytes)};
}();
constexpr Part sum_part = after(reductions_parts.back(), sizeof(std::int64_t));
constexpr Part rectangle_part = after(sum_part, rectangle.rows *rectangle.to_stride);
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

std::size_t counts_up_to(std::uint32_t block_size) {
    return static_cast<std::size_t>(
        std::ranges::count_if(counts, [&](std::int32_t count) { return std::cmp_less_equal(count, block_size); }));
}

void write_operands(std::span<const std::uint64_t> elements, std::byte *memory) {
    std::memcpy(memory + elements_part.offset, elements.data(), elements.size_bytes());
    std::vector<SelfTestProbe> probes;
    for (const KnownAnswer &answer : known_answers())
        probes.push_back(answer.probe);
    std::memcpy(memory + probes_part.offset, probes.data(), probes.size() * sizeof(SelfTestProbe));
}

void record_reductions(const Buffer &memory, Recorder &recorder) {
    SelfTestReduceParams params{};
    std::ranges::copy(counts, params.counts);
    for (std::size_t block = 0; block < block_sizes.size(); block++) {
        recorder.dispatch(fmt::format("self_test_reduce_{}", block_sizes[block]),
                          {static_cast<std::uint32_t>(counts_up_to(block_sizes[block])), 1, 1},
                          {block_sizes[block], 1, 1},
                          {memory.at(elements_part.offset), memory.at(reductions_parts[block].offset)}, params);
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
    const auto probe_count = static_cast<std::uint32_t>(known_answers().size());
    recorder.dispatch("self_test_probes", {(probe_count + SELF_TEST_THREADS - 1) / SELF_TEST_THREADS, 1, 1},
                      {SELF_TEST_THREADS, 1, 1}, {memory.at(probes_part.offset), memory.at(answers_part.offset)},
                      SelfTestParams{static_cast<std::int32_t>(probe_count)});
    record_reductions(memory, recorder);
    recorder.fill(memory.at(sum_part.offset), sum_part.bytes, 0);
    recorder.dispatch("self_test_sum", {SELF_TEST_SUM_GROUPS, 1, 1}, {SELF_TEST_SUM_THREADS, 1, 1},
                      {memory.at(elements_part.offset), memory.at(sum_part.offset)}, SelfTestSumParams{sum_step});
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
    const Result<Commands> commands = record(device, *upload, *memory, *readback);
    if (!commands)
        return tl::unexpected(commands.error());
    Result<Queue> queue = device.create_queue();
    if (!queue)
        return tl::unexpected(queue.error());
    const Result<isovmaf_ticket> ticket = queue->submit(*commands);
    if (!ticket)
        return tl::unexpected(ticket.error());
    if (const Result<void> done = queue->wait(ticket->value); !done)
        return tl::unexpected(done.error());
    return std::vector<std::byte>(readback->host(), readback->host() + all_bytes);
}

/// Collects the first thing that is not as it has to be.
class Findings {
  public:
    explicit Findings(std::span<const std::byte> memory) : memory_(memory) {}

    /// `probe` gives the name of what is looked at.
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

void check_probes(Findings &findings) {
    const std::span<const KnownAnswer> answers = known_answers();
    for (std::size_t i = 0; i < answers.size(); i++)
        findings.expect(answers_part.offset + i * sizeof(std::uint64_t), answers[i].expected, [&] {
            const SelfTestProbe &probe = answers[i].probe;
            return fmt::format("{} with operands {:#x}, {:#x}, {:#x}", answers[i].name, probe.a, probe.b, probe.c);
        });
}

void check_reductions(std::span<const std::uint64_t> elements, Findings &findings) {
    constexpr std::array<std::string_view, SELF_TEST_TYPES> types{"i32", "u32", "i64", "u64"};
    constexpr std::array<std::string_view, SELF_TEST_OPERATIONS> operations{"sum", "least", "greatest"};
    for (std::size_t block = 0; block < block_sizes.size(); block++)
        for (std::size_t group = 0; group < counts_up_to(block_sizes[block]); group++) {
            const auto expected = known_reductions(elements, static_cast<std::size_t>(counts[group]));
            for (std::size_t i = 0; i < expected.size(); i++)
                findings.expect(reductions_parts[block].offset + (group * expected.size() + i) * sizeof(std::uint64_t),
                                expected[i], [&] {
                                    return fmt::format("{} of {} {} in a block of {}",
                                                       operations[i % SELF_TEST_OPERATIONS], counts[group],
                                                       types[i / SELF_TEST_OPERATIONS], block_sizes[block]);
                                });
        }
}

} // namespace

Result<void> self_test(const Device &device) {
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
    check_probes(findings);
    check_reductions(elements, findings);
    findings.expect(sum_part.offset, known_sum(elements, sum_step), [] { return "64-bit atomic sum over blocks"; });
    if (!findings.first().empty())
        return fault(ErrorCode::device_failed,
                     findings.first() + "; its scores could be wrong: update its driver, or use another device");
    return {};
}

Result<void> self_test_once(const Device &device) {
    static std::mutex mutex;
    static std::map<std::pair<const isovmaf_backend *, std::uint32_t>, Result<void>> results;
    const std::lock_guard lock(mutex);
    const std::pair key{&device.plugin().backend(), device.index()};
    const auto known = results.find(key);
    return known != results.end() ? known->second : results.emplace(key, self_test(device)).first->second;
}

} // namespace isovmaf
