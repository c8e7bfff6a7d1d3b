# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What a SPIR-V module says of itself. Numbers are those of the SPIR-V specification."""

import struct

EXTENSION_IMPORT, EXECUTION_MODE, CAPABILITY = 11, 16, 17
TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR = 20, 21, 22, 23
TYPE_ARRAY, TYPE_RUNTIME_ARRAY, TYPE_STRUCT, TYPE_POINTER = 28, 29, 30, 32
CONSTANT, VARIABLE, DECORATE, MEMBER_DECORATE = 43, 59, 71, 72

LOCAL_SIZE = 17
UNIFORM, WORKGROUP = 2, 4
ARRAY_STRIDE, BINDING, DESCRIPTOR_SET, OFFSET, NO_CONTRACTION = 6, 33, 34, 35, 42
MAGIC = 0x07230203


class Module:
    def __init__(self, data):
        words = struct.unpack(f"<{len(data) // 4}I", data)
        if words[0] != MAGIC:
            raise ValueError("not SPIR-V")
        self.instructions = []  # (operation, operands)
        self.types, self.constants, self.variables = {}, {}, []
        self.decorations, self.offsets = {}, {}
        at = 5  # after the header
        while at < len(words):
            count, operation = words[at] >> 16, words[at] & 0xFFFF
            self._read(operation, words[at + 1 : at + count])
            at += count

    def _read(self, operation, operands):
        self.instructions.append((operation, operands))
        if TYPE_BOOL <= operation <= TYPE_POINTER:
            self.types[operands[0]] = (operation, operands[1:])
        elif operation == CONSTANT:
            self.constants[operands[1]] = operands[2]
        elif operation == VARIABLE:
            pointer, variable, storage = operands[:3]
            self.variables.append((variable, self.types[pointer][1][1], storage))
        elif operation == DECORATE:
            self.decorations.setdefault(operands[0], {})[operands[1]] = operands[2:]
        elif operation == MEMBER_DECORATE and operands[2] == OFFSET:
            self.offsets[operands[0], operands[1]] = operands[3]

    def operands_of(self, operation):
        return [operands for found, operands in self.instructions if found == operation]

    def capabilities(self):
        return {operands[0] for operands in self.operands_of(CAPABILITY)}

    def modes(self):
        """Execution modes, each with its operands."""
        return {operands[1]: operands[2:] for operands in self.operands_of(EXECUTION_MODE)}

    def size(self, type_id):
        """In shared memory, where nothing says how far apart elements are."""
        operation, operands = self.types[type_id]
        if operation in (TYPE_INT, TYPE_FLOAT):
            return operands[0] // 8
        if operation == TYPE_VECTOR:
            return self.size(operands[0]) * operands[1]
        if operation == TYPE_ARRAY:
            return self.size(operands[0]) * self.constants[operands[1]]
        if operation == TYPE_STRUCT:
            return sum(map(self.size, operands))
        return 8 if operation == TYPE_POINTER else 4

    def shared_bytes(self):
        return sum(self.size(type_id) for _, type_id, storage in self.variables if storage == WORKGROUP)

    def uniform_block(self):
        """The type of the block at set 0, binding 0."""
        for variable, type_id, storage in self.variables:
            place = self.decorations.get(variable, {})
            if storage == UNIFORM and place.get(DESCRIPTOR_SET) == (0,) and place.get(BINDING) == (0,):
                return type_id
        raise ValueError("no uniform block at set 0, binding 0")

    def layout(self, type_id, at=0):
        """(offset, size, whether an address) of all numbers in a block, in the order they are declared."""
        operation, operands = self.types[type_id]
        if operation == TYPE_STRUCT:
            for member, each in enumerate(operands):
                yield from self.layout(each, at + self.offsets[type_id, member])
        elif operation == TYPE_ARRAY:
            stride, = self.decorations[type_id][ARRAY_STRIDE]
            for i in range(self.constants[operands[1]]):
                yield from self.layout(operands[0], at + i * stride)
        elif operation in (TYPE_INT, TYPE_FLOAT, TYPE_POINTER):
            yield at, self.size(type_id), operation == TYPE_POINTER
        else:
            raise ValueError("the arguments have a member that C has not")
