#include "execute/scalar_use.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "isa/catalogue.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute {
namespace {

using machine::RegisterRange;
using machine::StepFacts;

template <class Ranges>
bool any_overlaps(const Ranges& ranges, const RegisterRange& wanted) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const RegisterRange& range) { return range.overlaps(wanted); });
}

/// Looks for a reader of one scalar register, from a slot on.
class Reader {
 public:
  Reader(const ProgramOps& program, const FactsOf& facts_of, unsigned scalar)
      : program_(program), facts_of_(facts_of), wanted_{static_cast<std::uint16_t>(scalar), 1} {}

  bool exists(std::size_t from) {
    reach(from);
    while (!pending_.empty()) {
      const std::size_t slot = pending_.back();
      pending_.pop_back();
      const StepFacts facts = facts_of_(slot);
      if (!is_known(slot) || facts.row == nullptr || facts.row->indirect_flow) return true;
      if (any_overlaps(facts.scalar_reads, wanted_)) return true;
      if (any_overlaps(facts.scalar_writes, wanted_)) continue;
      follow(slot, *facts.row);
    }
    return false;
  }

 private:
  bool is_known(std::size_t slot) const {
    return std::binary_search(program_.slots.begin(), program_.slots.end(), slot);
  }
  void reach(std::size_t slot) {
    if (seen_.insert(slot).second) pending_.push_back(slot);
  }
  void follow(std::size_t slot, const isa::Row& row) {
    const Op& op = program_.ops[slot];
    if (row.pause == isa::Pause::kEnd) return;
    const std::size_t next = slot + op.dwords;
    if (!row.ends_flow(op.immediate)) reach(next);
    if (isa::branches(row)) {
      reach(static_cast<std::size_t>(static_cast<std::int64_t>(next) + op.branch));
    }
  }

  const ProgramOps& program_;
  const FactsOf& facts_of_;
  const RegisterRange wanted_;
  std::set<std::size_t> seen_;
  std::vector<std::size_t> pending_;
};

}  // namespace

std::uint8_t unread_dwords(const ProgramOps& program, const FactsOf& facts_of, std::size_t load) {
  const isa::Row& row = isa::catalogue()[program.ops[load].row];
  if (row.encoding.format != isa::Format::kSmem || row.memory.action != isa::MemoryAction::kLoad) {
    return 0;
  }
  const RegisterRange result = facts_of(load).scalar_writes.range[0];
  const std::size_t behind = load + program.ops[load].dwords;
  std::uint8_t unread = 0;
  while (unread < result.count &&
         !Reader(program, facts_of, result.first + result.count - 1u - unread).exists(behind)) {
    ++unread;
  }
  return unread;
}

}  // namespace wavetank::execute
