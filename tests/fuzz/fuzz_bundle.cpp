// Offload bundles, plain and compressed, and the files that carry them (executables, libraries,
// objects) from arbitrary bytes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "code_object/bundle.hpp"

namespace {

using namespace wavetank::code_object;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Reads each image's ends, and chooses one for a device.
void check(const Bundle& bundle) {
  static const TargetId kDevice = *parse_target_id("gfx90a:sramecc+:xnack-");
  for (const BundleEntry& entry : bundle.entries) {
    if (entry.image.empty()) continue;
    [[maybe_unused]] const volatile std::byte first = entry.image.front();
    [[maybe_unused]] const volatile std::byte last = entry.image.back();
  }
  if (const auto chosen = select_entry(bundle, kDevice)) require((*chosen)->target.runs_on(kDevice));
}

/// The path of a file in memory with these bytes.
std::string file_of(std::span<const std::byte> bytes) {
  static const int kFile = memfd_create("input", 0);
  require(kFile >= 0 && ftruncate(kFile, 0) == 0);
  require(pwrite(kFile, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return "/proc/self/fd/" + std::to_string(kFile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (const auto bundle = read_bundle(bytes)) {
    require(bundle->size_bytes <= size);
    check(*bundle);
  }
  if (const auto bundles = read_bundles_of_file(file_of(bytes))) {
    for (const Bundle& bundle : *bundles) check(bundle);
  }
  return 0;
}
