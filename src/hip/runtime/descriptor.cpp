#include "hip/runtime/descriptor.hpp"

#include <fcntl.h>

#include <cstdint>
#include <cstring>

namespace wavetank::hip {
namespace {

std::optional<int> duplicate_of(int descriptor) {
  const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) return std::nullopt;
  return duplicate;
}

}  // namespace

bool export_descriptor(int descriptor, void* target) {
  const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) return false;
  std::memcpy(target, &duplicate, sizeof duplicate);
  return true;
}

std::optional<int> numbered_descriptor(const void* given) {
  return duplicate_of(static_cast<int>(reinterpret_cast<std::uintptr_t>(given)));
}

std::optional<int> imported_descriptor(const void* given) {
  // No object lies so low (vm.mmap_min_addr), and no process has so many descriptors.
  constexpr std::uintptr_t kNumbersEnd = 65536;
  const auto number = reinterpret_cast<std::uintptr_t>(given);
  int descriptor = static_cast<int>(number);
  if (number >= kNumbersEnd) std::memcpy(&descriptor, given, sizeof descriptor);
  return duplicate_of(descriptor);
}

}  // namespace wavetank::hip
