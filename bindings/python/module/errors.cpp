// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "errors.hpp"

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace isovmaf::python {

void raise(const Error &error) {
    const py::object exception =
        py::module_::import("isovmaf._errors").attr("make_error")(static_cast<int>(error.code), error.message);
    PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
}

} // namespace isovmaf::python
