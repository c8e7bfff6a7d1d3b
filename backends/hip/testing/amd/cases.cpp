// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/cases.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace isovmaf::amd {
namespace {

/// "1 2 = 3 / 0": the texts between ';' of a line.
Case parse_case(const std::string &name, const std::string &text) {
    Case parsed{.name = name, .sources = {}, .result = {}, .flag = {}};
    std::istringstream words(text);
    bool after_equals = false;
    for (std::string word; words >> word;) {
        const bool is_flag = word.starts_with('/');
        if (word == "=") {
            after_equals = true;
            continue;
        }
        std::size_t read = 0;
        const std::uint64_t number = std::stoull(word.substr(is_flag), &read, 16);
        if (read + is_flag != word.size() || (is_flag && !after_equals))
            throw std::runtime_error("no case: " + name + ": " + text);
        if (is_flag)
            parsed.flag = number;
        else if (after_equals)
            parsed.result = number;
        else
            parsed.sources.push_back(number);
    }
    if (!parsed.result && !parsed.flag)
        throw std::runtime_error("a case without a result: " + name + ": " + text);
    return parsed;
}

void read_file(const std::filesystem::path &path, std::vector<Case> &cases) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            throw std::runtime_error("a line without a name in " + path.string() + ": " + line);
        std::istringstream texts(line.substr(colon + 1));
        for (std::string text; std::getline(texts, text, ';');)
            cases.push_back(parse_case(line.substr(0, colon), text));
    }
}

} // namespace

std::vector<Case> read_cases() {
    std::vector<Case> cases;
    for (const auto &entry : std::filesystem::directory_iterator(AMD_CASES))
        read_file(entry.path(), cases);
    return cases;
}

} // namespace isovmaf::amd
