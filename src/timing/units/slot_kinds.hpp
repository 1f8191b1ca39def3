// Which slots of a SIMD have what kind of instruction next: for each kind a byte, for each slot a
// bit, all in one word.
#pragma once

#include <cstdint>

#include "machine/step.hpp"

namespace wavetank::timing {

class SlotKinds {
 public:
  SlotKinds() = default;
  /// Of one instruction, for slot 0.
  explicit SlotKinds(const machine::StepFacts& facts)
      : ports_(byte(static_cast<unsigned>(facts.port))) {
    if (facts.pairs) traits_ |= byte(kPairs);
    if (facts.is_matrix()) traits_ |= byte(kMatrix);
    if (facts.meets_others) traits_ |= byte(kMeets);
  }
  /// The slot has `one` from now on.
  void set(unsigned slot, const SlotKinds& one) {
    ports_ = (ports_ & ~(kEach << slot)) | one.ports_ << slot;
    traits_ = (traits_ & ~(static_cast<std::uint32_t>(kEach) << slot)) | one.traits_ << slot;
  }
  /// The slots whose next instruction is for a port; issues together with others of its sort; is
  /// for the matrix unit; does what other waves may see. One bit each.
  unsigned of(machine::Port port) const {
    return static_cast<unsigned>(ports_ >> kBits * static_cast<unsigned>(port) & 0xff);
  }
  unsigned pairs() const { return trait(kPairs); }
  unsigned matrix() const { return trait(kMatrix); }
  unsigned meets_others() const { return trait(kMeets); }

 private:
  enum Trait : unsigned { kPairs, kMatrix, kMeets };
  static constexpr unsigned kBits = 8;
  static_assert(machine::kPortCount * kBits <= 64);
  static constexpr std::uint64_t kEach = 0x0101010101010101;
  static constexpr std::uint64_t byte(unsigned kind) { return std::uint64_t{1} << kBits * kind; }
  unsigned trait(Trait kind) const { return traits_ >> kBits * kind & 0xff; }

  std::uint64_t ports_ = 0;
  std::uint32_t traits_ = 0;
};

}  // namespace wavetank::timing
