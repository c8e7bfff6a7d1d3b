// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <vector>

#include "run/pair_worker.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

/// Videos that are scored side by side in one place, at most.
inline constexpr std::size_t most_side_by_side = 8;

/// Starts to open every device that the request names, or the one place that it asks for. Opening goes on on threads.
/// The places' threads are divided among the `videos` that are scored side by side.
/// `verbose`: says which processors the threads of several devices are bound to.
[[nodiscard]] Result<std::vector<PartPlace>> open_places(const ScoreRequest &job, std::size_t videos, bool verbose,
                                                         const LogSink &log);

/// Each place as often as it has workers: `decoders` of a device. Each worker has the threads that the place has.
[[nodiscard]] std::vector<PartPlace> place_part_workers(const std::vector<PartPlace> &places, int decoders);

/// The places of several devices as one, where one worker deals its frames to all of them.
[[nodiscard]] PartPlace join_places(const std::vector<PartPlace> &places);

/// What a report says of several workers, which may share devices. The texts about devices name all of them.
[[nodiscard]] Execution join_executions(const std::vector<Execution> &executions);

/// For each device of several workers what was done there.
[[nodiscard]] std::vector<Execution> executions_of_devices(const std::vector<Execution> &executions,
                                                           const std::vector<PartPlace> &places);

/// The first place of each device, in the same order.
[[nodiscard]] std::vector<PartPlace> places_of_devices(const std::vector<PartPlace> &places);

/// Ends the process after a failure: see `leave`.
[[noreturn]] void leave(int exit_code, const std::vector<PartPlace> &places);

} // namespace isovmaf::tool
