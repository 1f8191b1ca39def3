#include "check/waits/wait_check.hpp"

namespace wavetank::check {

using machine::StepFacts;
using machine::Wave;

Finding WaitCheck::finding(const Wave& wave, Kind kind, const StepFacts& first,
                           const StepFacts& second) const {
  Finding finding;
  finding.kind = kind;
  finding.first = {first.index, AccessKind::kWrite, group_, wave.id_in_group, 0};
  finding.second = {second.index, AccessKind::kRead, group_, wave.id_in_group, 0};
  return finding;
}

void WaitCheck::on_instruction(const Wave& wave, const StepFacts& facts, bool in_lds,
                               const machine::WaitStates& states, Findings& findings) {
  OfWave& mine = waves_[wave.id_in_group];
  if (const StepFacts* const first = mine.pending.find(facts)) {
    findings.add(finding(wave, Kind::kMissingWait, *first, facts));
  }
  if (const TooClose close = mine.recent.find(facts, states); close.first != nullptr) {
    Finding found = finding(wave, Kind::kMissingWaitStates, *close.first, facts);
    found.wait_states_wanted = close.wanted;
    found.wait_states_found = close.found;
    findings.add(found);
  }
  mine.pending.issue(facts, in_lds);
  mine.recent.issue(facts);
}

}  // namespace wavetank::check
