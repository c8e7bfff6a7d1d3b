// SPDX-License-Identifier: BSD-2-Clause-Patent
// Prints one line for each plugin file that it is given: whether the core loads it, and what its probe reports. Then
// come the files that the process has mapped and whose paths contain the text in PRINT_MAPPED, where that is set.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

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
        std::printf("loaded: %s, %s %s, %u devices, %s\n", backend.name, info.runtime, info.runtime_version,
                    info.device_count, info.file);
    else
        std::printf("%s: %s, %s\n", status == ISOVMAF_UNAVAILABLE ? "unavailable" : "failed", backend.name,
                    message.text);
}

void print_mapped(const char *text) {
    std::set<std::string> files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (const auto path = line.find('/'); path != std::string::npos && line.find(text, path) != std::string::npos)
            files.insert(line.substr(path));
    for (const std::string &file : files)
        std::printf("mapped: %s\n", file.c_str());
}

} // namespace

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        print_verdict(argv[i]);
    if (const char *const text = std::getenv("PRINT_MAPPED"))
        print_mapped(text);
}
