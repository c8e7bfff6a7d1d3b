// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hip/testing/amd/counters.hpp"

namespace isovmaf::amd {

/// The counters of the programs of a process.
class CountersFile {
  public:
    explicit CountersFile(std::string path) : path_(std::move(path)) {}

    /// Writes the file: JSON, a list of kernels.
    ~CountersFile();
    CountersFile(const CountersFile &) = delete;
    CountersFile &operator=(const CountersFile &) = delete;

    Counters &of(const std::shared_ptr<const Program> &program);

  private:
    std::string path_;
    std::map<std::shared_ptr<const Program>, Counters> counters_;
};

} // namespace isovmaf::amd
