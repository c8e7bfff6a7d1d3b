// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "hip/testing/amd/lane_operations.hpp"

namespace isovmaf::amd {

/// All operations by name.
class OperationTable {
  public:
    /// `names` are mnemonics with spaces between them: what generations call the same instruction.
    void add(std::string_view names, const Operation &operation);

    const Operation *find(std::string_view name) const;

    const std::map<std::string, Operation, std::less<>> &operations() const { return operations_; }

  private:
    std::map<std::string, Operation, std::less<>> operations_;
};

const OperationTable &operation_table();

void add_integer_operations(OperationTable &table);
void add_multiplications(OperationTable &table);
void add_bit_operations(OperationTable &table);
void add_byte_operations(OperationTable &table);
void add_packed_operations(OperationTable &table);
void add_integer_compares(OperationTable &table);
void add_scalar_operations(OperationTable &table);
void add_scalar_bit_operations(OperationTable &table);
void add_float_operations(OperationTable &table);
void add_packed_float_operations(OperationTable &table);
void add_float_compares(OperationTable &table);
void add_float_parts(OperationTable &table);
void add_conversions(OperationTable &table);
void add_divisions(OperationTable &table);
void add_approximations(OperationTable &table);

} // namespace isovmaf::amd
