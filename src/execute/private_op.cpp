#include "execute/private_op.hpp"

#include "execute/invalid_op.hpp"
#include "execute/skipped_op.hpp"
#include "isa/row.hpp"

namespace wavetank::execute {

bool is_private_branch(const Op& op) {
  if (op.run == nullptr || op.run == run_invalid) return false;
  return row_of(op).sources[0].immediate == isa::ImmediateKind::kBranch;
}

bool is_private(const Op& op) {
  if (op.run == nullptr || op.run == run_invalid) return false;
  if (op.run == run_skipped) return true;
  const isa::Row& row = row_of(op);
  if (row.pause == isa::Pause::kWait) return true;
  if (row.memory.action != isa::MemoryAction::kNone || row.indirect_flow) return false;
  if (row.pause != isa::Pause::kNone || row.indexing != isa::RegisterIndexing::kNone) return false;
  if (row.sources[0].immediate == isa::ImmediateKind::kBranch) return false;
  return row.unit == isa::Unit::kValu || row.unit == isa::Unit::kMatrix ||
         row.unit == isa::Unit::kSalu;
}

}  // namespace wavetank::execute
