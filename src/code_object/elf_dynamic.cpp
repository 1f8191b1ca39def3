#include "code_object/elf_dynamic.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "code_object/bad_file.hpp"

namespace wavetank::code_object {
namespace {

// Tags of the dynamic section.
constexpr std::uint64_t kNull = 0;
constexpr std::uint64_t kPltRelocationBytes = 2;
constexpr std::uint64_t kHash = 4;
constexpr std::uint64_t kStringTable = 5;
constexpr std::uint64_t kSymbolTable = 6;
constexpr std::uint64_t kRela = 7;
constexpr std::uint64_t kRelaBytes = 8;
constexpr std::uint64_t kStringTableBytes = 10;
constexpr std::uint64_t kRel = 17;
constexpr std::uint64_t kPltRelocations = 23;
constexpr std::uint64_t kRelr = 36;
constexpr std::uint64_t kGnuHash = 0x6ffffef5;

constexpr std::uint64_t kDynamicEntryBytes = 16;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint64_t kRelaEntryBytes = 24;
// A linker lets names share their ends, so all names together may be longer than the string table;
// beyond this factor the file was made to exhaust memory.
constexpr std::uint64_t kMaxNameSharing = 64;
constexpr std::uint16_t kSectionUndefined = 0;
constexpr std::uint16_t kSectionAbsolute = 0xfff1;

using Tags = std::map<std::uint64_t, std::uint64_t>;

/// A file as its segments lay it out in memory.
class LoadedView {
 public:
  LoadedView(ByteView file, const std::vector<ProgramHeader>& segments)
      : file_(file), segments_(segments) {}

  /// From `address` to the end of the segment's bytes in the file.
  std::optional<ByteView> rest(std::uint64_t address) const {
    for (const ProgramHeader& segment : segments_) {
      if (segment.type != kSegmentLoad || address < segment.address) continue;
      const std::uint64_t offset = address - segment.address;
      if (offset >= segment.file_size_bytes) continue;
      return ByteView(*file_.slice(segment.file_offset + offset, segment.file_size_bytes - offset));
    }
    return std::nullopt;
  }

  std::optional<ByteView> range(std::uint64_t address, std::uint64_t size_bytes) const {
    const auto view = rest(address);
    if (!view) return std::nullopt;
    const auto bytes = view->slice(0, size_bytes);
    if (!bytes) return std::nullopt;
    return ByteView(*bytes);
  }

 private:
  ByteView file_;
  const std::vector<ProgramHeader>& segments_;
};

std::optional<std::uint64_t> value_of(const Tags& tags, std::uint64_t tag) {
  const auto found = tags.find(tag);
  if (found == tags.end()) return std::nullopt;
  return found->second;
}

Tags read_tags(ByteView dynamic) {
  Tags tags;
  for (std::uint64_t at = 0; dynamic.contains(at, kDynamicEntryBytes); at += kDynamicEntryBytes) {
    const std::uint64_t tag = *dynamic.read<std::uint64_t>(at);
    if (tag == kNull) break;
    tags.emplace(tag, *dynamic.read<std::uint64_t>(at + 8));
  }
  return tags;
}

/// DT_GNU_HASH does not say how many symbols there are: the last one is the end of the chain that
/// starts at the highest bucket.
std::optional<std::uint64_t> count_by_gnu_hash(ByteView table) {
  const auto buckets = table.read<std::uint32_t>(0);
  const auto first_symbol = table.read<std::uint32_t>(4);
  const auto bloom_words = table.read<std::uint32_t>(8);
  if (!buckets || !first_symbol || !bloom_words) return std::nullopt;
  const std::uint64_t bucket_offset = 16 + std::uint64_t{*bloom_words} * 8;
  const std::uint64_t chain_offset = bucket_offset + std::uint64_t{*buckets} * 4;
  if (!table.contains(bucket_offset, std::uint64_t{*buckets} * 4)) return std::nullopt;
  std::uint64_t last = 0;
  for (std::uint64_t at = bucket_offset; at < chain_offset; at += 4) {
    last = std::max<std::uint64_t>(last, *table.read<std::uint32_t>(at));
  }
  if (last < *first_symbol) return *first_symbol;
  while (true) {
    const auto hash = table.read<std::uint32_t>(chain_offset + (last - *first_symbol) * 4);
    if (!hash) return std::nullopt;
    ++last;
    if ((*hash & 1) != 0) return last;
  }
}

std::optional<std::uint64_t> symbol_count(const LoadedView& memory, const Tags& tags) {
  if (const auto hash = value_of(tags, kHash)) {
    const auto table = memory.rest(*hash);
    if (!table) return std::nullopt;
    return table->read<std::uint32_t>(4);  // nchain
  }
  if (const auto hash = value_of(tags, kGnuHash)) {
    const auto table = memory.rest(*hash);
    if (!table) return std::nullopt;
    return count_by_gnu_hash(*table);
  }
  return std::nullopt;
}

std::optional<DynamicSymbol> read_symbol(ByteView table, std::uint64_t at, ByteView strings) {
  const auto name = strings.c_string(*table.read<std::uint32_t>(at));
  if (!name) return std::nullopt;
  DynamicSymbol symbol;
  symbol.name = *name;
  const std::uint8_t info = *table.read<std::uint8_t>(at + 4);
  symbol.type = info & 0xf;
  symbol.binding = info >> 4;
  const std::uint16_t section = *table.read<std::uint16_t>(at + 6);
  symbol.defined = section != kSectionUndefined;
  symbol.absolute = section == kSectionAbsolute;
  symbol.value = *table.read<std::uint64_t>(at + 8);
  symbol.size_bytes = *table.read<std::uint64_t>(at + 16);
  return symbol;
}

Result<std::vector<DynamicSymbol>> read_symbols(const LoadedView& memory, const Tags& tags) {
  std::vector<DynamicSymbol> symbols;
  const auto address = value_of(tags, kSymbolTable);
  if (!address) return symbols;
  const auto count = symbol_count(memory, tags);
  if (!count) return bad_elf("the dynamic symbol table has no readable hash table");
  const auto table = memory.range(*address, *count * kSymbolBytes);
  const auto strings = memory.range(value_of(tags, kStringTable).value_or(~std::uint64_t{0}),
                                    value_of(tags, kStringTableBytes).value_or(0));
  if (!table) return bad_elf("the dynamic symbol table lies outside the segments");
  if (!strings) return bad_elf("the dynamic string table lies outside the segments");
  std::uint64_t name_bytes = 0;
  for (std::uint64_t at = 0; at < table->size(); at += kSymbolBytes) {
    auto symbol = read_symbol(*table, at, *strings);
    if (!symbol) return bad_elf("the name of a dynamic symbol is not terminated");
    name_bytes += symbol->name.size();
    if (name_bytes > kMaxNameSharing * strings->size()) {
      return bad_elf("the names of the dynamic symbols are implausibly long");
    }
    symbols.push_back(*symbol);
  }
  return symbols;
}

Result<void> append_relocations(const LoadedView& memory, std::uint64_t address,
                                std::uint64_t size_bytes, std::uint64_t symbol_count,
                                std::vector<DynamicRelocation>& relocations) {
  if (size_bytes == 0) return {};
  const auto table = memory.range(address, size_bytes);
  if (!table) return bad_elf("the relocation table lies outside the segments");
  if (size_bytes % kRelaEntryBytes != 0) return bad_elf("the relocation table has a partial entry");
  for (std::uint64_t at = 0; at < table->size(); at += kRelaEntryBytes) {
    DynamicRelocation relocation;
    relocation.address = *table->read<std::uint64_t>(at);
    const std::uint64_t info = *table->read<std::uint64_t>(at + 8);
    relocation.type = static_cast<std::uint32_t>(info);
    relocation.symbol_index = static_cast<std::uint32_t>(info >> 32);
    relocation.addend = *table->read<std::int64_t>(at + 16);
    if (relocation.symbol_index != 0 && relocation.symbol_index >= symbol_count) {
      return bad_elf("a relocation refers to a symbol that does not exist");
    }
    relocations.push_back(relocation);
  }
  return {};
}

}  // namespace

std::optional<std::span<const std::byte>> loaded_bytes(ByteView file,
                                                       const std::vector<ProgramHeader>& segments,
                                                       std::uint64_t address,
                                                       std::uint64_t size_bytes) {
  const auto view = LoadedView(file, segments).range(address, size_bytes);
  if (!view) return std::nullopt;
  return view->bytes();
}

Result<DynamicTables> read_dynamic_tables(ByteView file,
                                          const std::vector<ProgramHeader>& segments) {
  DynamicTables tables;
  const auto dynamic = std::find_if(segments.begin(), segments.end(), [](const auto& segment) {
    return segment.type == kSegmentDynamic;
  });
  if (dynamic == segments.end()) return tables;
  const LoadedView memory(file, segments);
  const Tags tags =
      read_tags(ByteView(*file.slice(dynamic->file_offset, dynamic->file_size_bytes)));
  if (tags.contains(kRel) || tags.contains(kRelr)) {
    return bad_elf("the code object has relocations without addends, which AMDGPU does not use");
  }
  auto symbols = read_symbols(memory, tags);
  if (!symbols) return tl::unexpected(symbols.error());
  tables.symbols = std::move(*symbols);
  for (const auto& [start, size] :
       {std::pair{kRela, kRelaBytes}, std::pair{kPltRelocations, kPltRelocationBytes}}) {
    const auto address = value_of(tags, start);
    if (!address) continue;
    auto appended = append_relocations(memory, *address, value_of(tags, size).value_or(0),
                                       tables.symbols.size(), tables.relocations);
    if (!appended) return tl::unexpected(appended.error());
  }
  return tables;
}

}  // namespace wavetank::code_object
