// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/external_memory.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace isovmaf::host {

namespace {

/// Checks that the file has the stated bytes: pages beyond its end can be mapped, but reading them kills the process.
Outcome check_file(const isovmaf_external_memory &external) {
    struct stat file {};
    if (fstat(external.fd, &file) != 0)
        return {ISOVMAF_INVALID,
                fmt::format("host CPU: descriptor {} cannot be imported: {}", external.fd, std::strerror(errno))};
    if (external.bytes == 0 || file.st_size < 0 || external.bytes > static_cast<std::uint64_t>(file.st_size))
        return {ISOVMAF_INVALID, fmt::format("host CPU: {} bytes cannot be imported from descriptor {}, which has {}",
                                             external.bytes, external.fd, file.st_size)};
    return {};
}

} // namespace

MappedFile::~MappedFile() {
    if (data_)
        (void)munmap(data_, bytes_);
}

Outcome MappedFile::map(const isovmaf_external_memory &external) {
    if (Outcome outcome = check_file(external); !outcome.ok())
        return outcome;
    void *const mapped = mmap(nullptr, external.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, external.fd, 0);
    if (mapped == MAP_FAILED)
        return {errno == ENOMEM ? ISOVMAF_OUT_OF_MEMORY : ISOVMAF_INVALID,
                fmt::format("host CPU: mapping {} bytes of descriptor {} failed: {}", external.bytes, external.fd,
                            std::strerror(errno))};
    data_ = static_cast<std::byte *>(mapped);
    bytes_ = external.bytes;
    return {};
}

} // namespace isovmaf::host
