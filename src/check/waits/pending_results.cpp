#include "check/waits/pending_results.hpp"

#include <algorithm>

namespace wavetank::check {

using machine::StepFacts;

namespace {

template <class Writes, class Others>
bool overlap(const Writes& writes, const Others& others) {
  for (const machine::RegisterRange& write : writes) {
    for (const machine::RegisterRange& other : others) {
      if (write.overlaps(other)) return true;
    }
  }
  return false;
}

}  // namespace

bool needs_result(const StepFacts& first, const StepFacts& second) {
  if (overlap(first.vector_writes, second.vector_reads) ||
      overlap(first.scalar_writes, second.scalar_reads)) {
    return true;
  }
  if (first.port == second.port && is_in_order(first)) return false;
  return overlap(first.vector_writes, second.vector_writes) ||
         overlap(first.scalar_writes, second.scalar_writes);
}

const StepFacts* PendingResults::find(const StepFacts& facts) {
  if (pending_.empty()) return nullptr;
  const auto found = std::ranges::find_if(
      pending_, [&](const Pending& pending) { return needs_result(*pending.facts, facts); });
  if (found == pending_.end()) return nullptr;
  const StepFacts* const first = found->facts;
  pending_.erase(found);
  return first;
}

void PendingResults::issue(const StepFacts& facts, bool in_lds) {
  if (facts.is_waitcnt) {
    wait(vector_memory_, Counter::kVmcnt, facts.vmcnt_limit);
    wait(scalar_and_lds_, Counter::kLgkmcnt, facts.lgkmcnt_limit);
    return;
  }
  const Counter counter = counter_of(facts, in_lds);
  if (counter == Counter::kNone) return;
  Issued& issued = counter == Counter::kVmcnt ? vector_memory_ : scalar_and_lds_;
  ++issued.count;
  const bool usual = counter == Counter::kVmcnt || facts.port == machine::Port::kLds;
  if (!usual) issued.last_out_of_order = issued.count;
  if (!facts.returns) return;
  std::erase_if(pending_, [&](const Pending& pending) { return pending.facts == &facts; });
  pending_.push_back({&facts, counter, issued.count});
}

/// At most `limit` instructions of a counter are still under way; which ones is known if all of
/// them finish in order.
void PendingResults::wait(Issued& issued, Counter counter, unsigned limit) {
  if (limit != 0 && issued.last_out_of_order > issued.done) return;
  issued.done = std::max(issued.done, issued.count - std::min<std::uint64_t>(limit, issued.count));
  std::erase_if(pending_, [&](const Pending& pending) {
    return pending.counter == counter && pending.number <= issued.done;
  });
}

}  // namespace wavetank::check
