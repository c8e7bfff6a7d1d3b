// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/workspace.hpp"
#include "engine/plan/feature_set.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// The files of maps that the option sets of one feature ask for (docs/spec/maps.md). Each frame has a place in each
/// file, so frames may be written in any order.
class MapFiles {
  public:
    /// Makes the folders, with mode 0770 as far as the process allows it, and empty files. Null: no maps are asked for.
    [[nodiscard]] static Result<std::unique_ptr<MapFiles>> create(const PlannedFeature &planned);

    ~MapFiles(); ///< closes the files
    MapFiles(const MapFiles &) = delete;
    MapFiles &operator=(const MapFiles &) = delete;

    /// Has `extractor`, which is of the feature's plan, write the words of frame `frame` of the video, and writes its
    /// maps. Thread-safe. Holds the values of the maps' stages, 8 bytes each, while it runs. Throws Failure when a file
    /// cannot be written.
    void extract(const Extractor &extractor, const PictureWindow &pictures, std::int64_t frame, Workspace &workspace,
                 Words words) const;

    /// Closes the files. Fails when what was written to one of them is lost.
    [[nodiscard]] Result<void> close();

  private:
    struct File {
        std::string path;
        StageMap map;
        int descriptor = -1;
    };

    MapFiles() = default;
    Result<void> open(const std::string &folder, const StageMap &map);
    void write(const File &file, std::int64_t frame, const StageMemory &memory) const;

    std::vector<Stage> stages_;
    std::vector<std::size_t> kept_; ///< stages of the files
    std::vector<File> files_;
};

} // namespace isovmaf
