// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

namespace isovmaf::tool {

/// The program isovmaf with the arguments of `main`; returns its exit code.
[[nodiscard]] int run_program(int argc, char **argv);

} // namespace isovmaf::tool
