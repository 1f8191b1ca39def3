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

/// A plain access that meets many cells, packed once.
struct PackedAccess {
  std::uint64_t word = 0;  ///< without its lane; 0: it does not fit, or is no plain one
  bool is_write = false;
  bool is_ordered = false;  ///< other workgroups' accesses may be ordered before it

  static PackedAccess of(const Record& record, AccessKind kind, bool is_ordered,
                         const CellBase& base);
};

/// Two accesses, or one, or a store and its value.
class PackedCell {
 public:
  /// Does what meet() would do where that is little: remembers a first access, or drops a load of
  /// what two other workgroups have loaded. False if it is not so simple.
  bool take(const PackedAccess& now, unsigned lane, std::uint32_t value) {
    if (now.word == 0) return false;
    if ((words_[0] | words_[1]) == 0) {
      words_ = {now.word | lane, now.is_write ? value : 0};
      return true;
    }
    return !now.is_write && !now.is_ordered && is_loaded_by_others(now);
  }
  /// Takes a cell in; false if there is no room: for three accesses, for a store's value beside
  /// another access, or for a large number.
  bool pack(const Cell& cell, const CellBase& base);
  Cell unpack(const CellBase& base) const;

 private:
  bool is_loaded_by_others(const PackedAccess& now) const;
  std::array<std::uint64_t, 2> words_ = {};
};

}  // namespace wavetank::check
