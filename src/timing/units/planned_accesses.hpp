// Plans of the address unit that are found again instead of made anew.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/units/address_unit.hpp"

namespace wavetank::timing {

/// Remembers plans: they depend on how a wave's lanes lie to each other and where in two lines the
/// first one lies, not on the lines. Programs repeat few shapes.
class PlannedAccesses {
 public:
  /// As plan_accesses().
  void plan(const machine::Step& step, std::uint32_t line_bytes, bool write, AddressPlan& plan);

 private:
  /// What a plan depends on.
  struct Shape {
    std::array<std::uint64_t, 64> address;  ///< from a multiple of kPeriodBytes on; others are 0
    std::uint64_t lanes = 0;
    std::int64_t stride = 0;
    std::uint32_t line_bytes = 0;
    unsigned bytes = 0, count = 0;
    bool write = false;
    bool operator==(const Shape&) const = default;
    std::uint64_t hash() const;
  };
  static constexpr std::uint64_t kPeriodBytes = 128;  ///< of banks and lines
  static constexpr std::size_t kRemembered = 64;
  struct Known {
    Shape shape;
    AddressPlan plan;
  };
  Shape shape_;
  std::vector<Known> known_ = std::vector<Known>(kRemembered);
};

}  // namespace wavetank::timing
