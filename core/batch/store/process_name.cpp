// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/process_name.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/hashes.hpp"
#include "base/text.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

std::string given_host() {
    const char *const given = std::getenv("ISOVMAF_HOST");
    return given != nullptr ? given : "";
}

/// Eight digits; none where the host has no identity.
std::string identity_digest() {
    const std::string identity = host_identity();
    const std::uint64_t hash = xxh64(std::as_bytes(std::span(identity)));
    return identity.empty() ? "" : fmt::format("{:08x}", hash >> 32U);
}

/// Whether no process of this host has the number, or the one that has it has ended and its parent has not waited for
/// it.
bool has_ended(std::int64_t process) {
    const Result<std::string> text = read_file(fmt::format("/proc/{}/stat", process));
    if (!text)
        return kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
    const std::size_t name_end = text->rfind(')'); // the process's name may hold anything
    return name_end != std::string::npos && text->compare(name_end, 3, ") Z") == 0;
}

} // namespace

std::string host_name() {
    std::string host = given_host();
    if (host.empty()) {
        std::array<char, 256> system{};
        if (gethostname(system.data(), system.size() - 1) == 0)
            host = system.data();
    }
    host = host.substr(0, host.find('.'));
    return replace_all(std::move(host), "/", "_");
}

std::string host_identity() {
    if (std::string given = given_host(); !given.empty())
        return given;
    const Result<std::string> boot = read_file("/proc/sys/kernel/random/boot_id");
    std::error_code error;
    const std::filesystem::path numbers = std::filesystem::read_symlink("/proc/self/ns/pid", error);
    if (!boot || error)
        return {};
    return fmt::format("{} {}", boot->substr(0, boot->find('\n')), numbers.string());
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
    return process && has_ended(*process);
}

} // namespace isovmaf::batch
