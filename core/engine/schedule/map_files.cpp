// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/map_files.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "engine/plan/map_request.hpp"

namespace isovmaf {

namespace {

static_assert(std::endian::native == std::endian::little, "samples are written to files as they lie in memory");

constexpr mode_t folder_mode = 0770, file_mode = 0666;

Error map_error(std::string_view action, const std::string &path, int error) {
    return {ErrorCode::io,
            fmt::format("cannot {} {}: {}", action, quote(path), std::generic_category().message(error))};
}

Result<void> make_folder(const std::string &folder) {
    if (mkdir(folder.c_str(), folder_mode) != 0 && errno != EEXIST)
        return tl::unexpected(map_error("make the folder for maps", folder, errno));
    return {};
}

} // namespace

Result<std::unique_ptr<MapFiles>> MapFiles::create(const PlannedFeature &planned) {
    std::unique_ptr<MapFiles> files(new MapFiles);
    for (std::size_t v = 0; v < planned.map_folders.size(); v++) {
        const std::string &folder = planned.map_folders[v];
        if (folder.empty())
            continue;
        TRY(make_folder(folder));
        for (const StageMap &map : planned.plan.variants[v].maps)
            TRY(files->open(folder, map));
    }
    if (files->files_.empty())
        return nullptr;
    files->stages_ = planned.plan.stages;
    return files;
}

MapFiles::~MapFiles() {
    for (const File &file : files_)
        if (file.descriptor != -1)
            ::close(file.descriptor);
}

/// A file that is there becomes empty.
Result<void> MapFiles::open(const std::string &folder, const StageMap &map) {
    std::string path = std::filesystem::path(folder) / map.file;
    if (std::ranges::find(files_, path, &File::path) != files_.end())
        return fail(ErrorCode::invalid_argument, fmt::format("two option sets of a feature would write their maps to "
                                                             "{}: give each a folder of its own",
                                                             quote(path)));
    const int descriptor =
        retry([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode); });
    if (descriptor == -1)
        return tl::unexpected(map_error("write maps to", path, errno));
    files_.push_back({std::move(path), map, descriptor});
    kept_.push_back(map.stage);
    return {};
}

void MapFiles::extract(const Extractor &extractor, const PictureWindow &pictures, std::int64_t frame,
                       Workspace &workspace, Words words) const {
    StageMemory memory(stages_, kept_);
    extractor.extract(pictures, workspace, words, memory.taps());
    for (const File &file : files_)
        write(file, frame, memory);
}

void MapFiles::write(const File &file, std::int64_t frame, const StageMemory &memory) const {
    const std::span<const std::int64_t> plane = memory.plane(file.map.stage);
    std::vector<std::uint16_t> samples(plane.size());
    std::ranges::transform(plane, samples.begin(), [&](std::int64_t word) { return file.map.sample(word); });
    const std::span<const std::byte> bytes = std::as_bytes(std::span(samples));
    const std::int64_t offset = frame * static_cast<std::int64_t>(bytes.size());
    if (const int error = write_all_at(file.descriptor, bytes, offset); error != 0)
        throw Failure(map_error(fmt::format("write the map of frame {} to", frame), file.path, error));
}

Result<void> MapFiles::close() {
    int error = 0;
    std::string path;
    for (File &file : files_) // close releases the descriptor even when it fails
        if (file.descriptor != -1 && ::close(std::exchange(file.descriptor, -1)) != 0 && errno != EINTR) {
            error = errno;
            path = file.path;
        }
    if (error != 0)
        return tl::unexpected(map_error("write maps to", path, error));
    return {};
}

} // namespace isovmaf
