#include "hip/runtime/memory/managed_variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace wavetank::hip {
namespace {

struct ManagedVariables {
  std::mutex mutex;
  std::map<std::string, VariablePlace, std::less<>> places;
};

ManagedVariables& known() {
  static auto* variables = new ManagedVariables;
  return *variables;
}

}  // namespace

std::byte* add_managed_variable(std::string_view name, const void* initial_value,
                                std::size_t size_bytes) {
  constexpr std::size_t kPageBytes = 4096;
  const std::size_t whole_pages = (size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kPageBytes, whole_pages));
  if (memory == nullptr) std::abort();
  std::memcpy(memory, initial_value, size_bytes);
  const std::lock_guard lock(known().mutex);
  known().places.insert_or_assign(std::string(name), VariablePlace{memory, whole_pages});
  return memory;
}

std::byte* managed_memory(std::string_view name) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().places.find(name);
  return found == known().places.end() ? nullptr : found->second.address;
}

bool is_managed(const void* address) {
  const auto* byte = static_cast<const std::byte*>(address);
  const std::lock_guard lock(known().mutex);
  return std::ranges::any_of(known().places, [&](const auto& entry) {
    const VariablePlace& place = entry.second;
    return byte >= place.address && byte < place.address + place.size_bytes;
  });
}

std::vector<VariablePlace> managed_ranges() {
  const std::lock_guard lock(known().mutex);
  std::vector<VariablePlace> ranges;
  for (const auto& [name, place] : known().places) ranges.push_back(place);
  return ranges;
}

}  // namespace wavetank::hip
