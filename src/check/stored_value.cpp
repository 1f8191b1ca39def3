#include "check/stored_value.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace wavetank::check {
namespace {

constexpr unsigned kMostDwords = 4;  ///< of a lane's store

/// Scrambles a number at a place, so that sums of such tell places and numbers apart (the finalizer
/// is "lowbias32" of C. Wellons' hash prospector).
constexpr std::uint32_t scrambled(std::uint32_t number, std::uint32_t place) {
  std::uint32_t x = number ^ (place * 0x9e3779b9u);
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// The sum for `count` dwords, `step` dwords from each other.
#if defined(__x86_64__) && defined(__clang__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
std::uint32_t sum_of(const std::uint32_t* dwords, unsigned count, std::uint32_t place,
                     std::uint32_t step) {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += scrambled(dwords[i], place + step * i);
  return sum;
}

std::uint32_t never_zero(std::uint32_t value) { return value == 0 ? 1 : value; }

/// Up to four bytes at an address.
std::uint32_t bytes_at(const StoredRows& stored, const LaneRange& range, std::uint64_t address,
                       unsigned bytes) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    const std::uint64_t place = (address + i - range.begin) % range.lane_bytes;
    result |= std::uint32_t{stored_byte(stored, range.lane_at(address + i), place)} << 8 * i;
  }
  return result;
}

/// What value_of() gives for dwords of whole lanes.
std::uint32_t value_of_lanes(const StoredRows& stored, const LaneRange& range,
                             std::uint64_t address, unsigned bytes) {
  const unsigned lane_dwords = range.lane_bytes / 4;
  const unsigned lane = range.lane_at(address);
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < lane_dwords; ++i) {
    sum += sum_of(stored.rows + std::size_t{64} * i + lane, bytes / range.lane_bytes,
                  static_cast<std::uint32_t>(address / 4) + i, lane_dwords);
  }
  return never_zero(sum);
}

}  // namespace

std::uint8_t stored_byte(const StoredRows& stored, unsigned lane, std::uint64_t place) {
  if (stored.from_high_half) place += 2;
  const std::uint32_t dword = stored.rows[std::size_t{64} * (place / 4) + lane];
  return static_cast<std::uint8_t>(dword >> 8 * (place % 4));
}

StoredRows stored_rows(const machine::Wave& wave, const machine::StepFacts& facts,
                       const machine::Step& step, unsigned access) {
  const isa::MemoryShape& shape = facts.row->memory;
  const bool plain = shape.action == isa::MemoryAction::kStore &&
                     shape.special == isa::MemorySpecial::kNone &&
                     facts.space != machine::MemorySpace::kScalar && !facts.to_lds;
  if (!plain || step.access_bytes > 4 * kMostDwords) return {};
  const machine::RegisterRange& data = access == 0 ? facts.stored : facts.stored2;
  return {wave.vgpr + std::size_t{64} * data.first, std::min<unsigned>(data.count, kMostDwords),
          shape.d16_high};
}

StoredRows stored_rows(const machine::Wave& wave, const machine::StepFacts& facts,
                       const machine::Step& step) {
  return step.access_count == 1 ? stored_rows(wave, facts, step, 0) : StoredRows{};
}

std::uint32_t value_of(const StoredRows& stored, const LaneRange& range, std::uint64_t address,
                       unsigned bytes) {
  if (stored.dwords == 0) return 0;
  const auto place = static_cast<std::uint32_t>(address / 4);
  if (bytes < 4) {
    return never_zero(scrambled(bytes_at(stored, range, address, bytes), place + bytes));
  }
  const bool whole_lanes = range.lane_bytes % 4 == 0 &&
                           (address - range.begin) % range.lane_bytes == 0 &&
                           bytes % range.lane_bytes == 0;
  if (whole_lanes) return value_of_lanes(stored, range, address, bytes);
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < bytes; i += 4) {
    sum += scrambled(bytes_at(stored, range, address + i, 4), place + i / 4);
  }
  return never_zero(sum);
}

std::uint32_t value_in_memory(std::uint64_t address, unsigned bytes) {
  const auto place = static_cast<std::uint32_t>(address / 4);
  std::array<std::uint32_t, 32> dwords = {};
  std::memcpy(dwords.data(), reinterpret_cast<const void*>(address), bytes);
  if (bytes < 4) return never_zero(scrambled(dwords[0], place + bytes));
  return never_zero(sum_of(dwords.data(), bytes / 4, place, 1));
}

bool stores_what_is_there(const StoredRows& stored, const LaneRange& range, std::uint64_t address,
                          unsigned bytes, const std::byte* base) {
  if (stored.dwords == 0) return false;
  const std::uint64_t begin = std::max(address, range.begin);
  const std::uint64_t end = std::min(address + bytes, range.end);
  for (std::uint64_t at = begin; at < end; ++at) {
    if (bytes_at(stored, range, at, 1) != std::to_integer<std::uint8_t>(base[at])) return false;
  }
  return true;
}

}  // namespace wavetank::check
