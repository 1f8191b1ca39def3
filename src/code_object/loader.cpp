#include "code_object/loader.hpp"

#include <cstring>
#include <limits>
#include <optional>
#include <string>

namespace wavetank::code_object {
namespace {

/// R_AMDGPU_* (AMDGPUUsage, "Relocation Records").
enum RelocationType : std::uint32_t {
  kNone = 0,
  kAbs32Lo = 1,
  kAbs32Hi = 2,
  kAbs64 = 3,
  kRel32 = 4,
  kRel64 = 5,
  kAbs32 = 6,
  kRel32Lo = 10,
  kRel32Hi = 11,
  kRelative64 = 13,
};

/// A patched value and how much of it is stored.
struct Patch {
  std::uint64_t value = 0;
  std::size_t size_bytes = 0;
};

tl::unexpected<Error> bad_relocation(const Relocation& relocation, const std::string& problem) {
  return fail(ErrorCode::kBadElf, "a relocation of type " + std::to_string(relocation.type) +
                                      " " + problem);
}

/// The value of a relocation by the formulas of AMDGPUUsage, where S is the symbol's address, A the
/// addend, B the base and P the patched place.
Result<Patch> patch_for(const Relocation& relocation, std::uint64_t base, std::uint64_t symbol) {
  const std::uint64_t sum = symbol + static_cast<std::uint64_t>(relocation.addend);  // S + A
  const std::uint64_t distance = sum - (base + relocation.address);                  // S + A - P
  switch (relocation.type) {
    case kNone: return Patch{};
    case kAbs32Lo: return Patch{sum & 0xffffffff, 4};
    case kAbs32Hi: return Patch{sum >> 32, 4};
    case kAbs64: return Patch{sum, 8};
    case kRel32Lo: return Patch{distance & 0xffffffff, 4};
    case kRel32Hi: return Patch{distance >> 32, 4};
    case kRel64: return Patch{distance, 8};
    case kRelative64: return Patch{base + static_cast<std::uint64_t>(relocation.addend), 8};
    case kAbs32:
      if (sum > std::numeric_limits<std::uint32_t>::max()) {
        return bad_relocation(relocation, "does not fit in 32 bits");
      }
      return Patch{sum, 4};
    case kRel32: {
      const auto signed_distance = static_cast<std::int64_t>(distance);
      if (signed_distance != static_cast<std::int32_t>(signed_distance)) {
        return bad_relocation(relocation, "does not fit in 32 bits");
      }
      return Patch{distance & 0xffffffff, 4};
    }
    default: return bad_relocation(relocation, "cannot be applied to a linked code object");
  }
}

/// The address of the relocation's symbol, 0 when it has none or a weak one that nobody defines.
Result<std::uint64_t> symbol_address(const Relocation& relocation, std::uint64_t base,
                                     const LoadServices& services) {
  if (relocation.symbol.empty()) return std::uint64_t{0};
  if (relocation.symbol_defined) return base + relocation.symbol_address;
  const std::uint64_t address = services.resolve ? services.resolve(relocation.symbol) : 0;
  if (address == 0 && !relocation.symbol_weak) {
    return fail(ErrorCode::kUndefinedSymbol, "the code object refers to \"" +
                                                 std::string(relocation.symbol) +
                                                 "\", which nobody defines");
  }
  return address;
}

Result<void> relocate(const LoadedCodeObject& loaded, const LoadServices& services) {
  const auto base = reinterpret_cast<std::uint64_t>(loaded.base);
  for (const Relocation& relocation : loaded.object.relocations) {
    auto symbol = symbol_address(relocation, base, services);
    if (!symbol) return tl::unexpected(symbol.error());
    auto patch = patch_for(relocation, base, *symbol);
    if (!patch) return tl::unexpected(patch.error());
    // parse() checked the first four bytes.
    if (patch->size_bytes > loaded.object.memory_size_bytes - relocation.address) {
      return bad_relocation(relocation, "lies outside the segments");
    }
    std::memcpy(loaded.address_of(relocation.address), &patch->value, patch->size_bytes);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<LoadedCodeObject>> load(std::span<const std::byte> image,
                                               const LoadServices& services) {
  auto loaded = std::make_shared<LoadedCodeObject>();
  loaded->file.assign(image.begin(), image.end());
  auto object = parse(loaded->file);
  if (!object) return tl::unexpected(object.error());
  loaded->object = std::move(*object);
  loaded->base = services.allocate(loaded->object.memory_size_bytes);
  if (loaded->base == nullptr) {
    return fail(ErrorCode::kOutOfMemory,
                "no device memory for a code object of " +
                    std::to_string(loaded->object.memory_size_bytes) + " bytes");
  }
  for (const Segment& segment : loaded->object.segments) {
    if (segment.file_size_bytes == 0) continue;
    std::memcpy(loaded->address_of(segment.address), loaded->file.data() + segment.file_offset,
                segment.file_size_bytes);
  }
  if (auto done = relocate(*loaded, services); !done) {
    if (services.release) services.release(loaded->base);
    return tl::unexpected(done.error());
  }
  return loaded;
}

}  // namespace wavetank::code_object
