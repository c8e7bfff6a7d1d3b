// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/code_object.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>

#include <elf.h>
#include <nlohmann/json.hpp>

namespace isovmaf::amd {

namespace {

constexpr std::uint32_t metadata_note = 32; // NT_AMDGPU_METADATA

template <class T>
T read(std::string_view bytes, std::size_t at) {
    if (at + sizeof(T) > bytes.size())
        throw std::runtime_error("a code object is cut off");
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
std::vector<T> table(std::string_view elf, std::size_t at, std::size_t count) {
    std::vector<T> entries;
    for (std::size_t i = 0; i < count; i++)
        entries.push_back(read<T>(elf, at + i * sizeof(T)));
    return entries;
}

nlohmann::json metadata(std::string_view elf, const Elf64_Shdr &notes) {
    for (std::size_t at = notes.sh_offset; at < notes.sh_offset + notes.sh_size;) {
        const auto note = read<Elf64_Nhdr>(elf, at);
        const std::size_t description = at + sizeof note + (note.n_namesz + 3) / 4 * 4;
        if (note.n_type == metadata_note) {
            const std::string_view packed = elf.substr(description, note.n_descsz);
            return nlohmann::json::from_msgpack(packed.begin(), packed.end());
        }
        at = description + (note.n_descsz + 3) / 4 * 4;
    }
    throw std::runtime_error("a code object has no metadata");
}

Generation generation_of(const std::string &target) {
    // Code of other processors of a family has the same instructions, and some that the executor refuses by name.
    static const std::map<std::string, Generation> generations = {
        {"gfx90a", Generation::gfx90a},   {"gfx942", Generation::gfx942},   {"gfx950", Generation::gfx942},
        {"gfx1030", Generation::gfx1030}, {"gfx1100", Generation::gfx1100}, {"gfx1102", Generation::gfx1100},
        {"gfx1103", Generation::gfx1100}, {"gfx1151", Generation::gfx1100}, {"gfx1201", Generation::gfx1201}};
    const std::string arch = target.substr(target.rfind("--") + 2);
    const auto found = generations.find(arch.substr(0, arch.find(':')));
    if (found == generations.end())
        throw std::runtime_error("no executor for code of " + arch);
    return found->second;
}

/// The offsets of fields in a kernel descriptor, from LLVM's guide of the AMDGPU backend.
Kernel kernel_at(std::string_view image, std::uint64_t descriptor) {
    Kernel kernel;
    kernel.lds_bytes = read<std::uint32_t>(image, descriptor);
    if (read<std::uint32_t>(image, descriptor + 4) != 0)
        throw std::runtime_error("a kernel has scratch memory, which the executor lacks");
    kernel.argument_bytes = read<std::uint32_t>(image, descriptor + 8);
    kernel.entry = descriptor + read<std::uint64_t>(image, descriptor + 16);
    kernel.resources_1 = read<std::uint32_t>(image, descriptor + 48);
    kernel.resources_2 = read<std::uint32_t>(image, descriptor + 52);
    kernel.properties = read<std::uint16_t>(image, descriptor + 56);
    if (read<std::uint16_t>(image, descriptor + 58) != 0)
        throw std::runtime_error("a kernel has its arguments preloaded, which the executor lacks");
    return kernel;
}

void add_metadata(Kernel &kernel, const nlohmann::json &described) {
    kernel.name = described.at(".name");
    kernel.lanes = described.at(".wavefront_size");
    kernel.vector_registers = described.at(".vgpr_count");
    kernel.spilled_registers = described.value(".vgpr_spill_count", 0u) + described.value(".sgpr_spill_count", 0u);
    kernel.group_threads = described.at(".max_flat_workgroup_size");
    for (const nlohmann::json &argument : described.value(".args", nlohmann::json::array()))
        if (!argument.at(".value_kind").get<std::string>().starts_with("hidden"))
            kernel.arguments.push_back({argument.at(".offset"), argument.at(".size")});
}

std::string_view text_of(const std::vector<std::byte> &bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// The addresses of the symbols in a table, by name.
std::map<std::string, std::uint64_t> symbols_of(std::string_view elf, const Elf64_Shdr &symbols,
                                                const Elf64_Shdr &names) {
    std::map<std::string, std::uint64_t> addresses;
    for (const auto &symbol : table<Elf64_Sym>(elf, symbols.sh_offset, symbols.sh_size / sizeof(Elf64_Sym)))
        addresses[elf.substr(names.sh_offset + symbol.st_name).data()] = symbol.st_value;
    return addresses;
}

} // namespace

CodeObject::CodeObject(std::string_view elf) {
    const auto header = read<Elf64_Ehdr>(elf, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_AMDGPU)
        throw std::runtime_error("no code object for AMD GPUs");
    for (const auto &segment : table<Elf64_Phdr>(elf, header.e_phoff, header.e_phnum)) {
        if (segment.p_type != PT_LOAD)
            continue;
        image_.resize(std::max<std::size_t>(image_.size(), segment.p_vaddr + segment.p_memsz));
        const std::string_view bytes = elf.substr(segment.p_offset, segment.p_filesz);
        std::memcpy(image_.data() + segment.p_vaddr, bytes.data(), bytes.size());
    }
    nlohmann::json described;
    std::map<std::string, std::uint64_t> symbols;
    const auto sections = table<Elf64_Shdr>(elf, header.e_shoff, header.e_shnum);
    for (const Elf64_Shdr &section : sections) {
        if (section.sh_type == SHT_NOTE)
            described = metadata(elf, section);
        if (section.sh_type == SHT_DYNSYM)
            symbols = symbols_of(elf, section, sections.at(section.sh_link));
        if (section.sh_type == SHT_RELA)
            throw std::runtime_error("a code object has relocations, which the executor lacks");
    }
    generation_ = generation_of(described.at("amdhsa.target"));
    for (const nlohmann::json &kernel : described.at("amdhsa.kernels")) {
        kernels_.push_back(kernel_at(text_of(image_), symbols.at(kernel.at(".symbol"))));
        add_metadata(kernels_.back(), kernel);
    }
}

} // namespace isovmaf::amd
