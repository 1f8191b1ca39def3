#include "hip/rtc/lowered_names.hpp"

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "code_object/byte_view.hpp"

namespace wavetank::hip::rtc {
namespace {

using code_object::ByteView;

constexpr std::string_view kMarkerPrefix = "__wavetank_name_";
// AMDGPUUsage, "Relocation Records".
constexpr std::uint32_t kRelocationAbs64 = 3;
constexpr std::uint32_t kRelocationRelative64 = 13;

struct Symbol {
  std::string_view name;
  std::uint16_t section = 0;
  std::uint8_t type = 0;
  std::uint64_t value = 0;
};

struct Relocation {
  std::uint16_t section = 0;  ///< the section it is applied to, of relocatable objects only
  Elf64_Rela entry;
};

/// The symbols (of .symtab) and relocations of a file.
struct Tables {
  std::vector<Symbol> symbols;
  std::vector<Symbol> dynamic_symbols;
  std::vector<Relocation> relocations;
  bool relocatable = false;
};

std::vector<Symbol> read_symbols(ByteView file, const Elf64_Shdr& table, const Elf64_Shdr& text) {
  std::vector<Symbol> symbols;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto entry = file.read<Elf64_Sym>(table.sh_offset + at);
    if (!entry) break;
    const auto name = file.c_string(text.sh_offset + entry->st_name);
    symbols.push_back({.name = name.value_or(std::string_view{}),
                       .section = entry->st_shndx,
                       .type = static_cast<std::uint8_t>(ELF64_ST_TYPE(entry->st_info)),
                       .value = entry->st_value});
  }
  return symbols;
}

void read_relocations(ByteView file, const Elf64_Shdr& table, Tables& tables) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.sh_size; at += sizeof(Elf64_Rela)) {
    const auto entry = file.read<Elf64_Rela>(table.sh_offset + at);
    if (!entry) break;
    tables.relocations.push_back({static_cast<std::uint16_t>(table.sh_info), *entry});
  }
}

Result<Tables> read_tables(ByteView file) {
  const auto header = file.read<Elf64_Ehdr>(0);
  if (!header) return fail(ErrorCode::kBadElf, "the compiled code is no ELF file");
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = file.read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return fail(ErrorCode::kBadElf, "the compiled code is cut short");
    sections.push_back(*section);
  }
  Tables tables;
  tables.relocatable = header->e_type == ET_REL;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_RELA) read_relocations(file, section, tables);
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) continue;
    auto& symbols = section.sh_type == SHT_SYMTAB ? tables.symbols : tables.dynamic_symbols;
    symbols = read_symbols(file, section, sections[section.sh_link]);
  }
  return tables;
}

/// The function or variable at an address (of a section, in a relocatable object).
std::optional<std::string> symbol_at(const Tables& tables, std::uint16_t section,
                                     std::uint64_t address) {
  for (const Symbol& symbol : tables.symbols) {
    const bool named = symbol.type == STT_FUNC || symbol.type == STT_OBJECT;
    const bool same_section = !tables.relocatable || symbol.section == section;
    if (named && same_section && symbol.value == address && symbol.section != SHN_UNDEF) {
      return std::string(symbol.name);
    }
  }
  return std::nullopt;
}

std::optional<std::string> target_of(const Tables& tables, const Relocation& relocation) {
  const Elf64_Rela& entry = relocation.entry;
  const auto addend = static_cast<std::uint64_t>(entry.r_addend);
  const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info));
  if (type == kRelocationRelative64) return symbol_at(tables, 0, addend);
  if (type != kRelocationAbs64) return std::nullopt;
  const auto& symbols = tables.relocatable ? tables.symbols : tables.dynamic_symbols;
  const std::uint64_t index = ELF64_R_SYM(entry.r_info);
  if (index >= symbols.size()) return std::nullopt;
  const Symbol& symbol = symbols[index];
  if (symbol.type == STT_SECTION) return symbol_at(tables, symbol.section, addend);
  return std::string(symbol.name);
}

std::optional<std::string> follow_marker(const Tables& tables, const std::string& marker) {
  for (const Symbol& symbol : tables.symbols) {
    if (symbol.name != marker) continue;
    for (const Relocation& relocation : tables.relocations) {
      const bool same_section = !tables.relocatable || relocation.section == symbol.section;
      if (same_section && relocation.entry.r_offset == symbol.value) {
        return target_of(tables, relocation);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string without_address_of(const std::string& expression) {
  const std::size_t first = expression.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  const std::size_t last = expression.find_last_not_of(" \t");
  const std::string trimmed = expression.substr(first, last - first + 1);
  return trimmed.front() == '&' ? trimmed.substr(1) : trimmed;
}

std::string marker_text(const std::vector<std::string>& expressions) {
  std::string text;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::string marker = fmt::format("{}{}", kMarkerPrefix, i);
    text += fmt::format(
        "\nstatic __attribute__((device, used)) const void* const {0} __asm__(\"{0}\") = "
        "(const void*)&{1};",
        marker, expressions[i]);
  }
  return text.empty() ? text : "\n#line 1 \"name expressions\"" + text + "\n";
}

Result<std::map<std::string, std::string>> lowered_names(
    std::span<const std::byte> elf, const std::vector<std::string>& expressions) {
  std::map<std::string, std::string> names;
  if (expressions.empty()) return names;
  const auto tables = read_tables(ByteView(elf));
  if (!tables) return tl::unexpected(tables.error());
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    auto name = follow_marker(*tables, fmt::format("{}{}", kMarkerPrefix, i));
    if (name) names.emplace(expressions[i], std::move(*name));
  }
  return names;
}

}  // namespace wavetank::hip::rtc
