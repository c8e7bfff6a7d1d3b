// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "isovmaf/result.hpp"

struct AVIOContext;

namespace isovmaf {

/// Whether a path is a URL, such as "https://host/a.mp4": a scheme of letters, digits, "+", "-" and ".", then "://".
[[nodiscard]] bool is_url(std::string_view path);

/// The bytes of a file that a server sends. Used by one thread.
class UrlFile {
  public:
    /// Fails when the server cannot be reached within 10 s or does not have the file and, unless that is a list, does
    /// not say how many bytes it has, or does not send parts of it.
    [[nodiscard]] static Result<UrlFile> open(const std::string &url);

    /// Whether the file is a list: see list_files.hpp. Its bytes say little.
    [[nodiscard]] bool is_list() const { return is_list_; }

    /// 0 for a list of unknown size.
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

    /// Reads from `offset` on until the buffer is full or the file ends; the number of bytes.
    [[nodiscard]] Result<std::size_t> read(std::int64_t offset, std::span<std::byte> buffer);

  private:
    struct Close {
        void operator()(AVIOContext *context) const;
    };
    UrlFile(std::string url, AVIOContext *context) : url_(std::move(url)), context_(context) {}

    std::string url_;
    std::unique_ptr<AVIOContext, Close> context_;
    std::int64_t bytes_ = 0;
    bool is_list_ = false;
};

} // namespace isovmaf
