#include "hip/runtime/timed/array_names.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace wavetank::hip {
namespace {

/// An argument and the rest of the allocation that it points into.
struct Array {
  std::uint64_t begin = 0, end = 0;
  const std::string* name = nullptr;
};

std::vector<Array> arrays_of(const dispatch::Launch& launch, const machine::DeviceMemory& memory) {
  std::vector<Array> arrays;
  if (launch.kernarg == nullptr) return arrays;
  for (const code_object::Argument& argument : launch.kernel->arguments) {
    if (argument.kind != code_object::ArgumentKind::kGlobalBuffer) continue;
    const std::byte* pointer = nullptr;
    std::memcpy(&pointer, launch.kernarg + argument.offset_bytes, sizeof pointer);
    const auto allocation = memory.find(pointer);
    if (!allocation) continue;
    arrays.push_back({reinterpret_cast<std::uint64_t>(pointer),
                      reinterpret_cast<std::uint64_t>(allocation->address) + allocation->size_bytes,
                      &argument.name});
  }
  // Names lie in one list: those of the same begin keep their order.
  std::ranges::sort(arrays, {},
                    [](const Array& array) { return std::pair(array.begin, array.name); });
  return arrays;
}

/// The last of those that begin at the same address, as behind an instruction's.
std::vector<Array> disjoint(const std::vector<Array>& arrays) {
  std::vector<Array> apart;
  for (const Array& array : arrays) {
    if (!apart.empty()) apart.back().end = std::min(apart.back().end, array.begin);
    if (!apart.empty() && apart.back().begin == apart.back().end) apart.pop_back();
    apart.push_back(array);
  }
  return apart;
}

/// "in" of "in.coerce", which is how clang names a HIP kernel's pointers.
std::string name_in_source(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

std::vector<timing::AddressRange> array_ranges(const dispatch::Launch& launch,
                                               const machine::DeviceMemory& memory) {
  std::vector<timing::AddressRange> ranges;
  for (const Array& array : disjoint(arrays_of(launch, memory))) {
    ranges.push_back({array.begin, array.end - array.begin});
  }
  return ranges;
}

void name_arrays(const dispatch::Launch& launch, const machine::DeviceMemory& memory,
                 profile::LaunchProfile& profile) {
  const std::vector<Array> arrays = arrays_of(launch, memory);
  const std::vector<Array> apart = disjoint(arrays);
  for (std::size_t i = 0; i < std::min(apart.size(), profile.arrays.size()); ++i) {
    profile.arrays[i].name = name_in_source(*apart[i].name);
    profile.arrays[i].bytes = apart[i].end - apart[i].begin;
  }
  for (profile::InstructionProfile& instruction : profile.instructions) {
    const std::uint64_t address = instruction.lowest_address;
    const auto behind = std::find_if(arrays.rbegin(), arrays.rend(),
                                     [&](const Array& array) { return array.begin <= address; });
    if (behind != arrays.rend() && address < behind->end) {
      instruction.array = name_in_source(*behind->name);
      instruction.array_bytes = behind->end - behind->begin;
    }
  }
}

}  // namespace wavetank::hip
