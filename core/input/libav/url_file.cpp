// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/url_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/libav/list_files.hpp"

namespace isovmaf {

namespace {

constexpr std::int64_t timeout_us = 10'000'000;

tl::unexpected<Error> url_failed(std::string_view what, const std::string &url, std::string_view reason) {
    return fail(ErrorCode::io, fmt::format("cannot {} {}: {}", what, escape_controls(url), reason));
}

} // namespace

bool is_url(std::string_view path) {
    const std::size_t colon = path.find("://");
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
    return colon != std::string_view::npos && colon > 0 &&
           path.substr(0, colon).find_first_not_of(allowed) == std::string_view::npos;
}

void UrlFile::Close::operator()(AVIOContext *context) const { avio_close(context); }

Result<UrlFile> UrlFile::open(const std::string &url) {
    TRY(load_libav());
    AVDictionary *options = nullptr;
    av_dict_set_int(&options, "rw_timeout", timeout_us, 0);
    AVIOContext *context = nullptr;
    const int code = avio_open2(&context, url.c_str(), AVIO_FLAG_READ, nullptr, &options);
    av_dict_free(&options);
    if (code < 0)
        return url_failed("open", url, libav_error_text(code));
    UrlFile file(url, context);
    const std::int64_t bytes = avio_size(context);
    file.bytes_ = std::max<std::int64_t>(bytes, 0);
    file.is_list_ = isovmaf::is_list(*context, url);
    if (!file.is_list_ && (bytes < 0 || (context->seekable & AVIO_SEEKABLE_NORMAL) == 0))
        return url_failed("read", url,
                          "the server does not say how many bytes the file has, or does not send parts of it; download "
                          "the file and give its path");
    return file;
}

Result<std::size_t> UrlFile::read(std::int64_t offset, std::span<std::byte> buffer) {
    if (const std::int64_t code = avio_seek(context_.get(), offset, SEEK_SET); code < 0)
        return url_failed("read", url_, libav_error_text(static_cast<int>(code)));
    std::size_t done = 0;
    while (done < buffer.size()) {
        const auto most = static_cast<int>(std::min<std::size_t>(buffer.size() - done, 1 << 20));
        const int count = avio_read(context_.get(), reinterpret_cast<unsigned char *>(buffer.data() + done), most);
        if (count == AVERROR_EOF || count == 0)
            break;
        if (count < 0)
            return url_failed("read", url_, libav_error_text(count));
        done += static_cast<std::size_t>(count);
    }
    return done;
}

} // namespace isovmaf
