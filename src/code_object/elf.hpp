// The parts of a 64-bit little-endian ELF file that code objects and host programs need (System V
// ABI, "Object Files"). Nothing is copied; every offset and size is checked against the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "code_object/byte_view.hpp"

namespace wavetank::code_object {

inline constexpr std::uint16_t kElfMachineAmdgpu = 224;
inline constexpr std::uint8_t kElfOsAbiAmdgpuHsa = 64;
inline constexpr std::uint16_t kElfTypeDyn = 3;

inline constexpr std::uint32_t kSegmentLoad = 1;
inline constexpr std::uint32_t kSegmentDynamic = 2;
inline constexpr std::uint32_t kSegmentNote = 4;
inline constexpr std::uint32_t kSegmentFlagExecute = 1;
inline constexpr std::uint32_t kSegmentFlagWrite = 2;

/// Elf64_Ehdr without what nobody reads.
struct ElfHeader {
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::uint64_t program_header_offset = 0;
  std::uint64_t section_header_offset = 0;
  std::uint16_t program_header_count = 0;
  std::uint16_t section_header_count = 0;
  std::uint16_t section_name_index = 0;
};

/// Elf64_Phdr.
struct ProgramHeader {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size_bytes = 0;
  std::uint64_t memory_size_bytes = 0;
  std::uint64_t alignment_bytes = 0;
};

/// A named section that has bytes in the file.
struct Section {
  std::string_view name;
  std::span<const std::byte> content;
};

/// True if the bytes start with the ELF magic.
bool is_elf(std::span<const std::byte> bytes);

/// Reads the header of a 64-bit little-endian ELF file. Errors: kBadElf.
Result<ElfHeader> read_elf_header(ByteView file);

/// All program headers; each one's part of the file lies inside it. Errors: kBadElf.
Result<std::vector<ProgramHeader>> read_program_headers(ByteView file, const ElfHeader& header);

/// The sections that have a name and bytes in the file. Errors: kBadElf.
Result<std::vector<Section>> read_sections(ByteView file, const ElfHeader& header);

/// Bytes from the start of the ELF file to the end of what its headers describe: finds the end of a
/// file in memory whose size is unknown. Errors: kBadElf.
Result<std::uint64_t> elf_extent_bytes(ByteView file);

}  // namespace wavetank::code_object
