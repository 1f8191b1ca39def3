#include "code_object/elf.hpp"

#include <algorithm>
#include <string>

#include "code_object/bad_file.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::uint64_t kElfHeaderBytes = 64;
constexpr std::uint64_t kProgramHeaderBytes = 56;
constexpr std::uint64_t kSectionHeaderBytes = 64;
constexpr std::uint8_t kClass64 = 2;
constexpr std::uint8_t kLittleEndian = 1;
constexpr std::uint32_t kSectionTypeNull = 0;
constexpr std::uint32_t kSectionTypeNoBits = 8;

/// Elf64_Shdr without what nobody reads.
struct SectionHeader {
  std::uint32_t name_offset = 0;
  std::uint32_t type = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t size_bytes = 0;

  std::uint64_t file_size_bytes() const {
    return type == kSectionTypeNull || type == kSectionTypeNoBits ? 0 : size_bytes;
  }
};

Result<std::vector<SectionHeader>> read_section_headers(ByteView file, const ElfHeader& header) {
  std::vector<SectionHeader> sections;
  const auto table =
      file.slice(header.section_header_offset, header.section_header_count * kSectionHeaderBytes);
  if (!table) return bad_elf("the ELF section header table lies outside the file");
  const ByteView view(*table);
  for (std::uint64_t at = 0; at < view.size(); at += kSectionHeaderBytes) {
    SectionHeader section;
    section.name_offset = *view.read<std::uint32_t>(at);
    section.type = *view.read<std::uint32_t>(at + 4);
    section.file_offset = *view.read<std::uint64_t>(at + 24);
    section.size_bytes = *view.read<std::uint64_t>(at + 32);
    if (section.file_size_bytes() > 0 && !file.contains(section.file_offset, section.size_bytes)) {
      return bad_elf("section " + std::to_string(sections.size()) + " lies outside the ELF file");
    }
    sections.push_back(section);
  }
  return sections;
}

}  // namespace

bool is_elf(std::span<const std::byte> bytes) {
  return ByteView(bytes).text(0, 4) == std::string_view(
                                           "\x7f"
                                           "ELF",
                                           4);
}

Result<ElfHeader> read_elf_header(ByteView file) {
  if (!is_elf(file.bytes())) return bad_elf("the bytes are no ELF file");
  if (!file.contains(0, kElfHeaderBytes)) return bad_elf("the ELF header is truncated");
  if (file.read<std::uint8_t>(4) != kClass64 || file.read<std::uint8_t>(5) != kLittleEndian) {
    return bad_elf("the ELF file is not 64-bit little-endian");
  }
  ElfHeader header;
  header.os_abi = *file.read<std::uint8_t>(7);
  header.abi_version = *file.read<std::uint8_t>(8);
  header.type = *file.read<std::uint16_t>(16);
  header.machine = *file.read<std::uint16_t>(18);
  header.program_header_offset = *file.read<std::uint64_t>(32);
  header.section_header_offset = *file.read<std::uint64_t>(40);
  header.flags = *file.read<std::uint32_t>(48);
  header.program_header_count = *file.read<std::uint16_t>(56);
  header.section_header_count = *file.read<std::uint16_t>(60);
  header.section_name_index = *file.read<std::uint16_t>(62);
  if (header.program_header_count > 0 && *file.read<std::uint16_t>(54) != kProgramHeaderBytes) {
    return bad_elf("the ELF program headers have an unknown size");
  }
  if (header.section_header_count > 0 && *file.read<std::uint16_t>(58) != kSectionHeaderBytes) {
    return bad_elf("the ELF section headers have an unknown size");
  }
  return header;
}

Result<std::vector<ProgramHeader>> read_program_headers(ByteView file, const ElfHeader& header) {
  std::vector<ProgramHeader> segments;
  const auto table =
      file.slice(header.program_header_offset, header.program_header_count * kProgramHeaderBytes);
  if (!table) return bad_elf("the ELF program header table lies outside the file");
  const ByteView view(*table);
  for (std::uint64_t at = 0; at < view.size(); at += kProgramHeaderBytes) {
    ProgramHeader segment;
    segment.type = *view.read<std::uint32_t>(at);
    segment.flags = *view.read<std::uint32_t>(at + 4);
    segment.file_offset = *view.read<std::uint64_t>(at + 8);
    segment.address = *view.read<std::uint64_t>(at + 16);
    segment.file_size_bytes = *view.read<std::uint64_t>(at + 32);
    segment.memory_size_bytes = *view.read<std::uint64_t>(at + 40);
    segment.alignment_bytes = *view.read<std::uint64_t>(at + 48);
    if (!file.contains(segment.file_offset, segment.file_size_bytes)) {
      return bad_elf("segment " + std::to_string(segments.size()) + " lies outside the ELF file");
    }
    segments.push_back(segment);
  }
  return segments;
}

Result<std::vector<Section>> read_sections(ByteView file, const ElfHeader& header) {
  auto headers = read_section_headers(file, header);
  if (!headers) return tl::unexpected(headers.error());
  std::vector<Section> sections;
  if (headers->empty()) return sections;
  if (header.section_name_index >= headers->size()) {
    return bad_elf("the ELF section that holds the sections' names does not exist");
  }
  const SectionHeader& name_section = (*headers)[header.section_name_index];
  if (name_section.file_size_bytes() == 0) return bad_elf("the ELF sections have no names");
  const ByteView names(*file.slice(name_section.file_offset, name_section.size_bytes));
  for (const SectionHeader& section : *headers) {
    if (section.file_size_bytes() == 0) continue;
    const auto name = names.c_string(section.name_offset);
    if (!name) return bad_elf("the name of an ELF section is not terminated");
    sections.push_back({*name, *file.slice(section.file_offset, section.size_bytes)});
  }
  return sections;
}

Result<std::uint64_t> elf_extent_bytes(ByteView file) {
  auto header = read_elf_header(file);
  if (!header) return tl::unexpected(header.error());
  auto segments = read_program_headers(file, *header);
  if (!segments) return tl::unexpected(segments.error());
  auto sections = read_section_headers(file, *header);
  if (!sections) return tl::unexpected(sections.error());
  // The reads above checked that none of these sums goes past the file.
  std::uint64_t end = kElfHeaderBytes;
  end = std::max(end, header->program_header_offset + segments->size() * kProgramHeaderBytes);
  end = std::max(end, header->section_header_offset + sections->size() * kSectionHeaderBytes);
  for (const ProgramHeader& segment : *segments) {
    end = std::max(end, segment.file_offset + segment.file_size_bytes);
  }
  for (const SectionHeader& section : *sections) {
    if (section.file_size_bytes() == 0) continue;
    end = std::max(end, section.file_offset + section.size_bytes);
  }
  return end;
}

}  // namespace wavetank::code_object
