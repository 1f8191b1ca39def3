// v_mbcnt_lo/hi_u32_b32 by strips: sorts rank their keys with them, and lane by lane they took most
// of a radix sort's time (docs/performance.md).
#include <array>
#include <limits>

#include "execute/registry.hpp"
#include "execute/vector/valu.hpp"
#include "execute/vector/vector_memory_pattern.hpp"
#include "isa/whole_wave.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

/// For each lane, the mask bits that count: those of the lanes before it, from kBegin on.
template <unsigned kBegin>
constexpr std::array<std::uint32_t, 64> below_lanes() {
  std::array<std::uint32_t, 64> masks = {};
  for (unsigned lane = kBegin + 1; lane < 64; ++lane) {
    const unsigned count = lane - kBegin;
    masks[lane] = count >= 32 ? std::numeric_limits<std::uint32_t>::max() : (1u << count) - 1;
  }
  return masks;
}

template <unsigned kBegin>
const Op* run_count_below(Wave& wave, const Op* op) {
  alignas(64) static constexpr std::array<std::uint32_t, 64> kBelow = below_lanes<kBegin>();
  const Words d;
  const std::uint64_t exec = wave.exec();
  const auto source = [&](unsigned index, unsigned lane) {
    if (op->kind[index] == Source::kVector) {
      return hn::Load(d, vector_at(wave, op->src[index]) + lane);
    }
    return hn::Set(d, static_cast<std::uint32_t>(uniform_bits<false>(wave, op, index)));
  };
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto bits = hn::And(source(0, lane), hn::Load(d, kBelow.data() + lane));
    const auto sum = hn::Add(hn::PopulationCount(bits), source(1, lane));
    hn::BlendedStore(sum, strip_mask(strip_bits(exec, lane)), d, vector_at(wave, op->dst) + lane);
  }
  return op + op->dwords;
}

constexpr auto kCounts = []<class Definition>() {
  // HandlerSet::exact stays the lane by lane handler of the table's own body.
  constexpr Handler handler = &run_count_below<Definition::Body::kFirstLane>;
  return HandlerSet{handler, handler, handler, nullptr};
};

}  // namespace

void append_lane_count(Entries& entries) {
  append(entries, isa::tables(isa::kLaneCounts), kCounts);
}

}  // namespace wavetank::execute::WAVETANK_HOST
