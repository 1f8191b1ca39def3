#include "code_object/code_object.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "code_object/bad_file.hpp"
#include "code_object/elf.hpp"
#include "code_object/elf_dynamic.hpp"
#include "code_object/metadata.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::string_view kDescriptorSuffix = ".kd";
// Code reaches its data by 32-bit offsets from the program counter.
constexpr std::uint64_t kMaxMemoryBytes = std::uint64_t{4} << 30;

/// EI_ABIVERSION (AMDGPUUsage, "ELF Header"): 2, 3, 4 are code object versions 4, 5, 6.
Result<unsigned> version_of(const ElfHeader& header) {
  if (header.type != kElfTypeDyn) {
    return bad_elf("the device ELF file is not linked", "link it with ld.lld -shared");
  }
  if (header.os_abi != kElfOsAbiAmdgpuHsa) {
    return bad_elf("the device ELF file is not for the HSA operating system ABI");
  }
  if (header.abi_version < 2 || header.abi_version > 4) {
    return bad_elf("the code object has ABI version " + std::to_string(header.abi_version) +
                       ", but only 2, 3 and 4 (code object versions 4, 5, 6) can be read",
                   "compile with -mcode-object-version=5");
  }
  return header.abi_version + 2u;
}

/// Keeps the PT_LOAD segments. They must stand in address order, as the System V ABI asks, and not
/// overlap, so that together they need no more memory than `memory_size_bytes` says.
Result<void> read_segments(const std::vector<ProgramHeader>& headers, CodeObject& object) {
  std::uint64_t file_bytes = 0;
  for (const ProgramHeader& header : headers) {
    if (header.type != kSegmentLoad || header.memory_size_bytes == 0) continue;
    const auto end = checked_add(header.address, header.memory_size_bytes);
    if (header.file_size_bytes > header.memory_size_bytes || !end || *end > kMaxMemoryBytes) {
      return bad_elf("a segment of the code object has an impossible size");
    }
    if (header.address < object.memory_size_bytes) {
      return bad_elf("the segments of the code object overlap or are out of order");
    }
    file_bytes += header.file_size_bytes;
    object.memory_size_bytes = *end;
    object.segments.push_back({header.address, header.file_offset, header.file_size_bytes,
                               header.memory_size_bytes, (header.flags & kSegmentFlagExecute) != 0,
                               (header.flags & kSegmentFlagWrite) != 0});
  }
  if (object.segments.empty()) return bad_elf("the code object has no segment to load");
  if (file_bytes > 2 * object.image.size()) {
    return bad_elf("the segments of the code object use the same bytes of the file");
  }
  return {};
}

bool inside(const CodeObject& object, std::uint64_t address, std::uint64_t size_bytes) {
  return address <= object.memory_size_bytes && size_bytes <= object.memory_size_bytes - address;
}

/// True if instructions of the file stand at the address.
bool is_code(const CodeObject& object, std::uint64_t address) {
  return std::any_of(object.segments.begin(), object.segments.end(), [&](const Segment& segment) {
    return segment.executable && address >= segment.address &&
           address - segment.address < segment.file_size_bytes && address % 4 == 0;
  });
}

/// Reads the descriptor at `address` and completes the kernel with it.
Result<void> attach_descriptor(const CodeObject& object, const std::vector<ProgramHeader>& headers,
                               std::uint64_t address, Kernel& kernel) {
  const std::string where = "kernel \"" + kernel.name + "\"";
  const auto bytes = loaded_bytes(ByteView(object.image), headers, address, kDescriptorBytes);
  if (!bytes) {
    return fail(ErrorCode::kBadMetadata, "the kernel descriptor lies outside the file", where);
  }
  auto descriptor = decode_kernel_descriptor(*bytes);
  if (!descriptor) return tl::unexpected(descriptor.error());
  kernel.descriptor = *descriptor;
  kernel.descriptor_address = address;
  kernel.entry_address = address + static_cast<std::uint64_t>(descriptor->entry_byte_offset);
  if (!is_code(object, kernel.entry_address)) {
    return fail(ErrorCode::kBadMetadata, "the kernel's entry lies outside the code", where);
  }
  return {};
}

Result<Metadata> read_all_metadata(ByteView file, const std::vector<ProgramHeader>& headers) {
  auto notes = find_metadata_notes(file, headers);
  if (!notes) return tl::unexpected(notes.error());
  std::vector<Metadata> all;
  for (const auto& note : *notes) {
    auto read = read_metadata(note);
    if (!read) return tl::unexpected(read.error());
    all.push_back(std::move(*read));
  }
  return merge_metadata(std::move(all));
}

using DescriptorAddresses = std::map<std::string_view, std::uint64_t>;

/// The symbols that are kernel descriptors: STT_OBJECT "NAME.kd" of 64 bytes (AMDGPUUsage,
/// "Symbols").
DescriptorAddresses find_descriptors(const std::vector<DynamicSymbol>& symbols) {
  DescriptorAddresses addresses;
  for (const DynamicSymbol& symbol : symbols) {
    if (symbol.defined && symbol.type == kSymbolTypeObject &&
        symbol.size_bytes == kDescriptorBytes && symbol.name.ends_with(kDescriptorSuffix)) {
      addresses.emplace(symbol.name, symbol.value);
    }
  }
  return addresses;
}

Kernel kernel_without_metadata(std::string_view symbol) {
  Kernel kernel;
  kernel.symbol = std::string(symbol);
  kernel.name = std::string(symbol.substr(0, symbol.size() - kDescriptorSuffix.size()));
  return kernel;
}

void take_sizes_of_descriptor(Kernel& kernel) {
  kernel.kernarg_size_bytes = kernel.descriptor.kernarg_size_bytes;
  kernel.group_segment_bytes = kernel.descriptor.group_segment_bytes;
  kernel.private_segment_bytes = kernel.descriptor.private_segment_bytes;
  kernel.vgpr_count = kernel.descriptor.vgpr_count;
  kernel.uses_dynamic_stack = kernel.descriptor.uses_dynamic_stack;
}

Result<void> read_kernels(const std::vector<ProgramHeader>& headers,
                          const std::vector<DynamicSymbol>& symbols, Metadata& metadata,
                          CodeObject& object) {
  DescriptorAddresses descriptors = find_descriptors(symbols);
  std::set<std::string_view> described;
  for (Kernel& kernel : metadata.kernels) {
    const auto found = descriptors.find(kernel.symbol);
    if (found == descriptors.end()) {
      return fail(ErrorCode::kBadMetadata,
                  "the code object has no descriptor \"" + kernel.symbol + "\"",
                  "kernel \"" + kernel.name + "\"");
    }
    described.insert(found->first);
    auto attached = attach_descriptor(object, headers, found->second, kernel);
    if (!attached) return attached;
    object.kernels.push_back(std::move(kernel));
  }
  for (const auto& [symbol, address] : descriptors) {
    if (described.contains(symbol)) continue;
    Kernel kernel = kernel_without_metadata(symbol);
    auto attached = attach_descriptor(object, headers, address, kernel);
    if (!attached) return attached;
    take_sizes_of_descriptor(kernel);
    object.kernels.push_back(std::move(kernel));
  }
  return {};
}

/// Keeps functions and variables that are no part of a kernel.
Result<void> read_symbols(const std::vector<DynamicSymbol>& symbols, CodeObject& object) {
  std::set<std::string_view> kernel_names;
  for (const Kernel& kernel : object.kernels) {
    kernel_names.insert(kernel.name);
    kernel_names.insert(kernel.symbol);
  }
  for (const DynamicSymbol& symbol : symbols) {
    const bool function = symbol.type == kSymbolTypeFunction;
    const bool variable = symbol.type == kSymbolTypeObject || symbol.type == kSymbolTypeCommon;
    const bool visible = symbol.binding == kSymbolBindGlobal || symbol.binding == kSymbolBindWeak;
    if (!symbol.defined || symbol.absolute || !visible || (!function && !variable)) continue;
    if (kernel_names.contains(symbol.name)) continue;
    if (!inside(object, symbol.value, symbol.size_bytes)) {
      return bad_elf("symbol \"" + std::string(symbol.name.substr(0, 256)) +
                     "\" lies outside the segments");
    }
    object.symbols.push_back({std::string(symbol.name),
                              function ? Symbol::Kind::kFunction : Symbol::Kind::kVariable,
                              symbol.value, symbol.size_bytes});
  }
  return {};
}

Result<void> read_relocations(const DynamicTables& tables, CodeObject& object) {
  for (const DynamicRelocation& entry : tables.relocations) {
    if (!inside(object, entry.address, sizeof(std::uint32_t))) {
      return bad_elf("a relocation lies outside the segments");
    }
    Relocation relocation;
    relocation.address = entry.address;
    relocation.type = entry.type;
    relocation.addend = entry.addend;
    if (entry.symbol_index != 0) {
      const DynamicSymbol& symbol = tables.symbols[entry.symbol_index];
      relocation.symbol = symbol.name;
      relocation.symbol_address = symbol.value;
      relocation.symbol_defined = symbol.defined;
      relocation.symbol_weak = symbol.binding == kSymbolBindWeak;
      if (symbol.absolute) return bad_elf("a relocation refers to an absolute symbol");
    }
    object.relocations.push_back(relocation);
  }
  return {};
}

}  // namespace

const Kernel* CodeObject::find_kernel(std::string_view name) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [name](const Kernel& kernel) {
    return kernel.name == name || kernel.symbol == name;
  });
  return found == kernels.end() ? nullptr : &*found;
}

const Symbol* CodeObject::find_symbol(std::string_view name) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [name](const Symbol& symbol) { return symbol.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

Result<CodeObject> parse(std::span<const std::byte> image) {
  const ByteView file(image);
  CodeObject object;
  object.image = image;
  auto header = read_elf_header(file);
  if (!header) return tl::unexpected(header.error());
  auto target = target_of_elf(image);
  if (!target) return tl::unexpected(target.error());
  object.target = *target;
  auto version = version_of(*header);
  if (!version) return tl::unexpected(version.error());
  object.version = *version;
  auto headers = read_program_headers(file, *header);
  if (!headers) return tl::unexpected(headers.error());
  if (auto done = read_segments(*headers, object); !done) return tl::unexpected(done.error());
  auto tables = read_dynamic_tables(file, *headers);
  if (!tables) return tl::unexpected(tables.error());
  auto metadata = read_all_metadata(file, *headers);
  if (!metadata) return tl::unexpected(metadata.error());
  object.printf_formats = std::move(metadata->printf_formats);
  if (auto done = read_kernels(*headers, tables->symbols, *metadata, object); !done) {
    return tl::unexpected(done.error());
  }
  if (auto done = read_symbols(tables->symbols, object); !done) {
    return tl::unexpected(done.error());
  }
  if (auto done = read_relocations(*tables, object); !done) return tl::unexpected(done.error());
  return object;
}

}  // namespace wavetank::code_object
