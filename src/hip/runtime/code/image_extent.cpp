#include "hip/runtime/code/image_extent.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <elf.h>
#include <link.h>

#include "hip/runtime/host_mappings.hpp"

namespace wavetank::hip {
namespace {

struct LibrarySearch {
  std::uint64_t address = 0;
  std::uint64_t end = 0;
};

int find_in_library(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<LibrarySearch*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (search.address < begin || search.address >= begin + header.p_memsz) continue;
    search.end = begin + header.p_memsz;
    return 1;
  }
  return 0;
}

/// End of the run of readable mappings around `address`, or 0.
std::uint64_t end_of_mapping(std::uint64_t address) {
  const auto mappings = host_mappings();
  if (!mappings) return 0;
  std::uint64_t end = 0;
  for (const HostMapping& mapping : *mappings) {
    const bool continues = end != 0 && mapping.begin == end;
    const bool holds = address >= mapping.begin && address < mapping.end;
    if (end != 0 && !continues) break;
    if (mapping.readable && (holds || continues)) end = mapping.end;
  }
  return end;
}

/// Size of an ELF file by its header: the section headers and segments, whichever ends last.
std::size_t elf_size_bytes(std::span<const std::byte> bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return bytes.size();
  std::memcpy(&header, bytes.data(), sizeof header);
  std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr);
    if (at > bytes.size() || bytes.size() - at < sizeof(Elf64_Phdr)) break;
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    end = std::max<std::uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(end, bytes.size()));
}

}  // namespace

std::span<const std::byte> image_extent(const void* image) {
  LibrarySearch search{.address = reinterpret_cast<std::uintptr_t>(image)};
  dl_iterate_phdr(find_in_library, &search);
  if (search.end == 0) search.end = end_of_mapping(search.address);
  if (search.end <= search.address) return {};
  const std::span bytes(static_cast<const std::byte*>(image), search.end - search.address);
  const bool is_elf = bytes.size() >= SELFMAG && std::memcmp(image, ELFMAG, SELFMAG) == 0;
  return is_elf ? bytes.first(elf_size_bytes(bytes)) : bytes;
}

}  // namespace wavetank::hip
