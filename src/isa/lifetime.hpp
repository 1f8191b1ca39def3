// Since which processor something exists, and until which.
#pragma once

#include <cstdint>

namespace wavetank::isa {

/// A processor's place in the order of its family: the hexadecimal digits of its name (LLVM
/// AMDGPUUsage, "Processors"). Any number is one; those that tables speak of have a name.
enum class Version : std::uint16_t { kGfx90a = 0x90a, kGfx942 = 0x942 };

/// The processors that have an instruction, a counter ...: from `since` to `until`, both included.
struct Lifetime {
  Version since = Version{0};
  Version until = Version{0xffff};

  constexpr bool covers(Version version) const { return since <= version && version <= until; }
  constexpr bool operator==(const Lifetime&) const = default;
};

constexpr Lifetime since(Version first) { return {.since = first}; }
constexpr Lifetime until(Version last) { return {.until = last}; }

}  // namespace wavetank::isa
