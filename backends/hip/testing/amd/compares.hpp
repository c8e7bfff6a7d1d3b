// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {

/// Adds v_cmp_ and v_cmpx_ of a relation and type: "lt_u32".
inline void add_compare(OperationTable &table, const std::string &relation, Operation operation) {
    table.add("v_cmp_" + relation, operation);
    operation.writes_exec = true;
    table.add("v_cmpx_" + relation, operation);
}

} // namespace isovmaf::amd
