#include "check/packed_cell.hpp"

namespace wavetank::check {
namespace {

using namespace packed_bits;

constexpr std::uint64_t field(std::uint64_t word, unsigned at, unsigned bits) {
  return word >> at & ((std::uint64_t{1} << bits) - 1);
}

bool fits(const Record& record, const CellBase& base) {
  return !record.is_narrow() && record.actor - base.first_actor < 1u << kActorBits &&
         record.time() < 1u << kTimeBits && record.site() - base.first_site < 1u << kSiteBits;
}

std::uint64_t packed(const Record& record, Sort sort, const CellBase& base) {
  return std::uint64_t{record.lane()} | std::uint64_t{record.site() - base.first_site} << kSiteAt |
         std::uint64_t{record.time()} << kTimeAt | std::uint64_t{record.wave()} << kWaveAt |
         std::uint64_t{record.actor - base.first_actor} << kActorAt |
         std::uint64_t{record.meets_stores()} << kMeetsStoresAt | sort << kSortAt;
}

Record unpacked(std::uint64_t word, const CellBase& base) {
  const auto of = [&](unsigned at, unsigned bits) {
    return static_cast<std::uint32_t>(field(word, at, bits));
  };
  Record record = Record::of(base.first_actor + of(kActorAt, kActorBits), of(kWaveAt, kWaveBits),
                             of(kTimeAt, kTimeBits), base.first_site + of(kSiteAt, kSiteBits),
                             of(0, kLaneBits));
  if (of(kMeetsStoresAt, 1) != 0) record.set_meets_stores();
  return record;
}

}  // namespace

PackedAccess PackedAccess::of(const Record& record, AccessKind kind, bool is_ordered,
                              const CellBase& base) {
  Record first_lane = record;
  first_lane.set_lane(0);
  const bool is_write = kind == AccessKind::kWrite;
  if (is_atomic(kind) || !fits(record, base)) return {};
  return {packed(first_lane, is_write ? kWrite : kRead, base), is_write, is_ordered};
}

bool PackedCell::is_loaded_by_others(const PackedAccess& now) const {
  const auto actor = [](std::uint64_t word) { return field(word, kActorAt, kActorBits); };
  const std::uint64_t mine = actor(now.word), first = actor(words_[0]), other = actor(words_[1]);
  return words_[0] >> kSortAt == kRead && words_[1] >> kSortAt == kRead && first != mine &&
         other != mine && first != other;
}

bool PackedCell::pack(const Cell& cell, const CellBase& base) {
  std::array<std::uint64_t, 2> words = {};
  unsigned count = 0;
  const auto add = [&](const Record& record, Sort sort) {
    if (!record.present() || record.actor < base.first_actor) return true;
    if (count == words.size() || !fits(record, base)) return false;
    words[count++] = packed(record, sort, base);
    return true;
  };
  if (!add(cell.write, kWrite)) return false;
  const bool has_value = count != 0 && cell.value != 0;
  if (!add(cell.atomic, kAtomic) || !add(cell.other_atomic, kAtomic) || !add(cell.read, kRead) ||
      !add(cell.other_read, kRead)) {
    return false;
  }
  if (has_value) {
    if (count == words.size()) return false;
    words[count] = cell.value;
  }
  words_ = words;
  return true;
}

Cell PackedCell::unpack(const CellBase& base) const {
  Cell cell;
  for (const std::uint64_t word : words_) {
    switch (word >> kSortAt) {
      case kWrite: cell.write = unpacked(word, base); break;
      case kAtomic:
        (cell.atomic.present() ? cell.other_atomic : cell.atomic) = unpacked(word, base);
        break;
      case kRead: (cell.read.present() ? cell.other_read : cell.read) = unpacked(word, base); break;
      default: cell.value = static_cast<std::uint32_t>(word);
    }
  }
  return cell;
}

}  // namespace wavetank::check
