// SPDX-License-Identifier: BSD-2-Clause-Patent
// Prints one line for each plugin file that it is given: whether the core loads it, and what its probe reports.
#include <cstdio>

#include "device/plugin.hpp"

namespace {

void print_verdict(const char *path) {
    const isovmaf::Result<std::shared_ptr<const isovmaf::Plugin>> plugin = isovmaf::Plugin::open(path);
    if (!plugin) {
        std::printf("refused: %s\n", plugin.error().message.c_str());
        return;
    }
    const isovmaf_backend &backend = (*plugin)->backend();
    isovmaf_runtime_info info{};
    isovmaf_message message{};
    const isovmaf_status status = backend.probe(&info, &message);
    if (status == ISOVMAF_OK)
        std::printf("loaded: %s, %s %s, %u devices\n", backend.name, info.runtime, info.runtime_version,
                    info.device_count);
    else
        std::printf("%s: %s, %s\n", status == ISOVMAF_UNAVAILABLE ? "unavailable" : "failed", backend.name,
                    message.text);
}

} // namespace

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        print_verdict(argv[i]);
}
