// Exchanges between lanes, as the host sees them. A wave of the last part of a workgroup may have
// fewer than 64 lanes; the others are inactive.
#pragma once

#include "random/arithmetic.hpp"

constexpr u32 kWave = 64;

// How many lanes of the wave of work-item `thread` exist in a workgroup of `threads`.
RANDOM_FN u32 lanes_of(u32 thread, u32 threads) {
  const u32 left = threads - thread / kWave * kWave;
  return left < kWave ? left : kWave;
}

// The lane that feeds `lane` under a DPP control, or `lane` itself when the source does not exist
// (bound_ctrl off and old = own value). Control values as in the CDNA2 ISA, section 12.14.
inline u32 dpp_candidate(u32 control, u32 lane) {
  const u32 row = lane & ~15u, in_row = lane & 15;
  if (control <= 0xff) return (lane & ~3u) + ((control >> (2 * (lane & 3))) & 3);
  const u32 amount = control & 15;
  if (control >= 0x101 && control <= 0x10f) return in_row + amount < 16 ? lane + amount : lane;
  if (control >= 0x111 && control <= 0x11f) return in_row >= amount ? lane - amount : lane;
  if (control >= 0x121 && control <= 0x12f) return row + ((in_row - amount) & 15);
  if (control == 0x130) return lane + 1 < kWave ? lane + 1 : lane;          // wave_shl:1
  if (control == 0x134) return (lane + 1) % kWave;                          // wave_rol:1
  if (control == 0x138) return lane > 0 ? lane - 1 : lane;                  // wave_shr:1
  if (control == 0x13c) return (lane + kWave - 1) % kWave;                  // wave_ror:1
  if (control == 0x140) return row + 15 - in_row;                           // row_mirror
  if (control == 0x141) return (lane & ~7u) + 7 - (lane & 7);               // row_half_mirror
  if (control == 0x142) return lane >= 16 ? row - 1 : lane;                 // row_bcast:15
  return lane >= 32 ? 31 : lane;                                            // row_bcast:31
}
inline u32 dpp_source(u32 control, u32 lane, u32 lanes) {
  const u32 source = dpp_candidate(control, lane);
  return source < lanes ? source : lane;
}

// The lane that feeds `lane` under a ds_swizzle_b32 pattern in bit-mask mode.
inline u32 swizzle_source(u32 pattern, u32 lane) {
  const u32 in_group = lane & 31;
  return (lane & 32) |
         (((in_group & (pattern & 31)) | ((pattern >> 5) & 31)) ^ ((pattern >> 10) & 31));
}
