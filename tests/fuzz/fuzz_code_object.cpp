// Bundles, ELF files, metadata and relocations from arbitrary bytes, up to a loaded code object.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "code_object/bundle.hpp"
#include "code_object/code_object.hpp"
#include "code_object/loader.hpp"
#include "code_object/metadata.hpp"

namespace {

using namespace wavetank::code_object;

constexpr std::size_t kMaxLoadBytes = std::size_t{1} << 22;

void require(bool holds) {
  if (!holds) std::abort();
}

/// What a parsed code object promises to whoever runs it.
void check(const CodeObject& object) {
  for (const Kernel& kernel : object.kernels) {
    require(kernel.entry_address < object.memory_size_bytes);
    require(kernel.descriptor_address + 64 <= object.memory_size_bytes);
    for (const Argument& argument : kernel.arguments) {
      require(std::uint64_t{argument.offset_bytes} + argument.size_bytes <=
              kernel.kernarg_size_bytes);
    }
  }
  for (const Symbol& symbol : object.symbols) {
    require(symbol.address + symbol.size_bytes <= object.memory_size_bytes);
  }
}

void load_image(std::span<const std::byte> image) {
  std::vector<std::byte> memory;
  LoadServices services;
  services.allocate = [&memory](std::size_t size_bytes) -> std::byte* {
    if (size_bytes > kMaxLoadBytes) return nullptr;
    memory.assign(size_bytes, std::byte{0});
    return memory.data();
  };
  services.resolve = [](std::string_view name) -> std::uint64_t { return name.size(); };
  if (const auto loaded = load(image, services)) check((*loaded)->object);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (const auto bundle = read_bundle(bytes)) {
    for (const BundleEntry& entry : bundle->entries) {
      if (!entry.is_host) load_image(entry.image);
    }
  }
  if (const auto object = parse(bytes)) check(*object);
  (void)read_metadata(bytes);
  return 0;
}
