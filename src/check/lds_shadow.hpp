// What is remembered of a workgroup's LDS. Barriers alone order there, so that a record is a
// barrier count, a wave and a place, and most accesses are two comparisons.
#pragma once

#include <cstdint>
#include <vector>

#include "check/record.hpp"

namespace wavetank::check {

/// One access to LDS; 0: none.
class LdsRecord {
 public:
  constexpr LdsRecord() = default;
  constexpr LdsRecord(std::uint32_t barriers, unsigned wave, std::uint32_t site, unsigned lane)
      : bits_(std::uint64_t{barriers << 4 | wave} << 32 | site << 6 | lane) {}

  /// True if another wave made it and no barrier lies between the two.
  constexpr bool is_concurrent(const LdsRecord& other) const {
    return (key() ^ other.key()) - 1 < 15;
  }
  constexpr unsigned wave() const { return key() & 15; }
  constexpr std::uint32_t site() const { return static_cast<std::uint32_t>(bits_) >> 6; }
  constexpr unsigned lane() const { return bits_ & 63; }

 private:
  constexpr std::uint32_t key() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  std::uint64_t bits_ = 0;
};

/// The last accesses to a piece of LDS; two readers and two atomics of different waves are all that
/// a store can race with.
struct LdsCell {
  LdsRecord write, atomic, other_atomic, read, other_read;
};

/// Compares an access with what a cell remembers, and remembers it; `found` as in meet().
template <class Found>
void meet_in_lds(LdsCell& cell, const LdsRecord& mine, AccessKind kind, Found&& found) {
  const auto conflict = [&](const LdsRecord& record, AccessKind its_kind) {
    if (record.is_concurrent(mine)) [[unlikely]]
      found(record, its_kind);
  };
  conflict(cell.write, AccessKind::kWrite);
  if (kind != AccessKind::kAtomic) {
    conflict(cell.atomic, AccessKind::kAtomic);
    conflict(cell.other_atomic, AccessKind::kAtomic);
  }
  if (!writes(kind)) {
    if (!cell.read.is_concurrent(mine))
      cell.read = mine;
    else if (!cell.other_read.is_concurrent(mine))
      cell.other_read = mine;
    return;
  }
  conflict(cell.read, AccessKind::kRead);
  conflict(cell.other_read, AccessKind::kRead);
  if (kind != AccessKind::kAtomic) {
    cell = {};
    cell.write = mine;
    return;
  }
  if (cell.atomic.is_concurrent(mine) && !cell.other_atomic.is_concurrent(mine)) {
    cell.other_atomic = cell.atomic;
  }
  cell.atomic = mine;
}

/// The cells of a workgroup's LDS. Storage serves one workgroup after the other: its barriers are
/// counted through, and what an earlier workgroup did lies behind one.
class LdsShadow {
 public:
  /// A workgroup begins; `cell_bytes` is 1, 2 or 4.
  void begin(std::uint32_t lds_bytes, unsigned cell_bytes) {
    cell_bytes_ = cell_bytes;
    count_ = (lds_bytes + cell_bytes - 1) / cell_bytes;
    pass_barrier();
  }
  /// Makes room for the cells, which must be done before the first is asked for.
  void make_cells() {
    if (cells_.size() != count_) cells_.assign(count_, {});
  }
  /// All accesses so far are in the past, so that counting may as well begin again.
  void pass_barrier() {
    if (++barriers_ < kMostBarriers) return;
    cells_.assign(cells_.size(), {});
    barriers_ = 1;
  }
  std::uint32_t barriers() const { return barriers_; }
  unsigned cell_bytes() const { return cell_bytes_; }
  LdsCell& cell(std::uint64_t byte) { return cells_[byte / cell_bytes_]; }

 private:
  static constexpr std::uint32_t kMostBarriers = 1u << 28;  ///< LdsRecord has room for
  std::size_t count_ = 0;
  std::vector<LdsCell> cells_;
  std::uint32_t barriers_ = 0;
  unsigned cell_bytes_ = 4;
};

}  // namespace wavetank::check
