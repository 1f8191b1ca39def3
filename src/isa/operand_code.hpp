// Operand codes, the numbers by which instructions name registers and constants (CDNA3 ISA guide,
// "SSRC0" and "VSRC" tables): 0-101 SGPR, 102 FLAT_SCRATCH, 104 XNACK_MASK, 106 VCC, 108-123 TTMP,
// 124 M0, 126 EXEC, 128-208 integers, 235-238 apertures, 240-248 floats, 251 VCCZ, 252 EXECZ, 253
// SCC, 255 literal, 256-511 VGPR. Codes below 128 are also the places of the scalar file.
#pragma once

#include <cstdint>

namespace wavetank::isa::operand {

inline constexpr std::uint16_t kSgprCount = 102;
/// The integers: 0 to 64, then -1 to -16.
inline constexpr std::uint16_t kIntegerMost = 192, kIntegerLast = 208;
inline constexpr std::uint16_t kFlatScratch = 102, kXnackMask = 104, kVcc = 106, kTtmp0 = 108;
inline constexpr std::uint16_t kM0 = 124, kExec = 126, kIntegerZero = 128, kSharedBase = 235;
inline constexpr std::uint16_t kSharedLimit = 236, kPrivateBase = 237, kPrivateLimit = 238;
inline constexpr std::uint16_t kFloatHalf = 240, kInverseTwoPi = 248, kSdwa = 249, kDpp = 250;
inline constexpr std::uint16_t kVccz = 251, kExecz = 252, kScc = 253, kLdsDirect = 254;
inline constexpr std::uint16_t kLiteral = 255, kVgpr0 = 256;
/// AccVGPRs (the ACC bit of memory and matrix encodings) continue after the
/// ArchVGPRs.
inline constexpr std::uint16_t kAgpr0 = 512;
inline constexpr std::uint16_t kNone = 0xffff;
/// Registers of the scalar file, special ones included.
inline constexpr std::uint16_t kScalarFile = kIntegerZero;

constexpr bool is_vgpr(std::uint16_t code) { return code >= kVgpr0 && code < 2 * kVgpr0; }
constexpr bool is_agpr(std::uint16_t code) { return code >= kAgpr0 && code < kAgpr0 + 256; }
constexpr bool is_vector(std::uint16_t code) { return is_vgpr(code) || is_agpr(code); }

}  // namespace wavetank::isa::operand
