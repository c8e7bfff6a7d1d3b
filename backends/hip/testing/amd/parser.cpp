// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/parser.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/operands.hpp"
#include "hip/testing/amd/waits.hpp"

namespace isovmaf::amd {

namespace {

/// Hands out the operands of a text from left to right.
class OperandReader {
  public:
    explicit OperandReader(const Pieces &pieces) : pieces_(pieces) {}

    [[nodiscard]] std::size_t left() const { return pieces_.operands.size() - next_; }

    Operand take(Kind kind) {
        if (left() == 0)
            throw std::runtime_error("an operand is missing");
        return parse_operand(pieces_.operands[next_++], kind);
    }

  private:
    const Pieces &pieces_;
    std::size_t next_ = 0;
};

Operand implicit_vcc() {
    Operand operand;
    operand.type = Operand::Type::scalar;
    operand.index = scalar::vcc;
    return operand;
}

void require_modifiable(const Instruction &instruction) {
    const bool chooses = instruction.operation->takes_condition && !instruction.operation->writes_flag;
    for (std::size_t i = 0; i < instruction.source_count; i++) {
        const Kind kind = instruction.operation->sources[i];
        const Operand &source = instruction.sources[i];
        const bool has_sign = instruction.execute == execute_vector &&
                              (kind == Kind::f32 || kind == Kind::f64 || (chooses && kind == Kind::u32));
        if ((source.negated || source.absolute) && !has_sign)
            throw std::runtime_error("the executor does not know the sign modifiers of such an operand");
    }
}

/// The half of the destination that its name ends with is written, the other one stays: what SDWA says with modifiers.
void write_half(Instruction &instruction) {
    instruction.sdwa = true;
    instruction.destination_selection = instruction.destination.selection;
    instruction.unused = Unused::preserve;
}

Instruction parse_arithmetic(const Pieces &pieces, const Operation &operation) {
    Instruction instruction;
    instruction.operation = &operation;
    const bool vector = pieces.mnemonic.starts_with("v_") && !pieces.mnemonic.starts_with("v_s_");
    instruction.execute = vector ? execute_vector : execute_scalar;
    OperandReader reader(pieces);
    if (operation.result != Kind::none)
        instruction.destination = reader.take(operation.result);
    if (vector && operation.writes_flag && !operation.writes_exec)
        instruction.mask = reader.take(Kind::u64);
    instruction.source_count = operation.source_count;
    for (std::size_t i = 0; i < operation.source_count; i++)
        instruction.sources[i] = reader.take(operation.sources[i]);
    if (vector && operation.takes_condition)
        instruction.condition = reader.left() ? reader.take(Kind::u64) : implicit_vcc();
    if (reader.left() != 0)
        throw std::runtime_error("the executor does not know so many operands");
    apply_modifiers(pieces, instruction);
    instruction.sdwa = pieces.mnemonic.ends_with("_sdwa") && operation.result != Kind::none;
    if (instruction.destination.selection != Selection::dword)
        write_half(instruction);
    require_modifiable(instruction);
    return instruction;
}

bool has(const Pieces &pieces, std::string_view modifier) {
    return std::ranges::find(pieces.modifiers, modifier) != pieces.modifiers.end();
}

Instruction parse_other(const Pieces &pieces, const SpecialInstruction &special) {
    Instruction instruction;
    instruction.execute = special.execute;
    instruction.is_barrier = pieces.mnemonic == "s_barrier" || pieces.mnemonic == "s_barrier_signal";
    add_waits(pieces, instruction);
    if (special.ignores_operands)
        return instruction;
    instruction.source_count = static_cast<std::uint8_t>(pieces.operands.size());
    if (instruction.source_count > instruction.sources.size())
        throw std::runtime_error("the executor does not know so many operands");
    OperandReader reader(pieces);
    for (std::size_t i = 0; i < instruction.source_count; i++)
        instruction.sources[i] = reader.take(Kind::u32);
    const int offset = number_of(pieces, "offset", 0);
    instruction.offsets = {number_of(pieces, "offset0", offset), number_of(pieces, "offset1", 0)};
    for (const std::string_view modifier : pieces.modifiers)
        if (modifier.starts_with("op_sel:["))
            instruction.op_sel = {modifier.at(8) == '1', modifier.at(10) == '1'};
    instruction.returns = has(pieces, "glc") || has(pieces, "sc0") || has(pieces, "th:TH_ATOMIC_RETURN");
    return instruction;
}

} // namespace

Instruction parse_instruction(std::string_view text) {
    const Pieces pieces = cut(text);
    if (const SpecialInstruction *const special = find_special_instruction(pieces.mnemonic))
        return parse_other(pieces, *special);
    if (const Operation *const operation = find_operation(pieces.mnemonic, has(pieces, "clamp")))
        return parse_arithmetic(pieces, *operation);
    throw std::runtime_error("the executor does not know the instruction " + std::string(pieces.mnemonic));
}

} // namespace isovmaf::amd
