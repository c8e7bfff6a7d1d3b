// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/lease.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/hashes.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
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

namespace {

using FileStatus = struct stat;

std::int64_t modified_ns(const FileStatus &status) {
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// Gives a file the current time of its file system's server.
bool touch(const std::filesystem::path &path) { return utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0; }

/// "NAME\nHOST\nPROCESS START\n"
std::string describe_owner(const std::string &name) {
    return fmt::format("{}\n{}\n{} {}\n", name, host_identity(), getpid(), start_of_process(getpid()));
}

std::filesystem::path owner_file(const std::filesystem::path &folder, const std::string &name) {
    return folder / (".owner-" + name);
}

/// Whether the owner ran on this host and has ended.
bool owner_has_ended(const std::string &owner) {
    const std::size_t host = owner.find('\n') + 1, process = owner.find('\n', host) + 1;
    const std::size_t start = owner.find(' ', process) + 1;
    if (host == 0 || process == 0 || start == 0 || process == host + 1 ||
        owner.substr(host, process - host - 1) != host_identity())
        return false;
    const auto number = parse_integer(owner.substr(process, start - process - 1));
    return number && has_ended(*number, owner.substr(start, owner.find('\n', start) - start));
}

} // namespace

Leases::Leases(std::filesystem::path folder, Seconds expiry)
    : folder_(std::move(folder)), expiry_(expiry), name_(unique_name()), owner_(owner_file(folder_, name_)) {}

Result<std::unique_ptr<Leases>> Leases::create(const std::filesystem::path &folder, Seconds expiry) {
    std::unique_ptr<Leases> leases(new Leases(folder, expiry));
    TRY(replace_file(leases->owner_, describe_owner(leases->name_)));
    leases->renewer_ = std::jthread([&self = *leases](const std::stop_token &stopped) { self.renew(stopped); });
    return leases;
}

Leases::~Leases() {
    if (renewer_.joinable()) {
        renewer_.request_stop();
        renewer_.join();
    }
    for (const std::string &unit : std::exchange(held_, {}))
        unlink((folder_ / unit).c_str());
    unlink(owner_.c_str());
}

std::optional<Leases::Stamp> Leases::read(const std::filesystem::path &path) const {
    FileStatus status{};
    Result<std::string> owner = read_file(path);
    if (!owner || stat(path.c_str(), &status) != 0)
        return std::nullopt;
    return Stamp{*std::move(owner), modified_ns(status)};
}

Result<std::int64_t> Leases::now_ns() const {
    FileStatus status{};
    if (!touch(owner_) || stat(owner_.c_str(), &status) != 0)
        return file_failed("touch", owner_, errno);
    return modified_ns(status);
}

Result<bool> Leases::is_stale(const Stamp &stamp) const {
    const std::int64_t age_ns = TRY(now_ns()) - stamp.time_ns;
    return age_ns > std::chrono::nanoseconds(expiry_).count() || owner_has_ended(stamp.owner);
}

/// Takes a stale lease away. Only one worker at a time may: the one that has the link ".evict-UNIT". So a lease that
/// took the stale one's place is never taken away.
Result<bool> Leases::evict(const std::filesystem::path &path) const {
    const std::filesystem::path right = folder_ / fmt::format(".evict-{}", path.filename().string());
    if (link(owner_.c_str(), right.c_str()) != 0) {
        const std::optional<Stamp> other = read(right);
        if (other && TRY(is_stale(*other)))
            unlink(right.c_str()); // its worker died just then
        return false;
    }
    const std::optional<Stamp> found = read(path);
    const Result<bool> stale = found ? is_stale(*found) : Result<bool>(false);
    if (stale && *stale) {
        unlink(path.c_str());
        const std::string owner = found->owner.substr(0, found->owner.find('\n'));
        if (owner.find('/') == std::string::npos)
            unlink(owner_file(folder_, owner).c_str());
    }
    unlink(right.c_str());
    return stale;
}

/// Whether the lease is this process's, though no worker of it has it: a network file system may make the link,
/// lose the reply, repeat the request, and report that the file exists.
bool Leases::is_own(const std::string &unit, const Stamp &stamp) const {
    const std::lock_guard lock(mutex_);
    return stamp.owner.starts_with(name_ + '\n') && !held_.contains(unit);
}

Result<bool> Leases::take(const std::string &unit) {
    const std::filesystem::path path = folder_ / unit;
    bool remade = false;
    for (int failed_attempts = 0; failed_attempts < 3;) {
        const int error = link(owner_.c_str(), path.c_str()) == 0 ? 0 : errno;
        const std::optional<Stamp> stamp = error == EEXIST ? read(path) : std::nullopt;
        if (error == 0 || (stamp && is_own(unit, *stamp))) {
            const std::lock_guard lock(mutex_);
            held_.insert(unit);
            return true;
        }
        if (error == ENOENT && !std::exchange(remade, true)) { // this process was suspended, and others took its leases
            TRY(replace_file(owner_, describe_owner(name_)));
            continue;
        }
        if (error != EEXIST)
            return file_failed("make lease", path, error);
        if (stamp && !TRY(is_stale(*stamp)))
            return false;
        if (!stamp || !TRY(evict(path)))
            failed_attempts++;
    }
    return false;
}

void Leases::give_back(const std::string &unit) {
    const std::lock_guard lock(mutex_);
    if (held_.erase(unit) == 0)
        return;
    const std::filesystem::path path = folder_ / unit;
    const std::optional<Stamp> stamp = read(path);
    if (stamp && stamp->owner.starts_with(name_ + '\n')) // else it expired, and another worker has it now
        unlink(path.c_str());
}

Result<std::size_t> Leases::count_live() const {
    std::size_t live = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error))
        if (!entry->path().filename().string().starts_with('.'))
            if (const std::optional<Stamp> stamp = read(entry->path()))
                live += !TRY(is_stale(*stamp));
    if (error)
        return file_failed("read", folder_, error.value());
    return live;
}

Result<void> Leases::remove_stale() const {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::optional<Stamp> stamp = read(entry->path());
        if (!stamp || !TRY(is_stale(*stamp)))
            continue;
        if (entry->path().filename().string().starts_with('.'))
            unlink(entry->path().c_str());
        else
            TRY(evict(entry->path()));
    }
    return error ? file_failed("read", folder_, error.value()) : Result<void>();
}

/// Renews the leases several times before they expire.
void Leases::renew(const std::stop_token &stopped) {
    const auto interval = std::chrono::milliseconds(expiry_) / 4;
    while (!stopped.stop_requested()) {
        wait_for_stop(stopped, interval);
        touch(owner_);
    }
}

} // namespace isovmaf::batch
