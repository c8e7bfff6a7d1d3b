// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "input/pair/sync.hpp"
#include "isovmaf/execution.hpp"
#include "report/report.hpp"

namespace isovmaf::tool {

/// A sentence about frames without a partner; empty when every frame had one.
[[nodiscard]] std::string unpaired_text(const SyncResult &sync);

/// Says where a session runs and why: whole lines of text.
[[nodiscard]] std::string describe_place(const Execution &execution);

/// Who decoded the videos: whole lines of text. Empty when software did.
[[nodiscard]] std::string describe_decoders(const Report &report);

/// Kernel launches and device time of every feature, and the device's memory. Empty on the CPU.
[[nodiscard]] std::string describe_work(const Execution &execution);

} // namespace isovmaf::tool
