// The lane masks that a run writes: they are in the host's registers r9 to r11 until all of its
// strips are done. Each strip turns them by its lanes, and a wave that reads a mask soon after
// finds it stored in one piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

class RunMasks {
 public:
  /// Masks by their lower SGPR.
  RunMasks(const VectorUnit& unit, HostCode& code, std::vector<unsigned> masks)
      : unit_(unit), code_(code), masks_(std::move(masks)) {}

  std::size_t size() const { return masks_.size(); }
  /// Brings them from the wave.
  void load() const {
    for_each([&](const Xbyak::Reg64& reg, const Xbyak::Address& place) { code_.mov(reg, place); });
  }
  /// Gives them to the wave.
  void store() const {
    for_each([&](const Xbyak::Reg64& reg, const Xbyak::Address& place) { code_.mov(place, reg); });
  }
  /// Takes the results of a strip in. Spoils eax.
  void take(StripCode& strip, const Plan& plan) const {
    for (std::size_t i = 0; i < masks_.size(); ++i) {
      const auto result = std::find_if(plan.masks.begin(), plan.masks.end(),
                                       [&](const auto& mask) { return mask.name == masks_[i]; });
      strip.mask_to_eax(result->value);
      const Xbyak::Reg64 reg = register_of(i);
      if (unit_.mask_bytes() == 2)
        code_.mov(reg.cvt16(), code_.ax);
      else
        code_.mov(reg.cvt8(), code_.al);
      code_.ror(reg, static_cast<int>(unit_.lanes));
    }
  }
  /// Turns them back by as many lanes as cl says.
  void turn_back() const {
    for (std::size_t i = 0; i < masks_.size(); ++i) code_.rol(register_of(i), code_.cl);
  }

 private:
  static Xbyak::Reg64 register_of(std::size_t index) {
    return Xbyak::Reg64(static_cast<int>(9 + index));
  }
  template <class Do>
  void for_each(Do what) const {
    for (std::size_t i = 0; i < masks_.size(); ++i) {
      what(register_of(i), code_.ptr[code_.rdi + 4 * static_cast<int>(masks_[i])]);
    }
  }

  const VectorUnit& unit_;
  HostCode& code_;
  std::vector<unsigned> masks_;
};

}  // namespace wavetank::execute::jit
