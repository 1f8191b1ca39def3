// What V_TRIG_PREOP_F64 holds of 2/pi, and which of it an argument and a segment ask for (CDNA3 ISA
// guide, V_TRIG_PREOP_F64).
#pragma once

#include <array>
#include <cstdint>

namespace wavetank::number {

/// The first 1201 bits of the fraction 2/pi, top bit first, then zeros as far as any argument
/// reaches. floor(2/pi * 2^1201) << 15.
inline constexpr std::array<std::uint64_t, 42> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};

/// Segments, and the bits of one.
inline constexpr std::uint32_t kSegments = 32;
inline constexpr int kSegmentBits = 53;
/// The exponent field up to which an argument is asked for the first bits; with each more they
/// begin one further on.
inline constexpr int kFirstBitsField = 1077;
/// Arguments from this field on have results 2^128 times as large, which are no denormals then.
inline constexpr int kRescaledField = 1968, kRescaling = 128;

}  // namespace wavetank::number
