// The list of all tables; whoever needs every definition walks it.
#pragma once

#include "isa/atomic_rows.hpp"
#include "isa/ds.hpp"
#include "isa/flat.hpp"
#include "isa/mfma.hpp"
#include "isa/mimg.hpp"
#include "isa/mubuf.hpp"
#include "isa/smem.hpp"
#include "isa/sop.hpp"
#include "isa/sopp.hpp"
#include "isa/vop1.hpp"
#include "isa/vop2.hpp"
#include "isa/vop3_float.hpp"
#include "isa/vop3_integer.hpp"
#include "isa/vop3p.hpp"
#include "isa/vopc.hpp"
#include "isa/whole_wave.hpp"

namespace wavetank::isa {

/// Calls visit(table) for every table, in the order that row ids follow.
template <class Visit>
constexpr void for_each_table(Visit visit) {
  visit(kSop2), visit(kSop1), visit(kSop1Exec), visit(kSopc), visit(kSopk);
  visit(kSoppFlow), visit(kProgramCounter);
  visit(kVop1Move), visit(kVop1Convert), visit(kVop1Round), visit(kVop1Function);
  visit(kVop1Half), visit(kVop1Fp8);
  visit(kVop2Float), visit(kVop2Multiply), visit(kVop2Integer), visit(kVop2Carry);
  visit(kVop2Multiply24), visit(kVop2Half), visit(kVop2Short), visit(kVop2Dot), visit(kVop2Packed);
  visit(kVopcClass), visit(kVopcClassExec), visit(kVopcF16), visit(kVopcF16Exec);
  visit(kVopcF32), visit(kVopcF32Exec), visit(kVopcF64), visit(kVopcF64Exec);
  visit(kVopcI16), visit(kVopcI16Exec), visit(kVopcU16), visit(kVopcU16Exec);
  visit(kVopcI32), visit(kVopcI32Exec), visit(kVopcU32), visit(kVopcU32Exec);
  visit(kVopcI64), visit(kVopcI64Exec), visit(kVopcU64), visit(kVopcU64Exec);
  visit(kVop3Float), visit(kVop3Divide), visit(kVop3Rare), visit(kVop3Half), visit(kVop3Pack);
  visit(kVop3Fp8), visit(kVop3Bits), visit(kVop3Wide), visit(kVop3Multiply), visit(kVop3Select);
  visit(kVop3Short), visit(kVop3Sad), visit(kVop3Sums);
  visit(kVop3pFloat), visit(kVop3pInteger), visit(kVop3pMixed), visit(kVop3pDot);
  visit(kMfmaCdna2), visit(kMfmaCdna3), visit(kMfmaFp8), visit(kSmfmac);
  visit(kCrossLane), visit(kLaneCounts);
  visit(kScalarLoads), visit(kScalarStores), visit(kScalarCaches);
  visit(kScalarAtomics), visit(kScalarBufferAtomics);
  visit(kLdsReads), visit(kLdsWrites), visit(kLdsAtomics), visit(kLdsPairsAndCounters);
  visit(kLdsExchange);
  visit(kFlatLoads), visit(kFlatStores), visit(kFlatAtomics);
  visit(kLoadsToLds);
  visit(kBufferLoads), visit(kBufferStores), visit(kBufferAtomics);
  visit(kBufferCaches), visit(kBufferFormats), visit(kTypedBufferFormats);
  visit(kImageAccess), visit(kImageAtomics);
}

}  // namespace wavetank::isa
