#include "check/lane_conflict.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "check/stored_value.hpp"

namespace wavetank::check {
namespace {

/// True if it shows at once that no two lanes touch the same byte.
bool lie_apart(const std::vector<LaneRange>& ranges, std::uint64_t lanes, unsigned lane_bytes) {
  std::uint64_t bytes = 0, end = 0;
  for (const LaneRange& range : ranges) {
    if (range.begin < end) return false;
    end = range.end;
    bytes += range.end - range.begin;
  }
  return bytes == std::uint64_t{lane_bytes} * static_cast<unsigned>(std::popcount(lanes));
}

struct Place {
  std::uint64_t address = 0;
  unsigned lane = 0;
  bool operator<(const Place& other) const {
    return address != other.address ? address < other.address : lane < other.lane;
  }
};

/// The first byte of two that overlap, the second not before the first, on which they disagree.
std::optional<std::uint64_t> first_difference(const StoredRows& stored, const Place& a,
                                              const Place& b, unsigned lane_bytes) {
  for (std::uint64_t at = b.address; at < a.address + lane_bytes; ++at) {
    if (stored_byte(stored, a.lane, at - a.address) != stored_byte(stored, b.lane, at - b.address))
      return at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LaneConflict> find_lane_conflict(const Instruction& now, std::uint64_t lanes,
                                               const std::vector<LaneRange>& ranges) {
  const unsigned bytes = now.step.access_bytes;
  if (lie_apart(ranges, lanes, bytes)) return std::nullopt;
  const StoredRows stored = stored_rows(now.wave, now.facts, now.step);
  if (stored.dwords == 0) return std::nullopt;
  std::array<Place, 64> places;
  std::size_t count = 0;
  for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    places[count++] = {now.step.address[lane], lane};
  }
  std::sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 1; i < count; ++i) {
    if (const auto at = first_difference(stored, places[i - 1], places[i], bytes)) {
      return LaneConflict{places[i - 1].lane, places[i].lane, *at};
    }
  }
  return std::nullopt;
}

}  // namespace wavetank::check
