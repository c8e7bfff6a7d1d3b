// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/write_all.hpp"

#include <poll.h>
#include <unistd.h>

namespace isovmaf {

int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = retry([&] { return write(descriptor, text.data(), text.size()); });
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) { // a full pipe in non-blocking mode
            pollfd pipe{.fd = descriptor, .events = POLLOUT, .revents = 0};
            poll(&pipe, 1, -1);
        } else {
            return errno;
        }
    }
    return 0;
}

} // namespace isovmaf
