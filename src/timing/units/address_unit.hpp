// How the lanes of a vector memory instruction become cache line accesses, and how many cycles the
// address unit takes for them. Four consecutive lanes are a quad, the unit of work:
//
//   4-byte lanes   quads side by side merge, 64 bytes to a cycle, wherever they start
//   at one stride  a quad costs what was measured for the stride modulo 16 dwords
//   else a quad costs the worst of: distinct lines in a tag bank, distinct words in a data bank
//
// Reproduces the cycles that RRZE-HPC/gpu-benches gpu-strides measured on MI210 for dword strides 2
// to 64 and double strides 0 to 34.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::timing {

/// One access of the vector L1.
struct LineAccess {
  std::uint64_t address = 0;  ///< of the line
  std::uint32_t cycle = 0;    ///< after the instruction's first
  bool operator==(const LineAccess&) const = default;
};

/// One write request to the L2: up to 64 bytes.
struct WriteRequest {
  std::uint64_t address = 0;  ///< of the first sector
  std::uint8_t sectors = 0;   ///< 32-byte sectors touched, from the address on
  std::uint8_t bytes = 0;     ///< that the lanes write
  std::uint32_t cycle = 0;
  bool operator==(const WriteRequest&) const = default;
};

/// What one instruction asks of the L1.
struct AddressPlan {
  std::uint32_t cycles = 0;       ///< of the address unit
  std::uint32_t tag_lookups = 0;  ///< TCP_TOTAL_CACHE_ACCESSES
  std::uint32_t accesses = 0;     ///< TCP_TOTAL_ACCESSES
  std::uint32_t bytes = 0;        ///< that the lanes asked for
  std::uint32_t coalesced = 0;    ///< 1 if all quads merged fully
  std::vector<LineAccess> lines;
  std::vector<WriteRequest> writes;
  bool operator==(const AddressPlan&) const = default;
  void clear() {
    cycles = tag_lookups = accesses = bytes = coalesced = 0;
    lines.clear();
    writes.clear();
  }
  /// Lets all take so many times as long.
  void scale(double factor) {
    const auto scaled = [&](std::uint32_t& time) {
      time = static_cast<std::uint32_t>(time * factor + 0.5);
    };
    scaled(cycles);
    for (LineAccess& line : lines) scaled(line.cycle);
    for (WriteRequest& write : writes) scaled(write.cycle);
  }
};

/// Plans the lanes of `step` that are in memory (not in LDS). `line_bytes` is the L1's line.
void plan_accesses(const machine::Step& step, std::uint32_t line_bytes, bool write,
                   AddressPlan& plan);

}  // namespace wavetank::timing
