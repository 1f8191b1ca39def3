// The dynamic section of a code object: its symbols and relocations (System V ABI, "Dynamic
// Section", "Symbol Table", "Relocation"; AMDGPUUsage, "Relocation Records").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "code_object/byte_view.hpp"
#include "code_object/elf.hpp"

namespace wavetank::code_object {

inline constexpr std::uint8_t kSymbolTypeObject = 1;
inline constexpr std::uint8_t kSymbolTypeFunction = 2;
inline constexpr std::uint8_t kSymbolTypeCommon = 5;
inline constexpr std::uint8_t kSymbolBindGlobal = 1;
inline constexpr std::uint8_t kSymbolBindWeak = 2;

/// Elf64_Sym.
struct DynamicSymbol {
  std::string_view name;
  std::uint8_t type = 0;
  std::uint8_t binding = 0;
  bool defined = false;   ///< it stands in a section of this file
  bool absolute = false;  ///< its value is a number, no address
  std::uint64_t value = 0;
  std::uint64_t size_bytes = 0;
};

/// Elf64_Rela.
struct DynamicRelocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol_index = 0;
  std::int64_t addend = 0;
};

/// What PT_DYNAMIC leads to.
struct DynamicTables {
  std::vector<DynamicSymbol> symbols;  ///< the first one is the empty symbol
  std::vector<DynamicRelocation> relocations;
};

/// The bytes of a file that stand at [address, address + size_bytes) once its segments are loaded.
std::optional<std::span<const std::byte>> loaded_bytes(ByteView file,
                                                       const std::vector<ProgramHeader>& segments,
                                                       std::uint64_t address,
                                                       std::uint64_t size_bytes);

/// Reads PT_DYNAMIC and the tables it names; empty tables if the file has none. Errors: kBadElf.
Result<DynamicTables> read_dynamic_tables(ByteView file,
                                          const std::vector<ProgramHeader>& segments);

}  // namespace wavetank::code_object
