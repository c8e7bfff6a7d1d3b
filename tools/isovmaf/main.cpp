// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/commands.hpp"

int main(int argc, char **argv) { return isovmaf::tool::run_program(argc, argv); }
