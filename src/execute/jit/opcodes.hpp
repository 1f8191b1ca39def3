// The vector instructions that compiled blocks use (Intel SDM, volume 2; names as there).
#pragma once

#include "execute/jit/assembler.hpp"

namespace wavetank::execute::jit {

inline constexpr Opcode kVaddps{1, 0, false, 0x58}, kVmulps{1, 0, false, 0x59},
    kVsubps{1, 0, false, 0x5c}, kVmaxps{1, 0, false, 0x5f}, kVdivps{1, 0, false, 0x5e},
    kVsqrtps{1, 0, false, 0x51}, kVrangeps{3, 1, false, 0x50}, kVrndscaleps{3, 1, false, 0x08},
    kVcmpps{1, 0, false, 0xc2}, kVfpclassps{3, 1, false, 0x66};
inline constexpr Opcode kVaddpd{1, 1, true, 0x58}, kVmulpd{1, 1, true, 0x59},
    kVdivpd{1, 1, true, 0x5e}, kVfmadd231pd{2, 1, true, 0xb8};

/// Fused multiply-adds; 213: dst = first * dst + last, 231: dst = first * last + dst. The variants
/// that negate the product or subtract the addend are at fixed distances.
inline constexpr Opcode kVfmadd213ps{2, 1, false, 0xa8}, kVfmadd231ps{2, 1, false, 0xb8};
inline constexpr std::uint8_t kSubtractsAddend = 2, kNegatesProduct = 4;

inline constexpr Opcode kVcvtdq2ps{1, 0, false, 0x5b}, kVcvtudq2ps{1, 3, false, 0x7a},
    kVcvttps2dq{1, 2, false, 0x5b}, kVcvttps2udq{1, 0, false, 0x78};

inline constexpr Opcode kVpaddd{1, 1, false, 0xfe}, kVpsubd{1, 1, false, 0xfa},
    kVpandd{1, 1, false, 0xdb}, kVpord{1, 1, false, 0xeb}, kVpxord{1, 1, false, 0xef},
    kVpandq{1, 1, true, 0xdb}, kVpxorq{1, 1, true, 0xef}, kVpmulld{2, 1, false, 0x40},
    kVpmuludq{1, 1, true, 0xf4}, kVpmuldq{2, 1, true, 0x28}, kVpminsd{2, 1, false, 0x39},
    kVpminud{2, 1, false, 0x3b}, kVpmaxsd{2, 1, false, 0x3d}, kVpmaxud{2, 1, false, 0x3f},
    kVpternlogd{3, 1, false, 0x25}, kVpternlogq{3, 1, true, 0x25}, kVpcmpd{3, 1, false, 0x1f},
    kVpcmpud{3, 1, false, 0x1e}, kVptestmd{2, 1, false, 0x27}, kVptestnmd{2, 2, false, 0x27},
    kVpmovd2m{2, 2, false, 0x39}, kVpblendmd{2, 1, false, 0x64};

/// Shifts: by each lane's amount, and by an immediate.
inline constexpr Opcode kVpsllvd{2, 1, false, 0x47}, kVpsrlvd{2, 1, false, 0x45},
    kVpsravd{2, 1, false, 0x46}, kVpslld{1, 1, false, 0x72, 6}, kVpsrld{1, 1, false, 0x72, 2},
    kVpsrad{1, 1, false, 0x72, 4}, kVpsllq{1, 1, true, 0x73, 6}, kVpsrlq{1, 1, true, 0x73, 2};

inline constexpr Opcode kVmovdqa32{1, 1, false, 0x6f}, kVpunpckldq{1, 1, false, 0x62},
    kVpunpckhdq{1, 1, false, 0x6a}, kVshufps{1, 0, false, 0xc6},
    kVpbroadcastd{2, 1, false, 0x58, -1, true}, kVpbroadcastq{2, 1, true, 0x59, -1, true};

/// Moves from and to memory that need not be aligned, and past the caches (aligned).
inline constexpr Opcode kVmovdqu32{1, 2, false, 0x6f}, kVmovdqu32Store{1, 2, false, 0x7f},
    kVmovntdq{1, 1, false, 0xe7};

/// Predicates of vcmpps, and of vpcmpd and vpcmpud.
inline constexpr std::uint8_t kOrdered = 0x07;
inline constexpr std::uint8_t kLess = 1, kEqual = 0;

}  // namespace wavetank::execute::jit
