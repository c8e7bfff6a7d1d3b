// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/side.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backends.hpp"
#include "simd/level.hpp"

namespace isovmaf::diff {

namespace {

class Finder {
  public:
    Finder(const SideRequest &request, std::vector<BackendCandidate> candidates)
        : request_(request), candidates_(std::move(candidates)) {}

    Result<Sides> find() {
        for (const std::string &name : split_list(request_.backends))
            TRY(name == "available" ? add_available() : add_named(name));
        for (const std::string &name : request_.required)
            if (std::ranges::none_of(found_.sides, [&](const Side &side) { return satisfies(side, name); }))
                return fail(ErrorCode::not_found, fmt::format("backend {} is required, and {}", name, why_not(name)));
        if (found_.sides.empty())
            return fail(ErrorCode::not_found, "no backend is available" + list_absent());
        return std::move(found_);
    }

  private:
    /// Whether a side is one of the required backend. Both backends of the CPU are "cpu".
    static bool satisfies(const Side &side, std::string_view required) {
        return side.backend == required || (side.on_cpu() && required == cpu_backend);
    }

    std::string list_absent() const {
        std::string text;
        for (const Absent &absent : found_.absent)
            text += fmt::format("{}{}: {}", text.empty() ? ": " : "; ", absent.side, absent.reason);
        return text;
    }

    const BackendCandidate *candidate(std::string_view name) const {
        for (const BackendCandidate &candidate : candidates_)
            if (candidate.plugin && candidate.plugin->name() == name)
                return &candidate;
        return nullptr;
    }

    std::string why_not(std::string_view name) const {
        const BackendCandidate *const plugin = candidate(name);
        if (!plugin)
            return "there is no plugin of that name: `isovmaf backends` lists those there are";
        return plugin->verdict == PluginVerdict::loaded ? "is not among the sides" : plugin->reason;
    }

    Result<void> add_available() {
        for (const BackendCandidate &candidate : candidates_) {
            const std::string name = candidate.plugin ? candidate.plugin->name() : candidate.file.filename().string();
            if (candidate.verdict != PluginVerdict::loaded)
                found_.absent.push_back({name, candidate.reason});
            else
                TRY(add_devices(candidate));
        }
        return {};
    }

    Result<void> add_named(const std::string &text) {
        const std::size_t colon = text.find(':');
        const std::string backend = text.substr(0, colon);
        if (runs_without_plugin(backend) && colon == std::string::npos)
            return add({text, text});
        if (backend == cpu_backend)
            return add_cpu_levels(text, text.substr(colon + 1));
        if (runs_without_plugin(backend) || backend.empty())
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no side: give cpu-ref, cpu with or without :LEVEL, available, or a backend "
                            "with or without :DEVICE, separated by commas",
                            text));
        const BackendCandidate *const plugin = candidate(backend);
        if (!plugin || plugin->verdict != PluginVerdict::loaded)
            return fail(ErrorCode::not_found, fmt::format("backend {} cannot be used: {}", backend, why_not(backend)));
        if (colon == std::string::npos)
            return add_devices(*plugin);
        std::vector<int> devices;
        for (const std::string &number : split_list(text.substr(colon + 1), '+')) {
            const std::optional<std::int64_t> device = parse_integer(number);
            if (!device || *device < 0 || *device >= plugin->runtime.device_count)
                return fail(ErrorCode::not_found, fmt::format("\"{}\": {} has {} devices, numbered from 0", text,
                                                              backend, plugin->runtime.device_count));
            devices.push_back(static_cast<int>(*device));
        }
        return add_side_of(*plugin, std::move(devices));
    }

    Result<void> add_cpu_levels(const std::string &text, const std::string &level) {
        const auto add_level = [&](CpuLevel one) {
            const std::string name(cpu_level_name(one));
            Side side{"", std::string(cpu_backend)};
            side.cpu_level = name;
            side.name = side.place();
            return add(side);
        };
        if (level != "all") {
            const Result<CpuLevel> one = parse_cpu_level(level);
            return one ? add_level(*one)
                       : fail(one.error().code, fmt::format("\"{}\" is no side: {}", text, one.error().message));
        }
        for (const CpuLevel one : usable_cpu_levels())
            if (one != CpuLevel::scalar)
                TRY(add_level(one));
        return {};
    }

    Result<void> add_devices(const BackendCandidate &plugin) {
        if (!request_.all_devices) {
            keep_open(plugin, 0);
            return add({plugin.plugin->name(), plugin.plugin->name()});
        }
        for (int device = 0; device < static_cast<int>(plugin.runtime.device_count); device++)
            TRY(add_side_of(plugin, {device}));
        return {};
    }

    Result<void> add_side_of(const BackendCandidate &plugin, std::vector<int> devices) {
        for (const int device : devices)
            keep_open(plugin, device);
        Side side{"", plugin.plugin->name(), std::move(devices)};
        side.name = side.place();
        return add(side);
    }

    /// A device that does not open is no error yet: the first session on it will say so.
    void keep_open(const BackendCandidate &plugin, int device) {
        if (Result<Device> opened = Device::open(plugin.plugin, static_cast<std::uint32_t>(device)))
            found_.open_devices.push_back(std::make_shared<const Device>(*std::move(opened)));
    }

    /// One side for each number of frames in flight and of streams; the CPU has neither.
    Result<void> add(const Side &side) {
        if (side.on_cpu())
            return add_one(side);
        const std::vector<int> useful{0};
        for (const int frames : request_.frames_in_flight.empty() ? useful : request_.frames_in_flight)
            for (const int streams : request_.streams.empty() ? useful : request_.streams) {
                Side one = side;
                one.frames_in_flight = frames;
                one.streams = streams;
                if (frames > 0)
                    one.name += fmt::format(" inflight={}", frames);
                if (streams > 0)
                    one.name += fmt::format(" streams={}", streams);
                TRY(add_one(std::move(one)));
            }
        return {};
    }

    Result<void> add_one(Side side) {
        if (std::ranges::find(found_.sides, side.name, &Side::name) != found_.sides.end())
            return fail(ErrorCode::invalid_argument, fmt::format("side {} is given twice", side.name));
        found_.sides.push_back(std::move(side));
        return {};
    }

    const SideRequest &request_;
    std::vector<BackendCandidate> candidates_;
    Sides found_;
};

} // namespace

std::string Side::place() const {
    if (cpu_level != "auto")
        return fmt::format("{}:{}", backend, cpu_level);
    return devices.empty() ? backend : fmt::format("{}:{}", backend, fmt::join(devices, "+"));
}

Result<Sides> find_sides(const SideRequest &request) {
    const std::vector<std::string> names = split_list(request.backends);
    const bool plugins = !std::ranges::all_of(names, runs_without_plugin) || !request.required.empty();
    std::vector<BackendCandidate> candidates;
    if (plugins)
        candidates = TRY(find_backends(request.folders));
    return Finder(request, std::move(candidates)).find();
}

} // namespace isovmaf::diff
