// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isovmaf/execution.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

/// Failures of the library as exceptions of Python.
namespace isovmaf::python {

/// The files and folders that options name, and that are read.
struct ReadFiles {
    std::vector<std::string> files, folders;
};

/// The model files and the folders of plugins.
[[nodiscard]] ReadFiles files_read(const ScoringOptions &scoring, const ExecutionOptions &execution);

/// Throws the Python exception of the error's code, with the error's sentence. The caller holds the GIL.
[[noreturn]] void raise(const Error &error);

/// The same. When the sentence names one of the files, and that file is not there, is a folder or must not be read, the
/// exception is a FileNotFoundError, an IsADirectoryError or a PermissionError too.
[[noreturn]] void raise(const Error &error, const ReadFiles &read);

/// The value of a result; raises its error, with `read` as above. The caller holds the GIL.
template <class T, class... Read>
T value_or_raise(Result<T> result, const Read &...read) {
    if (!result)
        raise(result.error(), read...);
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

} // namespace isovmaf::python
