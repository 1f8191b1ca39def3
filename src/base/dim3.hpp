// Sizes of grids and workgroups.
#pragma once

#include <cstdint>

namespace wavetank {

/// Three extents; the unit (work-items, workgroups) is in the name of the variable that holds it.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace wavetank
