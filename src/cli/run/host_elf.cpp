#include "cli/run/host_elf.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/file.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// A copy of the T at `offset`, if the bytes reach that far.
template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The text that starts at `offset` and ends at a zero byte or the end of the file.
std::string string_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  bytes.remove_prefix(offset);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

std::vector<Elf64_Phdr> program_headers(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  std::vector<Elf64_Phdr> result;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return result;
  }
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto entry = read_at<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!entry) break;
    result.push_back(*entry);
  }
  return result;
}

/// File offset of a virtual address.
std::uint64_t file_offset(const std::vector<Elf64_Phdr>& headers, std::uint64_t address) {
  for (const Elf64_Phdr& h : headers) {
    if (h.p_type == PT_LOAD && address >= h.p_vaddr && address - h.p_vaddr < h.p_filesz) {
      return h.p_offset + (address - h.p_vaddr);
    }
  }
  return ~0ull;
}

std::vector<std::string> split_path(std::string_view path, const fs::path& origin) {
  std::vector<std::string> folders;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    std::string folder(path.substr(0, end));
    for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"}) {
      const std::size_t at = folder.find(name);
      if (at != std::string::npos) folder.replace(at, name.size(), origin.string());
    }
    if (!folder.empty()) folders.push_back(std::move(folder));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return folders;
}

/// True for the sonames that Wavetank stands in for, whatever their version.
bool is_rocm_library(std::string_view soname) {
  return is_hip_library(soname) || soname.starts_with("librocm_smi64.so.");
}

/// Where the loader would find a library, near enough to learn what that library needs.
std::optional<fs::path> find_library(const std::string& name, const DynamicSection& user) {
  std::vector<std::string> folders = user.folders;
  if (const char* variable = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string& folder : split_path(variable, {})) folders.push_back(std::move(folder));
  }
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
                             "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib", "/opt/rocm/lib"}) {
    folders.emplace_back(folder);
  }
  std::error_code error;
  for (const std::string& folder : folders) {
    if (fs::exists(fs::path(folder) / name, error)) return fs::path(folder) / name;
  }
  return std::nullopt;
}

}  // namespace

Result<DynamicSection> read_dynamic_section(const fs::path& file) {
  const auto mapped = MappedFile::open(file.string());
  if (!mapped) return tl::unexpected(mapped.error());
  const std::string_view bytes(reinterpret_cast<const char*>((*mapped)->bytes().data()),
                               (*mapped)->bytes().size());
  const std::vector<Elf64_Phdr> headers = program_headers(bytes);
  DynamicSection section;
  const auto dynamic = std::find_if(headers.begin(), headers.end(),
                                    [](const Elf64_Phdr& h) { return h.p_type == PT_DYNAMIC; });
  if (dynamic == headers.end()) return section;
  std::vector<Elf64_Dyn> entries;
  std::uint64_t strings = ~0ull;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic->p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = read_at<Elf64_Dyn>(bytes, dynamic->p_offset + at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_STRTAB) strings = file_offset(headers, entry->d_un.d_ptr);
    entries.push_back(*entry);
  }
  if (strings >= bytes.size()) return section;
  for (const Elf64_Dyn& entry : entries) {
    const std::uint64_t at = strings + entry.d_un.d_val;
    if (entry.d_tag == DT_NEEDED) section.needed.push_back(string_at(bytes, at));
    if (entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
    const fs::path origin = fs::absolute(file).parent_path();
    for (std::string& folder : split_path(string_at(bytes, at), origin)) {
      section.folders.push_back(std::move(folder));
    }
  }
  return section;
}

bool is_hip_library(std::string_view soname) {
  return soname.starts_with("libamdhip64.so.") || soname.starts_with("libhiprtc.so.");
}

std::set<std::string> rocm_libraries(const fs::path& program) {
  std::set<std::string> libraries;
  std::set<std::string> seen;
  std::vector<fs::path> waiting = {program};
  while (!waiting.empty()) {
    const fs::path file = waiting.back();
    waiting.pop_back();
    const Result<DynamicSection> section = read_dynamic_section(file);
    if (!section) continue;
    for (const std::string& name : section->needed) {
      if (!seen.insert(name).second) continue;
      if (is_rocm_library(name)) {
        libraries.insert(name);
      } else if (const auto library = find_library(name, *section)) {
        waiting.push_back(*library);
      }
    }
  }
  return libraries;
}

}  // namespace wavetank::cli
