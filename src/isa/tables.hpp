// All tables, by the lists that end their headers; whoever needs every definition walks them.
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

/// Calls visit(line) for every line of every table, in the order that row ids follow. The order of
/// tables, and of lines in them, means nothing: who looks for a row asks for facts that one row
/// has, and takes no first one of several.
template <class Visit>
constexpr void for_each_line(Visit visit) {
  const auto of = [&](const auto&... list) { (for_each_line(list, visit), ...); };
  of(kSopTables, kSoppTables);
  of(kVop1Tables, kVop2Tables, kVopcTables);
  of(kVop3FloatTables, kVop3IntegerTables, tables(kVop3Sums), kVop3pTables, kMatrixTables);
  of(kWholeWaveTables);
  of(kSmemTables, kDsTables, kFlatTables, kMubufTables, kMimgTables, kAtomicTables);
}

}  // namespace wavetank::isa
