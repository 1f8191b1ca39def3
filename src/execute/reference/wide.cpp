#include <array>
#include <cstddef>
#include <cstring>

#include "execute/reference/families.hpp"
#include "isa/vop3_integer.hpp"
#include "number/integer.hpp"
#include "number/sad.hpp"

namespace wavetank::execute::reference {
namespace {

using machine::Wave;
using Sums = std::array<std::uint32_t, 4>;

/// The first `dwords` registers of a source.
Sums source(const Wave& wave, const Op* op, unsigned index, unsigned dwords, unsigned lane) {
  Sums value = {};
  if (op->kind[index] == Source::kConstant) {
    std::memcpy(value.data(), &op->constant[index], 8);
  } else if (op->kind[index] == Source::kScalar) {
    std::memcpy(value.data(), reinterpret_cast<const std::byte*>(&wave) + op->src[index],
                4 * dwords);
  } else {
    for (unsigned i = 0; i < dwords; ++i) {
      value[i] = wave.vgpr[op->src[index] / 4 + std::size_t{64} * i + lane];
    }
  }
  return value;
}

/// v_mqsad_u32_u8; clamp stops each sum at the largest u32.
const Op* run_mqsad(Wave& wave, const Op* op) {
  const std::uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if (((exec >> lane) & 1) == 0) continue;
    const Sums window = source(wave, op, 0, 2, lane);
    const std::uint64_t bytes = window[0] | (std::uint64_t{window[1]} << 32);
    const std::uint32_t reference = source(wave, op, 1, 1, lane)[0];
    const Sums start = source(wave, op, 2, 4, lane);
    Sums sums = number::mqsad_u32_u8(bytes, reference, op->clamp ? Sums{} : start);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (op->clamp) sums[i] = number::add_saturate(sums[i], start[i]);
      wave.vgpr[op->dst / 4 + 64 * i + lane] = sums[i];
    }
  }
  return op + op->dwords;
}

constexpr auto kMqsad = []<class Definition>() {
  return HandlerSet{run_mqsad, run_mqsad, run_mqsad, run_mqsad};
};

}  // namespace

void append_wide(Entries& entries) { append(entries, isa::tables(isa::kVop3Sums), kMqsad); }

}  // namespace wavetank::execute::reference
