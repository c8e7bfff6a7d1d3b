// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/guarded_frame.hpp"

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "base/failure.hpp"

namespace isovmaf::testing {

namespace {

/// How the rows of all planes lie in one mapping: a page that cannot be read, the pages of a row, and so on.
struct GuardedLayout {
    std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::size_t row_bytes = 0; ///< of the widest plane, in whole pages
    std::size_t rows = 0;

    explicit GuardedLayout(const VideoFormat &format) {
        const auto widest = static_cast<std::size_t>(format.width * format.bytes_per_sample());
        row_bytes = (widest + page - 1) / page * page;
        for (int p = 0; p < format.plane_count(); p++)
            rows += static_cast<std::size_t>(format.plane_height(p));
    }

    [[nodiscard]] std::size_t stride() const { return page + row_bytes; }
    [[nodiscard]] std::size_t size() const { return rows * stride() + page; }
};

std::shared_ptr<std::byte> map_unreadable(std::size_t size) {
    void *const memory = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw Failure({ErrorCode::out_of_memory, "cannot map memory for a guarded frame"});
    return {static_cast<std::byte *>(memory), [size](std::byte *start) { ::munmap(start, size); }};
}

} // namespace

Frame guarded_frame(const Frame &frame, RowPlace place) {
    const VideoFormat &format = frame.format();
    const GuardedLayout layout(format);
    const std::shared_ptr<std::byte> memory = map_unreadable(layout.size());
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> strides{};
    std::byte *pages = memory.get() + layout.page;
    for (int p = 0; p < format.plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const auto bytes = static_cast<std::size_t>(plane.width * format.bytes_per_sample());
        const std::size_t indent = place == RowPlace::page_end ? layout.row_bytes - bytes : 0;
        data[static_cast<std::size_t>(p)] = pages + indent;
        strides[static_cast<std::size_t>(p)] = static_cast<std::ptrdiff_t>(layout.stride());
        for (int y = 0; y < plane.height; y++, pages += layout.stride()) {
            if (::mprotect(pages, layout.row_bytes, PROT_READ | PROT_WRITE) != 0)
                throw Failure({ErrorCode::out_of_memory, "cannot make a row of a guarded frame readable"});
            std::memcpy(pages + indent, plane.row<std::byte>(y), bytes);
        }
    }
    return Frame(format, memory, data, strides);
}

} // namespace isovmaf::testing
