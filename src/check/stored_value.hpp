// What a store writes, to tell whether two stores write the same.
#pragma once

#include <cstdint>

#include "check/lane_ranges.hpp"
#include "machine/step.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// The data of a store's lanes: registers of 64 dwords. Without dwords: not known, since it comes
/// from elsewhere (conversions, LDS, SGPRs).
struct StoredRows {
  const std::uint32_t* rows = nullptr;
  unsigned dwords = 0;
  bool from_high_half = false;  ///< a lane's bytes are the upper ones of its dword
};

/// What one access of a plain store of these facts is about to write.
StoredRows stored_rows(const machine::Wave& wave, const machine::StepFacts& facts,
                       const machine::Step& step, unsigned access);
/// The same of a store that has one access; nothing of others.
StoredRows stored_rows(const machine::Wave& wave, const machine::StepFacts& facts,
                       const machine::Step& step);

/// A byte that a lane stores, `place` bytes from the first of them. Only where there are dwords.
std::uint8_t stored_byte(const StoredRows& stored, unsigned lane, std::uint64_t place);

/// A number for the bytes [address, address + bytes) that the lanes of `range` store, which lie in
/// it; equal for equal bytes in the same place, and else different but for one case in 2^32. 0 if
/// it is not known. `bytes` is 1, 2 or a multiple of 4 at an address that is one.
std::uint32_t value_of(const StoredRows& stored, const LaneRange& range, std::uint64_t address,
                       unsigned bytes);
/// The same for bytes of this process's memory.
std::uint32_t value_in_memory(std::uint64_t address, unsigned bytes);

/// True if the lanes of a range store in [address, address + bytes) what is there already.
/// `base` is what addresses count from.
bool stores_what_is_there(const StoredRows& stored, const LaneRange& range, std::uint64_t address,
                          unsigned bytes, const std::byte* base);

}  // namespace wavetank::check
