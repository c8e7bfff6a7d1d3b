// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/hashes.hpp"
#include "input/libav/url_file.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// The bytes of an input, a file or a URL. Used by one thread.
class InputFile {
  public:
    [[nodiscard]] static Result<InputFile> open(const std::string &path);
    ~InputFile();
    InputFile(InputFile &&other) noexcept;
    InputFile &operator=(InputFile &&) = delete;

    /// Reads from `offset` on; the number of bytes, 0 at the end.
    [[nodiscard]] Result<std::size_t> read(std::int64_t offset, std::span<std::byte> buffer);

    /// Adds `bytes` bytes from `offset` on to a hash, or as many as there are.
    Result<void> add(std::int64_t offset, std::int64_t bytes, ContentHash &hash);

  private:
    InputFile(std::string path, int descriptor, std::optional<UrlFile> url)
        : path_(std::move(path)), descriptor_(descriptor), url_(std::move(url)) {}
    std::string path_;
    int descriptor_;             ///< -1 for a URL
    std::optional<UrlFile> url_; ///< nothing for a file
};

} // namespace isovmaf::batch
