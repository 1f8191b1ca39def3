// Accesses beside what the program allocated, byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "check/lane_ranges.hpp"
#include "check/variables.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::check {

/// What is wrong with a range of addresses.
struct OutOfBounds {
  bool found = false;
  std::uint64_t address = 0;      ///< the first byte that is nobody's
  bool freed = false;             ///< it was somebody's
  machine::Allocation near = {};  ///< the one that was freed, or the last before the address
  bool elsewhere = false;         ///< the address is another one's than the pointer's
  bool of_arguments = false;      ///< `near` are the kernel's arguments
};

class BoundsCheck {
 public:
  /// From now on variables have bounds of their own; null: none is known.
  void know(const Variables* variables) { variables_ = variables; }
  /// The kernel's arguments; whatever else is in their allocation is no kernel's to touch.
  void know_arguments(const Extent& arguments) { arguments_ = arguments; }

  /// Looks whether lanes touch only what is allocated, and of variables one only. `base` is the
  /// pointer in scalar registers to which the lanes add offsets, 0 if there is none: where it is
  /// the begin of an allocation or variable, the lanes may touch nothing else. Compilers fold
  /// constants into such pointers, so that one into the middle says nothing.
  OutOfBounds look(const machine::DeviceMemory& memory, const LaneRange& range,
                   std::uint64_t base) {
    const bool says_nothing = base == 0 || base == inner_base(base);
    for (const Known& known : known_) {
      if (known.extent.holds(range.begin, range.end) && (says_nothing || known.allows(base))) {
        return {};
      }
    }
    return look_up(memory, range, says_nothing ? 0 : base);
  }

 private:
  OutOfBounds look_up(const machine::DeviceMemory& memory, const LaneRange& range,
                      std::uint64_t base);
  void set_near(const machine::DeviceMemory& memory, const LaneRange& range,
                OutOfBounds& result) const;
  std::optional<machine::Allocation> object_at(const machine::DeviceMemory& memory,
                                               std::uint64_t address) const;

  bool is_of_arguments(const Extent& object) const {
    return arguments_.size_bytes != 0 && arguments_.begin - object.begin < object.size_bytes;
  }

  const Variables* variables_ = nullptr;
  Extent arguments_;
  /// An allocation, or a variable in one.
  struct Known {
    Extent extent;
    bool is_whole = false;  ///< nothing else begins in it, so that pointers into it say nothing
    bool allows(std::uint64_t base) const {
      return base == extent.begin || (is_whole && base - extent.begin < extent.size_bytes);
    }
  };
  Known known_object(const machine::Allocation& object, std::uint64_t address) const;
  std::array<Known, 8> known_ = {};
  unsigned oldest_ = 0;
  /// Pointers that are no begin, by their low bits.
  static constexpr std::size_t kInnerBases = 64;
  std::uint64_t& inner_base(std::uint64_t base) { return inner_bases_[base / 4 % kInnerBases]; }
  std::array<std::uint64_t, kInnerBases> inner_bases_ = {};
};

}  // namespace wavetank::check
