// The list of all tables; whoever needs every definition walks it.
#pragma once

#include "isa/ds.hpp"
#include "isa/flat.hpp"
#include "isa/mubuf.hpp"
#include "isa/smem.hpp"
#include "isa/sop.hpp"
#include "isa/sopp.hpp"
#include "isa/vop2.hpp"
#include "isa/whole_wave.hpp"

namespace wavetank::isa {

/// Calls visit(table) for every table, in the order that row ids follow.
template <class Visit>
constexpr void for_each_table(Visit visit) {
  visit(kSop2), visit(kSop1), visit(kSop1Exec), visit(kSopc), visit(kSopk);
  visit(kSoppFlow), visit(kProgramCounter);
  visit(kVop2Float), visit(kVop2Integer);
  visit(kCrossLane);
  visit(kScalarLoads), visit(kScalarStores), visit(kScalarCaches);
  visit(kScalarAtomics), visit(kScalarBufferAtomics);
  visit(kLdsReads), visit(kLdsWrites), visit(kLdsAtomics32), visit(kLdsReturningAtomics32);
  visit(kLdsAtomics64), visit(kLdsReturningAtomics64), visit(kLdsPackedAndCounters);
  visit(kLdsExchange);
  visit(kFlatLoads), visit(kFlatStores), visit(kFlatAtomics), visit(kFlatFloatAtomics);
  visit(kLoadsToLds);
  visit(kBufferLoads), visit(kBufferStores), visit(kBufferAtomics), visit(kBufferFloatAtomics);
  visit(kBufferCaches), visit(kBufferFormats), visit(kTypedBufferFormats);
}

}  // namespace wavetank::isa
