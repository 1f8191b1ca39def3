// Rows that nothing but a division uses: what a reader of code can tell one by.
#pragma once

#include "isa/row.hpp"

namespace wavetank::isa {

/// True for the steps of a division of floats or integers (CDNA3 ISA guide, V_DIV_SCALE_F32,
/// V_DIV_FMAS_F32, V_DIV_FIXUP_F32, V_RCP_IFLAG_F32: "used in integer division").
inline bool is_division_step(const Row& row) {
  switch (row.meaning) {
    case Meaning::kDivideScale:
    case Meaning::kDivideFuse:
    case Meaning::kDivideFixup:
    case Meaning::kReciprocalInteger: return true;
    default: return false;
  }
}

}  // namespace wavetank::isa
