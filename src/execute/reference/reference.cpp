// The exact handlers of all per-lane rows.
#include "execute/reference/lane_row.hpp"
#include "isa/vop1.hpp"
#include "isa/vop2.hpp"
#include "isa/vop3_float.hpp"
#include "isa/vop3_integer.hpp"
#include "isa/vop3p.hpp"
#include "isa/vopc.hpp"

namespace wavetank::execute {
namespace {

constexpr auto kSums = []<class Definition>() {
  return HandlerSet{.usual = reference::run_mqsad, .exact = reference::run_mqsad};
};

}  // namespace

void append_reference(Entries& entries) {
  append(entries, isa::kVop1Tables, reference::kExact);
  append(entries, isa::kVop2Tables, reference::kExact);
  append(entries, isa::kVopcTables, reference::kExact);
  append(entries, isa::kVop3FloatTables, reference::kExact);
  append(entries, isa::kVop3IntegerTables, reference::kExact);
  append(entries, isa::kVop3pTables, reference::kExact);
  append(entries, isa::tables(isa::kVop3Sums), kSums);
}

}  // namespace wavetank::execute
