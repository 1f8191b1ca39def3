// Accesses to LDS as they were heard: waves mostly do again what they did an interval or a
// workgroup before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "check/lane_compare.hpp"
#include "check/lane_ranges.hpp"
#include "check/lds_use.hpp"

namespace wavetank::check {

/// What a wave does to LDS with one instruction.
struct LdsAccess {
  const machine::StepFacts& facts;
  const machine::Step& step;
  AccessKind kind;
  unsigned wave;        ///< in the workgroup
  std::uint64_t lanes;  ///< of the step, that touch LDS
};

/// An access that is remembered.
struct LdsPattern {
  const machine::StepFacts* facts = nullptr;
  AccessKind kind = AccessKind::kRead;
  unsigned wave = 0;
  std::uint64_t lanes = 0;
  std::uint64_t base = 0;
  std::array<std::uint32_t, 64> registers;  ///< gave the addresses, with `base`
  bool has_registers = false;
  std::uint32_t interval = 0;  ///< between barriers, in which it was met last
  std::size_t first_word = 0;
  std::vector<std::uint64_t> words;  ///< of dwords()
  std::vector<LaneRange> ranges;

  DwordBits dwords() const { return {first_word, words}; }
  bool is(const LdsAccess& now) const {
    return facts == &now.facts && wave == now.wave && lanes == now.lanes && has_registers &&
           base == now.step.address.base() &&
           (lanes_that_differ(registers.data(), now.step.address.low()) & lanes) == 0;
  }
};

/// Patterns of one workgroup after the other, found by instruction, wave and where its first lane
/// goes: an instruction in a loop mostly does in each iteration what it did there before.
class LdsPatterns {
 public:
  /// The last pattern of its place if it is this access, else nullptr.
  LdsPattern* find(const LdsAccess& now) {
    if (now.step.address.low() == nullptr) return nullptr;
    const std::uint32_t at = places_[place_of(now)];
    if (at >= count_) return nullptr;
    return patterns_[at].is(now) ? &patterns_[at] : nullptr;
  }
  /// A new one; there must be room. It is found again if all of the access is `in_bounds`.
  LdsPattern& add(const LdsAccess& now, bool in_bounds) {
    if (count_ == patterns_.size()) patterns_.emplace_back();
    LdsPattern& mine = patterns_[count_];
    mine.facts = &now.facts;
    mine.kind = now.kind;
    mine.wave = now.wave;
    mine.lanes = now.lanes;
    mine.base = now.step.address.base();
    mine.has_registers = in_bounds && now.step.address.low() != nullptr;
    if (mine.has_registers) {
      std::copy_n(now.step.address.low(), mine.registers.size(), mine.registers.begin());
      places_[place_of(now)] = static_cast<std::uint32_t>(count_);
    }
    ++count_;
    return mine;
  }
  bool has_room() const { return count_ < kMost; }
  void clear() { count_ = 0; }
  const LdsPattern& operator[](std::size_t index) const { return patterns_[index]; }
  std::uint32_t index_of(const LdsPattern& pattern) const {
    return static_cast<std::uint32_t>(&pattern - patterns_.data());
  }

 private:
  static constexpr std::size_t kPlaces = 4096, kMost = 1024;
  static std::size_t place_of(const LdsAccess& now) {
    constexpr std::size_t kFactor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    const std::uint32_t first = now.step.address.low()[std::countr_zero(now.lanes) % 64];
    const std::size_t key = (std::size_t{first} << 32) + now.facts.index * kMostWaves + now.wave;
    return key * kFactor >> (64 - std::bit_width(kPlaces - 1));
  }
  std::array<std::uint32_t, kPlaces> places_ = {};
  std::vector<LdsPattern> patterns_;
  std::size_t count_ = 0;
};

}  // namespace wavetank::check
