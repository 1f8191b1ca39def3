// The list of all tables; whoever needs every definition walks it.
#pragma once

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
}

}  // namespace wavetank::isa
