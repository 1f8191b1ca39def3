// Which bits of a wave's registers hold what nobody defined. Whoever listens to a launch keeps
// them; the executor follows them from instruction to instruction (execute/watch). A wave without
// such bits costs nothing.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>

#include "machine/step.hpp"

namespace wavetank::machine {

/// The load by which an undefined value came into registers.
struct UndefinedOrigin {
  std::uint32_t site = 0;   ///< StepFacts::index
  std::uint64_t group = 0;  ///< workgroup in dispatch order
  unsigned wave = 0;        ///< in the workgroup
  unsigned lane = 0;
  MemorySpace space = MemorySpace::kNone;
  std::uint64_t address = 0;  ///< of the first undefined byte; of scratch its number in the lane's
  unsigned bytes = 0;         ///< that the lane loads
  bool computed = false;      ///< something was worked out from it: it is no plain copy any more
};

class UndefinedRegisters {
 public:
  static constexpr unsigned kLanes = 64;
  static constexpr unsigned kVectors = 512;
  /// SGPRs and special registers by their operand codes, and SCC after them.
  static constexpr unsigned kScc = 128, kScalars = 129;
  using Lanes = std::array<std::uint32_t, kLanes>;

  bool any() const { return count_ != 0; }
  bool any_scalar() const { return scalars_.any(); }
  bool has_vector(unsigned index) const { return vectors_[index]; }
  bool has_scalar(unsigned index) const { return scalars_[index]; }
  /// The undefined bits of a register's lanes, for one that has_vector().
  const Lanes& vector(unsigned index) const { return vector_bits_[index]->lanes; }
  std::uint32_t scalar(unsigned index) const { return scalars_[index] ? scalar_bits_[index] : 0; }
  const UndefinedOrigin& vector_origin(unsigned index) const { return vector_bits_[index]->origin; }
  const UndefinedOrigin& scalar_origin(unsigned index) const { return scalar_origins_[index]; }

  /// Sets a register's undefined bits; none of them undefined makes it defined.
  void set_vector(unsigned index, const Lanes& bits, const UndefinedOrigin& origin) {
    std::uint32_t all = 0;
    for (const std::uint32_t lane : bits) all |= lane;
    if (all == 0) return define_vector(index);
    if (vector_bits_[index] == nullptr) vector_bits_[index] = std::make_unique<Vector>();
    *vector_bits_[index] = {bits, origin};
    count_ += vectors_[index] ? 0 : 1;
    vectors_[index] = true;
  }
  void set_scalar(unsigned index, std::uint32_t bits, const UndefinedOrigin& origin) {
    if (bits == 0) return define_scalar(index);
    scalar_bits_[index] = bits;
    scalar_origins_[index] = origin;
    count_ += scalars_[index] ? 0 : 1;
    scalars_[index] = true;
  }
  void define_vector(unsigned index) {
    count_ -= vectors_[index] ? 1 : 0;
    vectors_[index] = false;
  }
  void define_scalar(unsigned index) {
    count_ -= scalars_[index] ? 1 : 0;
    scalars_[index] = false;
  }
  void define_all() {
    vectors_.reset();
    scalars_.reset();
    count_ = 0;
  }

 private:
  struct Vector {
    Lanes lanes = {};
    UndefinedOrigin origin;
  };
  unsigned count_ = 0;  ///< registers with undefined bits
  std::bitset<kVectors> vectors_;
  std::bitset<kScalars> scalars_;
  std::array<std::unique_ptr<Vector>, kVectors> vector_bits_ = {};
  std::array<std::uint32_t, kScalars> scalar_bits_ = {};
  std::array<UndefinedOrigin, kScalars> scalar_origins_ = {};
};

}  // namespace wavetank::machine
