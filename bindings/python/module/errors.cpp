// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "errors.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

#include <pybind11/pybind11.h>

#include "base/text.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

template <class... Arguments>
[[noreturn]] void raise_made(const Error &error, const Arguments &...arguments) {
    const py::object exception =
        py::module_::import("isovmaf._errors")
            .attr("make_error")(static_cast<int>(error.code), to_text(error.message), arguments...);
    PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
}

/// Why a file cannot be opened for reading, as errno says it; 0 for a file that can, and for other reasons.
int reading_fault(const std::string &file, bool may_be_folder) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0)
        return errno == ENOTDIR ? ENOENT : errno == ENOENT || errno == EACCES ? errno : 0;
    if (S_ISDIR(status.st_mode) && !may_be_folder)
        return EISDIR;
    return eaccess(file.c_str(), R_OK) != 0 && errno == EACCES ? EACCES : 0;
}

/// Whether a sentence is about a file. Sentences have an empty name in quotation marks; "-" is standard input.
bool names_file(const std::string &sentence, const std::string &file) {
    return file != "-" && sentence.find(file.empty() ? "\"\"" : escape_controls(file)) != std::string::npos;
}

} // namespace

void raise(const Error &error) { raise_made(error); }

void raise(const Error &error, const ReadFiles &read) {
    const auto look = [&](const std::vector<std::string> &names, bool may_be_folder) {
        for (const std::string &name : names)
            if (names_file(error.message, name))
                if (const int fault = reading_fault(name, may_be_folder); fault != 0)
                    raise_made(error, fault, to_text(name));
    };
    if (error.code == ErrorCode::not_found || error.code == ErrorCode::io ||
        error.code == ErrorCode::invalid_argument) {
        look(read.files, false);
        look(read.folders, true);
    }
    raise(error);
}

ReadFiles files_read(const ScoringOptions &scoring, const ExecutionOptions &execution) {
    ReadFiles read{{}, execution.backend_folders};
    for (const ModelRequest &model : scoring.models)
        if (!model.path.empty())
            read.files.push_back(model.path);
    return read;
}

} // namespace isovmaf::python
