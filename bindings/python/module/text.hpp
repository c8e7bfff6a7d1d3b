// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

namespace isovmaf::python {

/// UTF-8 as str. Names of files may hold any bytes: those that are no UTF-8 become what os.fsdecode makes of them.
[[nodiscard]] inline pybind11::str to_text(std::string_view bytes) {
    PyObject *const text =
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<pybind11::ssize_t>(bytes.size()), "surrogateescape");
    if (!text)
        throw pybind11::error_already_set();
    return pybind11::reinterpret_steal<pybind11::str>(text);
}

/// The bytes that to_text was given.
[[nodiscard]] inline std::string to_bytes(const pybind11::object &text) {
    const auto bytes =
        pybind11::reinterpret_steal<pybind11::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
    if (!bytes)
        throw pybind11::error_already_set();
    return static_cast<std::string>(bytes);
}

} // namespace isovmaf::python
