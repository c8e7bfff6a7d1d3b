// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host_frame.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "errors.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

bool fits_side(int luma, int shift, std::int64_t given) {
    return given == luma >> shift || given == (luma + (1 << shift) - 1) >> shift;
}

bool has_sample_type(const py::array &array, const VideoFormat &format) {
    return format.bytes_per_sample() == 1 ? py::isinstance<py::array_t<std::uint8_t>>(array)
                                          : py::isinstance<py::array_t<std::uint16_t>>(array);
}

std::string describe(const py::array &array) {
    return fmt::format("an array of shape {}, strides {} and type {}", py::str(array.attr("shape")).cast<std::string>(),
                       py::str(array.attr("strides")).cast<std::string>(), py::str(array.dtype()).cast<std::string>());
}

bool has_whole_rows(const py::array &array) { return array.shape(1) == 1 || array.strides(1) == array.itemsize(); }

} // namespace

std::array<py::object, 3> planes_of(py::handle frame, const VideoFormat &format, const char *side) {
    const bool several = py::isinstance<py::tuple>(frame) || py::isinstance<py::list>(frame);
    const std::size_t given = several ? py::len(frame) : 1;
    const auto expected = static_cast<std::size_t>(format.plane_count());
    if (given != expected)
        raise({ErrorCode::mismatch, fmt::format("{} has {} planes; {}", side, given,
                                                expected == 1 ? "luma alone is expected, as the session's chroma is 400"
                                                              : "a tuple of the planes Y, Cb and Cr is expected")});
    std::array<py::object, 3> planes;
    for (std::size_t p = 0; p < given; p++)
        planes[p] = several ? py::object(frame[py::int_(p)]) : py::reinterpret_borrow<py::object>(frame);
    return planes;
}

bool fits(const VideoFormat &format, int plane, std::int64_t rows, std::int64_t columns) {
    return fits_side(format.height, plane > 0 ? format.chroma_shift_y() : 0, rows) &&
           fits_side(format.width, plane > 0 ? format.chroma_shift_x() : 0, columns);
}

void raise_misfit(const VideoFormat &format, int plane, const char *side, const std::string &found) {
    raise({ErrorCode::mismatch,
           fmt::format("{} plane {} ({}): {} rows of {} samples of type {}, side by side in each row, are expected, "
                       "not {}",
                       side, plane, plane_name(plane), format.plane_height(plane), format.plane_width(plane),
                       format.bytes_per_sample() == 1 ? "uint8" : "uint16", found)});
}

std::array<py::array, 3> as_arrays(const std::array<py::object, 3> &planes, const VideoFormat &format,
                                   const char *side) {
    std::array<py::array, 3> arrays;
    const py::object masked_arrays = py::module_::import("numpy.ma").attr("MaskedArray");
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const bool tensor = !py::isinstance<py::array>(planes[i]) && py::hasattr(planes[i], "__dlpack__");
        const py::object plane =
            tensor ? py::object(py::module_::import("numpy").attr("from_dlpack")(planes[i])) : planes[i];
        if (!py::isinstance<py::array>(plane))
            raise_misfit(format, p, side, py::type::handle_of(plane).attr("__name__").cast<std::string>());
        arrays[i] = py::reinterpret_borrow<py::array>(plane);
        const py::array &array = arrays[i];
        if (py::isinstance(array, masked_arrays))
            raise({ErrorCode::invalid_argument,
                   fmt::format("{} plane {} ({}) is a masked array, and no sample can be left out: give it filled "
                               "(numpy.ma.filled), or give the part without masked samples",
                               side, p, plane_name(p))});
        if (array.ndim() != 2 || !has_sample_type(array, format) || !fits(format, p, array.shape(0), array.shape(1)) ||
            !has_whole_rows(array))
            raise_misfit(format, p, side, describe(array));
    }
    return arrays;
}

Frame frame_of(const std::array<py::array, 3> &arrays, const VideoFormat &format) {
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        data[p] = arrays[p].data();
        stride_bytes[p] = arrays[p].strides(0);
    }
    return {format, nullptr, data, stride_bytes};
}

} // namespace isovmaf::python
