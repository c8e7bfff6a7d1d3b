// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tensor.hpp"

#include <utility>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "errors.hpp"
#include "host_frame.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

/// Tensors of one frame.
struct FrameOwner {
    explicit FrameOwner(std::shared_ptr<ReturnedTensors> to) : returned(std::move(to)) {}
    FrameOwner(const FrameOwner &) = delete;
    FrameOwner &operator=(const FrameOwner &) = delete;
    ~FrameOwner() { returned->add(tensors); }

    std::vector<dlpack::ManagedTensor *> tensors;
    std::shared_ptr<ReturnedTensors> returned;
};

/// Exports the tensor of an object. It belongs to the caller afterwards.
dlpack::ManagedTensor *export_tensor(py::handle object, std::optional<int> stream) {
    const py::object capsule = object.attr("__dlpack__")(py::arg("stream") = stream);
    void *const tensor = PyCapsule_GetPointer(capsule.ptr(), "dltensor");
    if (!tensor || PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0)
        throw py::error_already_set();
    return static_cast<dlpack::ManagedTensor *>(tensor);
}

std::string describe(const dlpack::Tensor &tensor) {
    static constexpr std::array kinds{"int", "uint", "float"};
    const std::string type =
        tensor.type.code < kinds.size() ? kinds[tensor.type.code] : fmt::format("type {} of ", tensor.type.code);
    std::string shape, strides;
    for (int i = 0; i < tensor.dimensions; i++) {
        shape += fmt::format("{}{}", i > 0 ? ", " : "", tensor.shape[i]);
        if (tensor.strides)
            strides += fmt::format("{}{}", i > 0 ? ", " : "", tensor.strides[i]);
    }
    return fmt::format("a tensor of shape ({}), strides ({}) and type {}{}", shape, strides, type, tensor.type.bits);
}

bool is_plane(const dlpack::Tensor &tensor, const VideoFormat &format, int plane) {
    const int bits = 8 * format.bytes_per_sample();
    return tensor.type.code == 1 && tensor.type.bits == bits && tensor.type.lanes == 1 && tensor.dimensions == 2 &&
           fits(format, plane, tensor.shape[0], tensor.shape[1]) &&
           (!tensor.strides || (tensor.strides[0] >= 0 && (tensor.strides[1] == 1 || tensor.shape[1] == 1)));
}

} // namespace

bool is_at(dlpack::Device device, const TensorPlace &place) {
    const bool managed = device.type == dlpack::cuda_managed && place.device.type == dlpack::cuda;
    return (managed || device.type == place.device.type) && device.id == place.device.id;
}

void ReturnedTensors::add(const std::vector<dlpack::ManagedTensor *> &tensors) {
    const std::lock_guard lock(mutex_);
    tensors_.insert(tensors_.end(), tensors.begin(), tensors.end());
}

void ReturnedTensors::release() {
    std::vector<dlpack::ManagedTensor *> tensors;
    {
        const std::lock_guard lock(mutex_);
        tensors.swap(tensors_);
    }
    for (dlpack::ManagedTensor *const tensor : tensors)
        if (tensor->deleter)
            tensor->deleter(tensor);
}

std::optional<dlpack::Device> tensor_device(py::handle object) {
    if (py::isinstance<py::array>(object) || !py::hasattr(object, "__dlpack_device__"))
        return std::nullopt;
    const py::tuple device = object.attr("__dlpack_device__")();
    return dlpack::Device{py::int_(device[0]).cast<std::int32_t>(), py::int_(device[1]).cast<std::int32_t>()};
}

std::string describe(dlpack::Device device) {
    switch (device.type) {
    case dlpack::cpu:
        return "the CPU";
    case dlpack::cuda:
    case dlpack::cuda_managed:
        return fmt::format("CUDA device {}", device.id);
    case dlpack::rocm:
        return fmt::format("ROCm device {}", device.id);
    default:
        return fmt::format("device {} of DLPack's type {}", device.id, device.type);
    }
}

Frame take_tensors(const std::array<py::object, 3> &planes, const VideoFormat &format, const char *side,
                   const TensorPlace &place, int planes_read, const std::shared_ptr<ReturnedTensors> &returned) {
    const auto owner = std::make_shared<FrameOwner>(returned);
    std::array<std::uint64_t, 3> address{}, stride_bytes{};
    owner->tensors.reserve(planes.size());
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        if (py::isinstance<py::array>(planes[i]) || !py::hasattr(planes[i], "__dlpack__"))
            raise_misfit(format, p, side,
                         py::type::handle_of(planes[i]).attr("__name__").cast<std::string>() + " beside a tensor");
        if (p >= planes_read) { // never read: any memory will do, and luma has enough
            address[i] = address[0];
            stride_bytes[i] = stride_bytes[0];
            continue;
        }
        owner->tensors.push_back(export_tensor(planes[i], place.stream));
        const dlpack::Tensor &tensor = owner->tensors.back()->tensor;
        if (!is_at(tensor.device, place))
            raise({ErrorCode::mismatch,
                   fmt::format("{} plane {} ({}) lies on {}; the session reads tensors of {} ({}): move the tensor "
                               "there, or give the session another device",
                               side, p, plane_name(p), describe(tensor.device), describe(place.device), place.name)});
        if (!is_plane(tensor, format, p))
            raise_misfit(format, p, side, describe(tensor));
        const std::int64_t stride = tensor.strides ? tensor.strides[0] : tensor.shape[1];
        address[i] = reinterpret_cast<std::uint64_t>(tensor.data) + tensor.byte_offset;
        stride_bytes[i] = static_cast<std::uint64_t>(stride * format.bytes_per_sample());
    }
    return Frame::on_device(place.opened, format, owner, address, stride_bytes);
}

} // namespace isovmaf::python
