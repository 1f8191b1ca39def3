// Vector skip mode, MODE[28] (LLVM's VSKIP_MASK, SIDefines.h): a wave passes over its vector
// instructions until the bit is 0 again (gem5's src/arch/amdgpu/vega/insts/sopc.cc, S_SETVSKIP: "no
// VOP*/M*BUF/MIMG/DS/FLAT/EXP instructions are issued"). Scalar ones are executed as ever. As it is
// not issued, what is passed over counts in neither vmcnt nor lgkmcnt.
#pragma once

#include "isa/row.hpp"

namespace wavetank::isa {

/// True for what a wave in that mode passes over.
constexpr bool is_skipped(const Row& row) {
  switch (row.encoding.format) {
    case Format::kSop1:
    case Format::kSop2:
    case Format::kSopk:
    case Format::kSopc:
    case Format::kSopp:
    case Format::kSmem: return false;
    default: return true;
  }
}

/// What such an instruction is to who follows the wave: it does nothing, in the instruction buffer.
inline constexpr Row kSkippedRow{.summary = "Is passed over.",
                                 .encoding = {Format::kSopp, 0},
                                 .shape = Shape::kControl,
                                 .unit = Unit::kInternal};

}  // namespace wavetank::isa
