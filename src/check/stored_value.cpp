#include "check/stored_value.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace wavetank::check {
namespace {

constexpr unsigned kMostBytes = 16;  ///< of a lane's store

/// The bytes that a lane stores.
std::array<std::byte, kMostBytes> data_of(const Instruction& now, unsigned lane) {
  const isa::MemoryShape& shape = now.facts.row->memory;
  const unsigned dwords = std::clamp<unsigned>(shape.data_dwords, 1, kMostBytes / 4);
  std::array<std::uint32_t, kMostBytes / 4> data = {};
  for (unsigned i = 0; i < dwords; ++i) {
    data[i] = now.wave.vgpr[std::size_t{64} * (now.facts.data + i) + lane];
  }
  if (shape.d16_high) data[0] >>= 16;
  std::array<std::byte, kMostBytes> bytes;
  std::memcpy(bytes.data(), data.data(), sizeof data);
  return bytes;
}

}  // namespace

bool stores_what_is_there(const Instruction& now, const LaneRange& range, std::uint64_t address,
                          unsigned bytes, const std::byte* base) {
  // Data of other sorts (a pair's second, converted, from LDS, of SGPRs) is not where this looks.
  const bool plain = now.facts.row->memory.special == isa::MemorySpecial::kNone &&
                     now.facts.space != machine::MemorySpace::kScalar;
  if (!plain || now.step.access_count != 1 || range.lane_bytes > kMostBytes) return false;
  const std::uint64_t begin = std::max(address, range.begin);
  const std::uint64_t end = std::min(address + bytes, range.end);
  for (std::uint64_t at = begin; at < end; ++at) {
    const std::byte there = base != nullptr ? base[at] : *reinterpret_cast<const std::byte*>(at);
    const std::uint64_t place = (at - range.begin) % range.lane_bytes;
    if (data_of(now, range.lane_at(at))[place] != there) return false;
  }
  return true;
}

}  // namespace wavetank::check
