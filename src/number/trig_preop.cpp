#include "number/round.hpp"
#include "number/transcendental.hpp"
#include "number/two_over_pi.hpp"

namespace wavetank::number {
namespace {

/// 64 bits of the fraction from bit `first` (0 is the top) on.
std::uint64_t fraction_word(unsigned first) {
  const unsigned word = first / 64, offset = first % 64;
  return kTwoOverPi[word] << offset | kTwoOverPi[word + 1] >> 1 >> (63 - offset);
}

}  // namespace

f64 trig_preop(f64 a, std::uint32_t segment) {
  const int field = exponent_field(a);
  int shift = static_cast<int>(segment % kSegments) * kSegmentBits;
  if (field > kFirstBitsField) shift += field - kFirstBitsField;
  const std::uint64_t bits = fraction_word(static_cast<unsigned>(shift)) >> (64 - kSegmentBits);
  const int scale = -kSegmentBits - shift + (field >= kRescaledField ? kRescaling : 0);
  return round_to<f64>(false, scale, bits, {});
}

}  // namespace wavetank::number
