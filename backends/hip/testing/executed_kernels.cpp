// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels whose machine code is executed on the CPU. The environment says how: docs/testing-inside.md lists the variables.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "hip/testing/amd/counters_file.hpp"
#include "hip/testing/amd/executor.hpp"
#include "hip/testing/amd/wave.hpp"
#include "hip/testing/fake_kernels.hpp"

namespace fake_kernels {

namespace {

using namespace isovmaf;

amd::Memory &device_memory() {
    static amd::Memory memory;
    return memory;
}

amd::Timeline &timeline() {
    static amd::Timeline work;
    return work;
}

std::string variable(const char *name, const char *absent) {
    const char *const value = std::getenv(name);
    return value ? value : absent;
}

template <class T>
T choice(const char *name, const std::map<std::string, T> &choices, const char *absent) {
    const auto found = choices.find(variable(name, absent));
    if (found == choices.end())
        throw std::runtime_error(std::string(name) + " has no such value");
    return found->second;
}

amd::Settings settings_of_environment() {
    amd::Settings settings;
    settings.order = choice<amd::Order>(
        "FAKE_HIP_ORDER",
        {{"forward", amd::Order::forward}, {"reverse", amd::Order::reverse}, {"shuffle", amd::Order::shuffle}},
        "forward");
    settings.seed = std::strtoull(variable("FAKE_HIP_SEED", "1").c_str(), nullptr, 10);
    settings.threads = static_cast<unsigned>(std::strtoul(variable("FAKE_HIP_THREADS", "2").c_str(), nullptr, 10));
    settings.approximation = choice<amd::Approximation>("FAKE_HIP_APPROXIMATION",
                                                        {{"exact", amd::Approximation::exact},
                                                         {"lowest", amd::Approximation::lowest},
                                                         {"highest", amd::Approximation::highest}},
                                                        "exact");
    settings.strict = variable("FAKE_HIP_STRICT", "0") != "0";
    return settings;
}

const amd::Settings &settings() {
    static const amd::Settings read = settings_of_environment();
    return read;
}

/// The program of a code object, which is made once for each content.
std::shared_ptr<const amd::Program> program_of(std::string_view code_object) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const amd::Program>, std::less<>> programs;
    const std::lock_guard lock(mutex);
    auto found = programs.find(code_object);
    if (found == programs.end())
        found = programs.emplace(code_object, std::make_shared<amd::Program>(code_object)).first;
    return found->second;
}

/// The program of the file that FAKE_HIP_MODULE names, if it has the kernel: it takes the place of the plugin's.
std::shared_ptr<const amd::Program> replacement_of(std::string_view kernel) {
    static const auto program = []() -> std::shared_ptr<const amd::Program> {
        const std::string path = variable("FAKE_HIP_MODULE", "");
        if (path.empty())
            return nullptr;
        std::ifstream file(path, std::ios::binary);
        return std::make_shared<amd::Program>(std::string(std::istreambuf_iterator<char>(file), {}));
    }();
    return program && program->find(kernel) ? program : nullptr;
}

/// A code object that was loaded. Its first launch makes the program.
class LoadedImage {
  public:
    explicit LoadedImage(std::string_view code_object) : code_object_(code_object) {}

    const std::shared_ptr<const amd::Program> &program() {
        std::call_once(made_, [&] { program_ = program_of(code_object_); });
        return program_;
    }

  private:
    std::string_view code_object_;
    std::once_flag made_;
    std::shared_ptr<const amd::Program> program_;
};

/// Where launches are counted; null without FAKE_HIP_COUNTERS. The file is written when the process ends.
amd::CountersFile *counters_file() {
    static const std::string path = variable("FAKE_HIP_COUNTERS", "");
    static const auto file = path.empty() ? nullptr : std::make_unique<amd::CountersFile>(path);
    return file.get();
}

void execute(const std::shared_ptr<const amd::Program> &program, const amd::Launch &launch) {
    amd::Settings with = settings();
    if (amd::CountersFile *const file = counters_file()) {
        amd::Counters &counters = file->of(program);
        counters.begin(launch);
        with.observer = &counters;
    }
    amd::execute(*program, launch, device_memory(), with);
}

bool report(const std::exception &error) {
    std::fprintf(stderr, "fake HIP runtime: %s\n", error.what());
    return false;
}

} // namespace

void add_memory(void *memory, std::size_t bytes, bool watched) {
    device_memory().add(memory, bytes, true, watched && settings().strict);
}
void remove_memory(void *memory) { device_memory().remove(memory); }
bool memory_written(const void *stream, const void *memory, const void *from, std::size_t bytes) {
    const amd::Accessor accessor{timeline().begin(stream), 0, 0, 0, &timeline()};
    if (device_memory().copied(memory, from, bytes, accessor))
        return true;
    return report(std::runtime_error("no order between a copy or a fill and earlier work on the same memory"));
}
void work_submitted(const void *stream) { timeline().submitted(stream); }
void event_recorded(const void *event, const void *stream) { timeline().record(event, stream); }
void stream_waited(const void *stream, const void *event) { timeline().wait(stream, event); }
void host_waited(const void *event) { timeline().host_waited(event); }

Image load(std::string_view code_object) { return std::make_shared<LoadedImage>(code_object); }

Launch prepare(const Image &image, std::string_view kernel, const std::array<std::uint32_t, 3> &groups,
               const std::array<std::uint32_t, 3> &size, void *const *arguments) {
    try {
        std::shared_ptr<const amd::Program> program = replacement_of(kernel);
        if (!program)
            program = static_cast<LoadedImage *>(image.get())->program();
        amd::Launch launch{program->find(kernel), groups, size, {}, 0, &timeline()};
        if (!launch.kernel)
            throw std::runtime_error("no kernel " + std::string(kernel));
        launch.arguments = amd::gather_arguments(*launch.kernel, arguments);
        return [program, launch](const void *stream) mutable {
            launch.run = timeline().begin(stream);
            try {
                execute(program, launch);
                return true;
            } catch (const std::exception &error) {
                return report(error);
            }
        };
    } catch (const std::exception &error) {
        report(error);
        return [](const void *) { return false; };
    }
}

} // namespace fake_kernels
