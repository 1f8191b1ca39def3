// A cell in 16 bytes: what most cells have to remember fits into two words.
#pragma once

#include <array>
#include <cstdint>

#include "check/record.hpp"

namespace wavetank::check {

/// What packed records count from, and what they need not remember.
struct CellBase {
  std::uint32_t launch_actor = 0;  ///< the first workgroup of the present launch
  std::uint32_t first_actor = 0;   ///< what earlier ones did is ordered before all of now
  std::uint32_t first_site = 0;
};

/// One access, or none, or a store's value.
class PackedCell {
 public:
  /// Takes a cell in; false if there is no room: for three accesses, for a store's value beside
  /// another access, or for a large number.
  bool pack(const Cell& cell, const CellBase& base);
  Cell unpack(const CellBase& base) const;

 private:
  std::array<std::uint64_t, 2> words_ = {};
};

}  // namespace wavetank::check
