// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/host_pictures.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

namespace {

/// Luma of 256 KiB: more than the caches of single compute units hold.
constexpr VideoFormat measured_format{.width = 512, .height = 256, .chroma = Chroma::k400, .bit_depth = 10};

/// How often kernels read a picture. Several passes of the features of a VMAF model do: memory that a device does not
/// cache costs more with each of them.
constexpr int reads = 4;

/// How much longer a picture in place may take: uploads take bandwidth from other frames in flight, too, which a
/// picture alone does not show.
constexpr double most_of_uploaded = 1.05;

/// The first turn is not counted: kernels are compiled, and memory is touched for the first time.
constexpr int turns = 4;

/// One way to a picture: the host writes it, and commands read it.
class Way {
  public:
    /// The picture is copied to device memory before kernels read it if `host_memory` is memory for uploads.
    [[nodiscard]] static Result<Way> create(const Device &device, isovmaf_memory host_memory) {
        Way way;
        const std::uint64_t bytes = way.layout_.bytes();
        way.host_ = TRY(device.create_buffer(host_memory, bytes));
        way.counts_ = TRY(device.create_buffer(ISOVMAF_MEMORY_DEVICE, sizeof(std::int64_t)));
        Recorder recorder(device);
        recorder.fill(way.counts_.at(0), sizeof(std::int64_t), 0);
        if (host_memory == ISOVMAF_MEMORY_UPLOAD) {
            way.device_ = TRY(device.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes));
            recorder.copy(way.host_.at(0), way.device_.at(0), bytes);
        }
        const GpuPicture picture = way.layout_.at((way.device_ ? way.device_ : way.host_).at(0));
        for (int i = 0; i < reads; i++)
            record_sample_check(recorder, measured_format, 1, picture, way.counts_.at(0), 0);
        way.commands_ = TRY(recorder.finish());
        return way;
    }

    /// Seconds of one turn.
    [[nodiscard]] Result<double> run(const Plane &picture, Queue &queue) {
        const auto start = std::chrono::steady_clock::now();
        layout_.stage(picture, 0, host_.host());
        TRY(queue.run(commands_));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

  private:
    Way() = default;

    PictureLayout layout_{measured_format, 1};
    Buffer host_, device_, counts_;
    Commands commands_; // destroyed before what it uses
};

struct Measured {
    double in_place = std::numeric_limits<double>::max(), uploaded = std::numeric_limits<double>::max(); ///< seconds
};

/// The shortest times of both ways, which take turns: another process slows single turns down, and both ways alike.
Result<Measured> measure(const Device &device) {
    Way in_place = TRY(Way::create(device, ISOVMAF_MEMORY_SHARED)),
        uploaded = TRY(Way::create(device, ISOVMAF_MEMORY_UPLOAD));
    Queue queue = TRY(device.create_queue());
    const auto stride = static_cast<std::ptrdiff_t>(row_bytes(measured_format, 0));
    const std::vector<std::byte> samples(plane_bytes(measured_format, 0, static_cast<std::uint64_t>(stride)));
    const Plane picture{samples.data(), stride, measured_format.width, measured_format.height};
    Measured shortest;
    for (int turn = 0; turn < turns; turn++) {
        const double place_time = TRY(in_place.run(picture, queue)), upload_time = TRY(uploaded.run(picture, queue));
        if (turn > 0)
            shortest = {std::min(shortest.in_place, place_time), std::min(shortest.uploaded, upload_time)};
    }
    return shortest;
}

/// A measurement that fails is no reason against the device: what fails for good fails again where it is reported.
HostPictures decide(const Device &device) {
    const Result<Measured> measured = measure(device);
    if (!measured)
        return {false, fmt::format("the measurement failed: {}", measured.error().message)};
    return {measured->in_place <= most_of_uploaded * measured->uploaded,
            fmt::format("{:.3f} ms for a picture of 256 KiB in place, {:.3f} ms with an upload",
                        1e3 * measured->in_place, 1e3 * measured->uploaded)};
}

HostPictures decide_once(const Device &device) {
    static std::mutex mutex;
    static std::map<std::pair<const isovmaf_backend *, std::uint32_t>, HostPictures> decisions;
    const std::lock_guard lock(mutex);
    const std::pair key{&device.plugin().backend(), device.index()};
    const auto known = decisions.find(key);
    return known != decisions.end() ? known->second : decisions.emplace(key, decide(device)).first->second;
}

} // namespace

Result<HostPictures> find_host_pictures(const Device &device) {
    const char *const value = std::getenv(host_pictures_variable);
    const std::string_view wanted = value ? value : "";
    if (!wanted.empty() && wanted != "0" && wanted != "1")
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} is {} and may be 0 or 1", host_pictures_variable, quote(wanted)));
    if (device.info().shares_memory == 0)
        return HostPictures{};
    if (wanted.empty())
        return decide_once(device);
    return HostPictures{wanted == "1", fmt::format("{} is {}", host_pictures_variable, wanted)};
}

} // namespace isovmaf
