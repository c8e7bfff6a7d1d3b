// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <string>

namespace isovmaf::testing {

/// Sets an environment variable during its lifetime. The plugin reads the variable when no device is open.
class Variable {
  public:
    Variable(const char *name, const char *value) : name_(name) {
        if (const char *const text = std::getenv(name))
            before_ = text;
        setenv(name, value, 1);
    }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;
    ~Variable() { setenv(name_, before_.c_str(), 1); }

  private:
    const char *name_;
    std::string before_;
};

} // namespace isovmaf::testing
