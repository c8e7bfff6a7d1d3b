// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"

int main(int argc, char **argv) {
    return isovmaf::tool::run_guarded("isovmaf", [&] { return isovmaf::tool::run_program(argc, argv); });
}
