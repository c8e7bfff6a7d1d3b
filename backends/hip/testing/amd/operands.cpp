// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/operands.hpp"

#include <bit>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace isovmaf::amd {

namespace {

/// What stands before the last source of v_bitop3_b32: for each value of three bits, the bit of the result.
constexpr std::string_view table_of_bits = "bitop3:";

[[noreturn]] void refuse(std::string_view text) {
    throw std::runtime_error("the executor does not know the operand " + std::string(text));
}

/// Removes `before` and `after` from a text that has both.
bool strip(std::string_view &text, std::string_view before, std::string_view after) {
    if (!text.starts_with(before) || !text.ends_with(after) || text.size() <= before.size() + after.size())
        return false;
    text = text.substr(before.size(), text.size() - before.size() - after.size());
    return true;
}

unsigned decimal(std::string_view digits) {
    return static_cast<unsigned>(std::strtoul(std::string(digits).c_str(), nullptr, 10));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "v3" and "v[3:6]" after their prefix.
bool parse_registers(std::string_view text, std::string_view prefix, Operand &operand, unsigned first) {
    if (!strip(text, prefix, "") || (!is_digit(text[0]) && text[0] != '['))
        return false;
    const std::size_t colon = text.find(':');
    const unsigned from = decimal(text[0] == '[' ? text.substr(1) : text);
    const unsigned to = colon == std::string_view::npos ? from : decimal(text.substr(colon + 1));
    operand.index = static_cast<std::uint16_t>(first + from);
    operand.words = static_cast<std::uint8_t>(to - from + 1);
    return true;
}

bool parse_named_register(std::string_view text, Operand &operand) {
    struct Named {
        unsigned index, words;
    };
    static const std::map<std::string_view, Named> registers = {
        {"vcc", {scalar::vcc, 2}},   {"vcc_lo", {scalar::vcc, 1}},   {"vcc_hi", {scalar::vcc + 1, 1}},
        {"exec", {scalar::exec, 2}}, {"exec_lo", {scalar::exec, 1}}, {"exec_hi", {scalar::exec + 1, 1}},
        {"null", {scalar::null, 1}}, {"m0", {scalar::m0, 1}}};
    const auto found = registers.find(text);
    if (found == registers.end())
        return false;
    operand.index = static_cast<std::uint16_t>(found->second.index);
    operand.words = static_cast<std::uint8_t>(found->second.words);
    return true;
}

/// The bits of a constant with a decimal point.
std::uint64_t real_bits(const std::string &text, Kind kind) {
    if (kind == Kind::f64)
        return std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr));
    if (kind == Kind::f16 || kind == Kind::u16 || kind == Kind::i16 || kind == Kind::packed)
        refuse(text);
    return std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr));
}

/// A literal of 32 bits is the upper half of an f64, and is extended by the kind's sign to other 64-bit operands.
std::uint64_t literal_bits(std::uint64_t literal, Kind kind) {
    if (kind == Kind::f64)
        return literal << 32;
    if (kind == Kind::i64)
        return static_cast<std::uint64_t>(static_cast<std::int32_t>(literal));
    return literal;
}

std::uint64_t constant_bits(std::string_view text, Kind kind) {
    strip(text, "lit(", ")"); // a constant that would fit into the instruction, and stands behind it
    const std::string copy(text);
    if (text.starts_with("0x"))
        return literal_bits(std::strtoull(copy.c_str(), nullptr, 16), kind);
    if (text.find('.') != std::string_view::npos)
        return real_bits(copy, kind);
    if (!is_digit(text[0]) && !(text.size() > 1 && text[0] == '-' && is_digit(text[1])))
        refuse(text);
    return static_cast<std::uint64_t>(std::strtoll(copy.c_str(), nullptr, 10));
}

Selection selection_of(std::string_view name) {
    static const std::map<std::string_view, Selection> selections = {
        {"DWORD", Selection::dword},   {"BYTE_0", Selection::byte_0}, {"BYTE_1", Selection::byte_1},
        {"BYTE_2", Selection::byte_2}, {"BYTE_3", Selection::byte_3}, {"WORD_0", Selection::word_0},
        {"WORD_1", Selection::word_1}};
    return selections.at(name);
}

Unused unused_of(std::string_view name) {
    static const std::map<std::string_view, Unused> kinds = {
        {"UNUSED_PAD", Unused::pad}, {"UNUSED_SEXT", Unused::sign_extend}, {"UNUSED_PRESERVE", Unused::preserve}};
    return kinds.at(name);
}

/// Of "[1,0,0,0]" the choices of sources; the last place is of the destination.
std::vector<bool> choices_of(std::string_view text) {
    std::vector<bool> choices;
    for (std::size_t i = 1; i < text.size(); i += 2)
        choices.push_back(text[i] == '1');
    return choices;
}

/// Chosen is the upper half of a register with a number of 16 bits, or the second of two registers with a number each,
/// for the lower result. Where the names of operands end with their half, the choices repeat that.
void choose_halves(std::string_view text, Instruction &instruction) {
    const std::vector<bool> choices = choices_of(text);
    for (std::size_t i = 0; i < choices.size(); i++) {
        if (!choices[i])
            continue;
        const bool is_source = i < instruction.source_count;
        Operand &operand = is_source ? instruction.sources[i] : instruction.destination;
        const Kind kind = is_source ? instruction.operation->sources[i] : instruction.operation->result;
        if (is_source && kind == Kind::u64)
            operand.order[0] = 1;
        else if (is_source && (kind == Kind::u16 || kind == Kind::i16))
            operand.selection = Selection::word_1;
        else if (operand.selection != Selection::word_1)
            throw std::runtime_error("the executor does not know op_sel of such an operand");
    }
}

/// The sources of which `choices` say `chosen` have to be two numbers in two registers each.
template <class Change>
void change_pairs(std::string_view text, bool chosen, Instruction &instruction, Change change) {
    const std::vector<bool> choices = choices_of(text);
    for (std::size_t i = 0; i < choices.size() && i < instruction.source_count; i++) {
        if (choices[i] != chosen)
            continue;
        if (instruction.operation->sources[i] != Kind::u64)
            throw std::runtime_error("the executor does not know modifiers of such a pair");
        change(instruction.sources[i]);
    }
}

void apply_modifier(std::string_view name, std::string_view value, Instruction &instruction) {
    if (name == "dst_sel")
        instruction.destination_selection = selection_of(value);
    else if (name == "dst_unused")
        instruction.unused = unused_of(value);
    else if (name == "src0_sel")
        instruction.sources[0].selection = selection_of(value);
    else if (name == "src1_sel")
        instruction.sources[1].selection = selection_of(value);
    else if (name == "op_sel")
        choose_halves(value, instruction);
    else if (name == "op_sel_hi")
        change_pairs(value, false, instruction, [](Operand &pair) { pair.order[1] = 0; });
    else if (name == "neg_lo")
        change_pairs(value, true, instruction, [](Operand &pair) { pair.negative[0] = true; });
    else if (name == "neg_hi")
        change_pairs(value, true, instruction, [](Operand &pair) { pair.negative[1] = true; });
    else
        throw std::runtime_error("the executor does not know the modifier " + std::string(name));
}

} // namespace

Pieces cut(std::string_view text) {
    Pieces pieces;
    const std::size_t space = std::min(text.find(' '), text.size());
    pieces.mnemonic = text.substr(0, space);
    int depth = 0;
    bool after_operand = false; // a space after an operand begins the modifiers
    for (std::size_t at = space, begin = space; at <= text.size(); at++) {
        const char c = at < text.size() ? text[at] : ' ';
        depth += (c == '[' || c == '(') - (c == ']' || c == ')');
        if (depth != 0 || (c != ' ' && c != ','))
            continue;
        if (at > begin) {
            const std::string_view piece = text.substr(begin, at - begin);
            if (piece.starts_with(table_of_bits))
                pieces.operands.push_back(piece.substr(table_of_bits.size()));
            else
                (after_operand ? pieces.modifiers : pieces.operands).push_back(piece);
            after_operand = c == ' ';
        }
        begin = at + 1;
    }
    return pieces;
}

Operand parse_operand(std::string_view text, Kind kind) {
    Operand operand;
    const std::string_view whole = text;
    if (text == "off")
        return operand;
    if (text.starts_with('-') && text.size() > 1 && !is_digit(text[1])) {
        operand.negated = true;
        text.remove_prefix(1);
    }
    operand.absolute = strip(text, "|", "|");
    operand.sign_extended = strip(text, "sext(", ")");
    if (text.starts_with('v') && (text.ends_with(".l") || text.ends_with(".h"))) {
        operand.selection = text.ends_with(".l") ? Selection::word_0 : Selection::word_1;
        text.remove_suffix(2);
    }
    if (parse_registers(text, "v", operand, 0)) {
        operand.type = Operand::Type::vector;
    } else if (parse_registers(text, "s", operand, 0) || parse_registers(text, "ttmp", operand, scalar::ttmp) ||
               parse_named_register(text, operand)) {
        operand.type = Operand::Type::scalar;
    } else {
        if (operand.modified())
            refuse(whole);
        operand.type = Operand::Type::constant;
        operand.bits = constant_bits(text, kind);
        operand.words = width_bits(kind) == 64 ? 2 : 1;
    }
    return operand;
}

int number_of(const Pieces &pieces, std::string_view name, int absent) {
    for (std::string_view modifier : pieces.modifiers)
        if (modifier.starts_with(name) && modifier.substr(name.size()).starts_with(':'))
            return static_cast<int>(std::strtol(std::string(modifier.substr(name.size() + 1)).c_str(), nullptr, 0));
    return absent;
}

void apply_modifiers(const Pieces &pieces, Instruction &instruction) {
    for (const std::string_view modifier : pieces.modifiers) {
        if (modifier == "clamp")
            continue; // has chosen the operation
        const std::size_t colon = std::min(modifier.find(':'), modifier.size());
        apply_modifier(modifier.substr(0, colon), modifier.substr(std::min(colon + 1, modifier.size())), instruction);
    }
}

} // namespace isovmaf::amd
