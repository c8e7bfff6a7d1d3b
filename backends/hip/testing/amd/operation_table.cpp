// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/operation_table.hpp"

#include <stdexcept>

namespace isovmaf::amd {

void OperationTable::add(std::string_view names, const Operation &operation) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        const auto [entry, added] = operations_.try_emplace(std::string(name), operation);
        if (!added)
            throw std::logic_error("two operations are called " + entry->first);
        entry->second.name = entry->first;
    }
}

const Operation *OperationTable::find(std::string_view name) const {
    const auto found = operations_.find(name);
    return found == operations_.end() ? nullptr : &found->second;
}

const OperationTable &operation_table() {
    static const OperationTable table = [] {
        OperationTable all;
        for (const auto add : {add_integer_operations, add_multiplications, add_bit_operations, add_byte_operations,
                               add_packed_operations, add_integer_compares, add_scalar_operations,
                               add_scalar_bit_operations, add_float_operations, add_packed_float_operations,
                               add_float_compares, add_float_parts, add_conversions, add_divisions, add_approximations})
            add(all);
        return all;
    }();
    return table;
}

const Operation *find_operation(std::string_view mnemonic, bool saturates) {
    for (const std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_sdwa", "_dpp"}) {
        if (mnemonic.ends_with(suffix)) {
            mnemonic.remove_suffix(suffix.size());
            break;
        }
    }
    if (saturates)
        return operation_table().find(std::string(mnemonic) + "_clamp");
    constexpr std::string_view dual = "v_dual_";
    if (mnemonic.starts_with(dual))
        return operation_table().find("v_" + std::string(mnemonic.substr(dual.size())));
    return operation_table().find(mnemonic);
}

} // namespace isovmaf::amd
