// The cells of a line that waves share: what packed cells have no room for.
//
// An instruction's access to a line leaves the same record in many of its cells, but for the lane.
// So the line keeps each record once, and a cell names those that are its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/record.hpp"

namespace wavetank::check {

/// Some cells, each of which may remember whatever comes. 14 bytes a cell, and 12 for a record.
class SharedCells {
 public:
  /// Cells that remember nothing. At most 128: a byte of a line each.
  explicit SharedCells(unsigned count) : cells_(count), records_(1) {}

  Cell get(unsigned index) const;
  void set(unsigned index, const Cell& cell);
  /// Records that are kept, the empty one among them.
  std::size_t records() const { return records_.size(); }

 private:
  static constexpr unsigned kRecords = 5;  ///< of a cell
  /// A record's place in `records_` << 6 | lane. There is room for all that 128 cells can name.
  using Name = std::uint16_t;
  struct Named {
    std::array<Name, kRecords> records = {};
    std::array<std::uint16_t, 2> value = {};  ///< its lower and upper half
  };
  Name name_of(const Record& record);
  Record record_of(Name name) const;
  void forget_unnamed();

  std::vector<Named> cells_;
  std::vector<Record> records_;   ///< without their lanes; the first is no access
  std::size_t most_records_ = 8;  ///< from which on those that no cell names are forgotten
};

}  // namespace wavetank::check
