// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace isovmaf::testing {

/// Sets an environment variable during its lifetime, or removes it without a value.
class Variable {
  public:
    Variable(const char *name, const char *value) : name_(name) {
        if (const char *const text = std::getenv(name))
            before_ = text;
        set(value);
    }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }

  private:
    void set(const char *value) const {
        if (value)
            setenv(name_, value, 1);
        else
            unsetenv(name_);
    }

    const char *name_;
    std::optional<std::string> before_;
};

} // namespace isovmaf::testing
