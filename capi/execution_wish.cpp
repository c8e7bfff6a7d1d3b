// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/execution_wish.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"
#include "device/backends.hpp"
#include "execution/execution.hpp"
#include "simd/level.hpp"

namespace isovmaf::capi {

namespace {

constexpr const char *backend_variable = "ISOVMAF_BACKEND", *device_variable = "ISOVMAF_DEVICE";

/// The text of an environment variable; empty when it is not set.
std::string environment(const char *name) {
    const char *const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// The bits of a cpumask of which any forbids the level.
std::uint64_t bits_of(CpuLevel level) {
    constexpr std::uint64_t sse4 = 1 | 2 | 4, avx2 = sse4 | 8, avx512 = avx2 | 16 | 32, neon = 1;
    switch (level) {
    case CpuLevel::scalar:
        return 0;
    case CpuLevel::sse4:
        return sse4;
    case CpuLevel::avx2:
        return avx2;
    case CpuLevel::avx512:
        return avx512;
    case CpuLevel::neon:
    case CpuLevel::sve:
        return neon;
    }
    return 0;
}

/// Fails when a GPU that is asked for by name is forbidden or has no plugin that can be used here.
Result<void> check_named_device(const std::string &device, const VmafConfiguration &config) {
    if (config.gpumask != 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} asks for {}, but the program forbids GPUs with a gpumask of {:#x}: set it to cpu "
                                "or auto",
                                backend_variable, device, config.gpumask));
    TRY(find_backend(device, {}));
    return {};
}

} // namespace

std::string cpu_level_without(std::uint64_t cpumask) {
    CpuLevel newest = CpuLevel::scalar;
    for (const CpuLevel level : usable_cpu_levels())
        if ((bits_of(level) & cpumask) == 0)
            newest = level;
    return std::string(cpu_level_name(newest));
}

Result<ExecutionWish> execution_wish(const VmafConfiguration &config) {
    const std::string asked = environment(backend_variable);
    ExecutionWish wish{
        {.backend = asked.empty() ? std::string(auto_backend) : asked, .cpu_level = cpu_level_without(config.cpumask)},
        asked.empty() ? "" : fmt::format("{} is {}", backend_variable, asked)};
    const std::string devices = environment(device_variable);
    TRY(read_devices(device_variable, devices, wish.options));
    const Result<BackendWish> parsed = parse_backend(wish.options.backend);
    if (!parsed)
        return fail(parsed.error().code, fmt::format("{}: {}", backend_variable, parsed.error().message));
    if (parsed->device == auto_backend && config.gpumask != 0)
        return ExecutionWish{{.cpu_level = wish.options.cpu_level}, "a gpumask forbids GPUs"};
    if (!parsed->device.empty() && parsed->device != auto_backend)
        TRY(check_named_device(parsed->device, config));
    if (parsed->device.empty() && !devices.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("{} is set, but {} asks for the CPU: unset one of them",
                                                             device_variable, backend_variable));
    return wish;
}

} // namespace isovmaf::capi
