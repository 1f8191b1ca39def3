#include <array>

#include "number/round.hpp"
#include "number/transcendental.hpp"

namespace wavetank::number {
namespace {

/// The first 1201 bits of the fraction 2/pi, top bit first, then zeros: as many as V_TRIG_PREOP_F64
/// holds. floor(2/pi * 2^1201) << 15.
constexpr std::array<std::uint64_t, 19> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};

/// 64 bits of the fraction from bit `first` (0 is the top) on.
std::uint64_t fraction_word(unsigned first) {
  const auto word = [](unsigned index) {
    return index < kTwoOverPi.size() ? kTwoOverPi[index] : 0;
  };
  const unsigned offset = first % 64;
  const std::uint64_t high = word(first / 64) << offset;
  return offset == 0 ? high : high | (word(first / 64 + 1) >> (64 - offset));
}

}  // namespace

f64 trig_preop(f64 a, std::uint32_t segment) {
  constexpr int kBits = 53;
  constexpr int kFirstShiftedExponent = 1077;
  constexpr int kRescaledExponent = 1968;
  const int field = exponent_field(a);
  int shift = static_cast<int>(segment & 31) * kBits;
  if (field > kFirstShiftedExponent) shift += field - kFirstShiftedExponent;
  const std::uint64_t bits = fraction_word(static_cast<unsigned>(shift)) >> (64 - kBits);
  const int scale = -kBits - shift + (field >= kRescaledExponent ? 128 : 0);
  return round_to<f64>(false, scale, bits, {});
}

}  // namespace wavetank::number
