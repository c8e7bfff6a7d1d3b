// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/process.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <random>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/text.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

std::string host_name() {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0)
        host[0] = '\0';
    std::string name;
    for (const char *c = host.data(); *c != '\0' && *c != '.'; c++)
        name += *c == '/' ? '_' : *c;
    return name;
}

/// Eight digits; none where the host has no identity.
std::string identity_digest() {
    const std::string identity = host_identity();
    const std::uint64_t hash = xxh64(std::as_bytes(std::span(identity)));
    return identity.empty() ? "" : fmt::format("{:08x}", hash >> 32U);
}

} // namespace

std::string host_identity() {
    const Result<std::string> boot = read_file("/proc/sys/kernel/random/boot_id");
    std::error_code error;
    const std::filesystem::path numbers = std::filesystem::read_symlink("/proc/self/ns/pid", error);
    if (!boot || error)
        return {};
    return fmt::format("{} {}", boot->substr(0, boot->find('\n')), numbers.string());
}

std::string start_of_process(std::int64_t process) {
    const Result<std::string> text = read_file(fmt::format("/proc/{}/stat", process));
    if (!text)
        return {};
    std::size_t position = text->rfind(')'); // behind the process's name, which may hold anything
    if (position == std::string::npos || text->compare(position, 3, ") Z") == 0)
        return {};
    for (int field = 2; field < 22 && position != std::string::npos; field++) // proc(5): the 22nd is starttime
        position = text->find(' ', position + 1);
    if (position == std::string::npos)
        return {};
    return text->substr(position + 1, text->find(' ', position + 1) - position - 1);
}

bool has_ended(std::int64_t process, std::string_view start) {
    if (const std::string found = start_of_process(process); !found.empty())
        return !start.empty() && found != start;
    return kill(static_cast<pid_t>(process), 0) == 0 || errno != EPERM;
}

std::string unique_name() {
    std::random_device random;
    return fmt::format("{}-{}-{}-{:08x}{:08x}", host_name(), identity_digest(), getpid(), random(), random());
}

bool is_of_ended_process(std::string_view unique_name) {
    const std::string digest = identity_digest(), start = fmt::format("{}-{}-", host_name(), digest);
    if (digest.empty() || !unique_name.starts_with(start))
        return false;
    unique_name.remove_prefix(start.size());
    const auto process = parse_integer(unique_name.substr(0, unique_name.find('-')));
    return process && has_ended(*process, {});
}

} // namespace isovmaf::batch
