#include "check/shared_cells.hpp"

#include <algorithm>

namespace wavetank::check {
namespace {

constexpr std::size_t kMostPlaces = 1u << (16 - kLaneBits);

/// A cell's records, in the order in which they are named.
constexpr std::array kMembers = {&Cell::write, &Cell::atomic, &Cell::read, &Cell::other_read,
                                 &Cell::other_atomic};

}  // namespace

Record SharedCells::record_of(Name name) const {
  Record record = records_[name >> kLaneBits];
  if (record.present()) record.set_lane(name & ((1u << kLaneBits) - 1));
  return record;
}

SharedCells::Name SharedCells::name_of(const Record& record) {
  if (!record.present()) return 0;
  Record first_lane = record;
  first_lane.set_lane(0);
  // What a line's cells are told comes from one instruction mostly: the last record.
  const auto found = std::find(records_.rbegin(), records_.rend(), first_lane);
  const auto place = found != records_.rend() ? records_.rend() - found - 1
                                              : static_cast<std::ptrdiff_t>(records_.size());
  if (found == records_.rend()) records_.push_back(first_lane);
  return static_cast<Name>(static_cast<unsigned>(place) << kLaneBits | record.lane());
}

Cell SharedCells::get(unsigned index) const {
  const Named& named = cells_[index];
  Cell cell;
  for (unsigned i = 0; i < kRecords; ++i) cell.*kMembers[i] = record_of(named.records[i]);
  cell.value = named.value[0] | std::uint32_t{named.value[1]} << 16;
  return cell;
}

void SharedCells::set(unsigned index, const Cell& cell) {
  if (records_.size() >= most_records_) forget_unnamed();
  Named& named = cells_[index];
  for (unsigned i = 0; i < kRecords; ++i) named.records[i] = name_of(cell.*kMembers[i]);
  named.value = {static_cast<std::uint16_t>(cell.value),
                 static_cast<std::uint16_t>(cell.value >> 16)};
}

void SharedCells::forget_unnamed() {
  constexpr Name kUnnamed = ~Name{0};
  std::vector<Name> moved(records_.size(), kUnnamed);
  std::vector<Record> kept(1);
  moved[0] = 0;
  for (Named& named : cells_) {
    for (Name& name : named.records) {
      const unsigned place = name >> kLaneBits;
      if (moved[place] == kUnnamed) {
        moved[place] = static_cast<Name>(kept.size());
        kept.push_back(records_[place]);
      }
      name = static_cast<Name>(moved[place] << kLaneBits | (name & ((1u << kLaneBits) - 1)));
    }
  }
  records_ = std::move(kept);
  most_records_ = std::min(2 * records_.size() + kRecords, kMostPlaces - kRecords);
}

}  // namespace wavetank::check
