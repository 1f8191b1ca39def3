// ds_swizzle_b32 and ds_bpermute_b32: each lane reads a lane. Inactive lanes send 0.
#include "execute/registry.hpp"
#include "execute/vector/vector_memory_pattern.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

using isa::MemorySpecial;

/// Words of a strip's lanes, stored for the active ones. What is stored whole, the next load has
/// from the host's store buffer.
HWY_INLINE void store_active(hn::Vec<Words> values, std::uint32_t* to, unsigned lane,
                             std::uint64_t exec) {
  if (HWY_LIKELY(exec == kAllLanes)) {
    hn::Store(values, Words(), to + lane);
  } else {
    hn::BlendedStore(values, strip_mask(strip_bits(exec, lane)), Words(), to + lane);
  }
}

/// to[l] = from[lane] for active lanes, where the lower six bits of source_of(strip)'s words are
/// the lanes. A strip's sources are asked for before it is stored.
template <class SourceOf>
HWY_INLINE void permute(const std::uint32_t* from, SourceOf source_of, std::uint32_t* to,
                        std::uint64_t exec) {
#if defined(__AVX512F__)
  const __m512i a = _mm512_load_si512(from), b = _mm512_load_si512(from + 16);
  const __m512i c = _mm512_load_si512(from + 32), e = _mm512_load_si512(from + 48);
  for (unsigned lane = 0; lane < 64; lane += 16) {
    const __m512i source = source_of(lane).raw;
    const __mmask16 upper = _mm512_test_epi32_mask(source, _mm512_set1_epi32(32));
    const __m512i low_half = _mm512_permutex2var_epi32(a, source, b);
    const __m512i high_half = _mm512_permutex2var_epi32(c, source, e);
    const __m512i values = _mm512_mask_blend_epi32(upper, low_half, high_half);
    store_active(hn::Vec<Words>{values}, to, lane, exec);
  }
#else
  alignas(64) std::uint32_t sources[64], values[64];
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    hn::Store(source_of(lane), Words(), sources + lane);
  }
  for (unsigned lane = 0; lane < 64; ++lane) values[lane] = from[sources[lane] & 63];
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    store_active(hn::Load(Words(), values + lane), to, lane, exec);
  }
#endif
}

/// What lanes send: inactive ones 0. Gives `from` or a copy in `sent`.
HWY_INLINE const std::uint32_t* sent_by(const std::uint32_t* from, std::uint64_t exec,
                                        std::uint32_t* sent) {
  if (HWY_LIKELY(exec == kAllLanes)) return from;
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto active = strip_mask(strip_bits(exec, lane));
    hn::Store(hn::IfThenElseZero(active, hn::Load(Words(), from + lane)), Words(), sent + lane);
  }
  return sent;
}

const Op* run_backward_permute(Wave& wave, const Op* op) {
  const Words d;
  const std::uint64_t exec = wave.exec();
  const std::uint32_t* const address = wave.vector(op->memory.address);
  const auto offset = hn::Set(d, static_cast<std::uint32_t>(op->memory.offset));
  alignas(64) std::uint32_t sent[64];
  const auto source_of = [&](unsigned lane) {
    return hn::ShiftRight<2>(hn::Add(hn::Load(d, address + lane), offset));
  };
  permute(sent_by(wave.vector(op->memory.data), exec, sent), source_of,
          wave.vector(op->memory.result), exec);
  return op + op->dwords;
}

/// The lane that `lane` reads in FFT and rotate mode (CDNA3 ISA guide, DS_SWIZZLE_B32), within its
/// half of the wave.
unsigned swizzle_source(unsigned pattern, unsigned lane) {
  const unsigned low = lane & 31, half = lane & 32, mask = pattern & 31;
  if (pattern >= 0xe000) {
    if (mask == 31) return lane;
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= ((low >> bit) & 1) << (4 - bit);
    return half | (reversed >> __builtin_popcount(mask)) | (low & mask);
  }
  const unsigned amount = (pattern >> 5) & 31;
  const unsigned turned = (pattern & 0x400) != 0 ? low - amount : low + amount;
  return half | (((low & mask) | (turned & ~mask)) & 31);
}

/// Source lanes of a pattern: bit masks within 32 lanes, quads, or the rarer modes.
HWY_INLINE void swizzle_lanes(unsigned pattern, std::uint32_t* lanes) {
  const Words d;
  const bool masks = (pattern & 0x8000) == 0, quads = !masks && pattern < 0xc000;
  alignas(16) const std::uint32_t quad[4] = {pattern & 3, (pattern >> 2) & 3, (pattern >> 4) & 3,
                                             (pattern >> 6) & 3};
  const auto keep = hn::Set(d, pattern & 31), set = hn::Set(d, (pattern >> 5) & 31);
  const auto flip = hn::Set(d, (pattern >> 10) & 31);
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto own = hn::Iota(d, lane);
    if (masks) {
      const auto source = hn::Xor(hn::Or(hn::And(own, keep), set), flip);
      hn::Store(hn::Or(hn::And(own, hn::Set(d, 32u)), source), d, lanes + lane);
    } else if (quads) {
      hn::Store(hn::Or(hn::And(own, hn::Set(d, 60u)), hn::LoadDup128(d, quad)), d, lanes + lane);
    } else {
      for (unsigned l = lane; l < lane + kStrip; ++l) lanes[l] = swizzle_source(pattern, l);
    }
  }
}

const Op* run_swizzle(Wave& wave, const Op* op) {
  const std::uint64_t exec = wave.exec();
  alignas(64) std::uint32_t sent[64], lanes[64];
  swizzle_lanes(static_cast<unsigned>(op->memory.offset) & 0xffff, lanes);
  const auto source_of = [&](unsigned lane) { return hn::Load(Words(), lanes + lane); };
  permute(sent_by(wave.vector(op->memory.address), exec, sent), source_of,
          wave.vector(op->memory.result), exec);
  return op + op->dwords;
}

}  // namespace

void append_lane_exchange(Entries& entries) {
  append_rows(entries, [](const isa::Row& row) -> Handler {
    switch (row.memory.special) {
      case MemorySpecial::kSwizzle: return run_swizzle;
      case MemorySpecial::kBackwardPermute: return run_backward_permute;
      default: return nullptr;
    }
  });
}

}  // namespace wavetank::execute::WAVETANK_HOST
