// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/disassembly.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <unistd.h>

namespace isovmaf::amd {

namespace {

class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view content) {
        const char *const folder = std::getenv("TMPDIR");
        path_ = std::string(folder ? folder : "/tmp") + "/code-object-XXXXXX";
        const int fd = mkstemp(path_.data());
        const bool written = fd >= 0 && write(fd, content.data(), content.size()) == ssize_t(content.size());
        if (fd >= 0)
            close(fd);
        if (!written)
            throw std::runtime_error("writing " + path_ + " failed");
    }
    ~TemporaryFile() { unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    [[nodiscard]] const std::string &path() const { return path_; }

  private:
    std::string path_;
};

std::string output_of(const std::string &command) {
    FILE *const pipe = popen(command.c_str(), "r");
    if (!pipe)
        throw std::runtime_error("running " + command + " failed");
    std::string output;
    std::array<char, 65536> part;
    while (const std::size_t bytes = std::fread(part.data(), 1, part.size(), pipe))
        output.append(part.data(), bytes);
    if (pclose(pipe) != 0)
        throw std::runtime_error(command + " failed");
    return output;
}

/// "\ts_mov_b32 s0, 1    // 000000001B00: BE800081 <symbol+0x10>"
bool parse_line(std::string_view line, Line &parsed) {
    const std::size_t comment = line.rfind("// ");
    if (!line.starts_with('\t') || comment == std::string_view::npos)
        return false;
    std::string_view text = line.substr(1, comment - 1);
    text.remove_suffix(text.size() - text.find_last_not_of(' ') - 1);
    parsed = {std::strtoull(std::string(line.substr(comment + 3)).c_str(), nullptr, 16), std::string(text)};
    return true;
}

} // namespace

std::vector<Line> disassemble(std::string_view elf) {
    const TemporaryFile file(elf);
    const std::string output = output_of(std::string(ISOVMAF_LLVM_OBJDUMP " -d '") + file.path() + "'");
    std::vector<Line> lines;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        Line line;
        if (parse_line(std::string_view(output).substr(at, end - at), line))
            lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

} // namespace isovmaf::amd
