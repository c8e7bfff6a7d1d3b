// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/timed_read.hpp"

#include <exception>
#include <new>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

template <class Body>
auto without_exceptions(const FrameSource &source, const Body &body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory, "not enough memory to read " + source.info().name);
    } catch (const std::exception &error) {
        return fail(ErrorCode::internal, fmt::format("reading {} failed: {}", source.info().name, error.what()));
    }
}

} // namespace

Result<std::optional<TimedFrame>> read_timed(FrameSource &source) noexcept {
    return without_exceptions(source, [&]() -> Result<std::optional<TimedFrame>> {
        auto frame = TRY(source.read());
        if (!frame)
            return std::nullopt;
        return TimedFrame{*std::move(frame), source.seconds()};
    });
}

Result<std::int64_t> skip_frames(FrameSource &source, std::int64_t count) noexcept {
    return without_exceptions(source, [&] { return source.skip(count); });
}

} // namespace isovmaf
