// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "input/source.hpp"
#include "isovmaf/result.hpp"

struct AVIOContext;

/// Lists: files whose format has its reader open other files, such as a playlist of HLS. The bytes of a list do not
/// tell what its reader reads. Why and how lists are told apart: docs/adr/0104.
namespace isovmaf {

/// Whether libav takes what lies at `url` for a list. `bytes` is at its start, and is there again afterwards.
[[nodiscard]] bool is_list(AVIOContext &bytes, const std::string &url);

/// The same of a regular file. The error is `unavailable` where libav cannot be loaded.
[[nodiscard]] Result<bool> is_list_file(const std::string &path);

/// A digest of what a list, a file or a URL, gives to who reads one of its streams: the packets with their times and
/// flags, and what describes the stream. Reads all packets, and decodes none but those by which libav finds streams.
/// Damage that would end the reading belongs to the digest. `cancelled` is called between packets; when it returns
/// true, the error is `interrupted`.
[[nodiscard]] Result<std::string> digest_of_list(const std::string &path, const std::optional<StreamChoice> &stream,
                                                 const std::function<bool()> &cancelled);

/// Whether this is a digest of digest_of_list.
[[nodiscard]] bool is_of_list(std::string_view digest);

} // namespace isovmaf
