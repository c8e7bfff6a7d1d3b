// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/device.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace isovmaf::host {

namespace {

constexpr std::uint32_t max_threads = 256, max_devices = 8;

// Accessed relaxed: if the counter ordered queues that do not wait for each other, ThreadSanitizer would miss their
// races.
std::atomic<std::uint64_t> operations{0};

bool parse(std::string_view text, std::uint64_t &number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool parse_wave(std::string_view text, Settings &settings) {
    settings.wave_width = text == "64" ? 64 : 32;
    return text == "32" || text == "64";
}

bool parse_order(std::string_view text, Settings &settings) {
    settings.order = text == "reverse"   ? LaneOrder::reverse
                     : text == "shuffle" ? LaneOrder::shuffle
                                         : LaneOrder::forward;
    return text == "forward" || text == "reverse" || text == "shuffle";
}

bool parse_count(std::string_view text, std::uint32_t most, std::uint32_t &count) {
    std::uint64_t number = 0;
    if (!parse(text, number) || number < 1 || number > most)
        return false;
    count = static_cast<std::uint32_t>(number);
    return true;
}

bool parse_threads(std::string_view text, Settings &settings) {
    return parse_count(text, max_threads, settings.threads);
}

bool parse_devices(std::string_view text, Settings &settings) {
    return parse_count(text, max_devices, settings.devices);
}

bool parse_shared_memory(std::string_view text, Settings &settings) {
    settings.shares_memory = text == "1";
    return text == "0" || text == "1";
}

bool parse_matrices(std::string_view text, Settings &settings) {
    settings.matrices = text == "1";
    return text == "0" || text == "1";
}

bool parse_fault(std::string_view text, Settings &settings) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return false;
    const std::string_view kind = text.substr(0, colon);
    settings.fault.kind = kind == "allocation" ? FaultKind::allocation
                          : kind == "copy"     ? FaultKind::copy
                          : kind == "launch"   ? FaultKind::launch
                          : kind == "lost"     ? FaultKind::lost
                                               : FaultKind::none;
    return settings.fault.kind != FaultKind::none && parse(text.substr(colon + 1), settings.fault.count) &&
           settings.fault.count > 0;
}

struct Variable {
    const char *name;
    const char *allowed;
    bool (*parse)(std::string_view text, Settings &settings);
};

constexpr Variable variables[] = {
    {"ISOVMAF_HOST_WAVE", "32 or 64", parse_wave},
    {"ISOVMAF_HOST_ORDER", "forward, reverse or shuffle", parse_order},
    {"ISOVMAF_HOST_THREADS", "a number from 1 to 256", parse_threads},
    {"ISOVMAF_HOST_DEVICES", "a number from 1 to 8", parse_devices},
    {"ISOVMAF_HOST_SHARED_MEMORY", "0 or 1", parse_shared_memory},
    {"ISOVMAF_HOST_MATRICES", "0 or 1", parse_matrices},
    {"ISOVMAF_HOST_FAIL", "allocation:N, copy:N, launch:N or lost:N with N from 1 on", parse_fault},
};

} // namespace

bool Fault::is_due(FaultKind of) const {
    return kind == of && operations.fetch_add(1, std::memory_order_relaxed) + 1 == count;
}

Outcome read_settings(Settings &settings) {
    Settings read;
    read.threads = std::clamp(std::thread::hardware_concurrency(), 1u, max_threads);
    for (const Variable &variable : variables) {
        const char *const text = std::getenv(variable.name);
        if (text && !variable.parse(text, read))
            return {ISOVMAF_UNAVAILABLE,
                    fmt::format("{} is '{}' and may be {}", variable.name, text, variable.allowed)};
    }
    settings = read;
    return {};
}

namespace {

std::uint64_t pages(int name) {
    const long count = sysconf(name), page_bytes = sysconf(_SC_PAGESIZE);
    return count > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(page_bytes) : 0;
}

} // namespace

Outcome check_device(const isovmaf_device &device) {
    if (device.lost.load(std::memory_order_relaxed))
        return {ISOVMAF_DEVICE_LOST, "host CPU: the device was lost, as ISOVMAF_HOST_FAIL asked for"};
    return {};
}

std::uint64_t memory_bytes() { return pages(_SC_PHYS_PAGES); }
std::uint64_t memory_free_bytes() { return pages(_SC_AVPHYS_PAGES); }

} // namespace isovmaf::host
