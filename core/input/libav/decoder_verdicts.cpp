// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/decoder_verdicts.hpp"

#include <array>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/hashes.hpp"

namespace isovmaf {

namespace {

/// What a file says: only a file that says all of it counts.
std::string text_of(const std::string &decoder) { return "same samples as software: " + decoder + "\n"; }

std::filesystem::path folder_of(const char *variable, const char *below) {
    const char *const value = std::getenv(variable);
    const std::filesystem::path folder = value ? value : "";
    return folder.is_absolute() ? folder / below : std::filesystem::path(); // XDG: a relative path is ignored
}

} // namespace

DecoderVerdicts DecoderVerdicts::of_user() {
    std::filesystem::path folder = folder_of("XDG_CACHE_HOME", "isovmaf/decoders");
    return DecoderVerdicts(folder.empty() ? folder_of("HOME", ".cache/isovmaf/decoders") : std::move(folder));
}

std::filesystem::path DecoderVerdicts::file_of(const std::string &decoder) const {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(decoder)));
    return folder_ / (std::move(hash).hex().substr(0, 32) + ".txt");
}

bool DecoderVerdicts::knows(const std::string &decoder) const {
    const std::string expected = text_of(decoder);
    std::string text;
    return !folder_.empty() && read_whole_file(file_of(decoder), text, expected.size()) == 0 && text == expected;
}

void DecoderVerdicts::remember(const std::string &decoder) const {
    std::error_code error;
    if (folder_.empty() || (std::filesystem::create_directories(folder_, error), error))
        return;
    const std::string file = file_of(decoder);
    std::string temporary = file + ".XXXXXX";
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return;
    PendingFile pending(descriptor, temporary);
    if (pending.write(text_of(decoder)) == 0)
        (void)pending.commit(file);
}

} // namespace isovmaf
