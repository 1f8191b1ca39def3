#include "profile/trace_stalls.hpp"

#include <algorithm>

namespace wavetank::profile {

bool is_stall(Reason reason) {
  switch (reason) {
    case Reason::kWaitValu:
    case Reason::kWaitMatrix:
    case Reason::kWaitFetch:
    case Reason::kNotPicked:
    case Reason::kSleep:
    case Reason::kEmpty: return false;
    default: return true;
  }
}

std::vector<SplitStall> split_stalls(const ThreadTrace& trace) {
  std::vector<std::uint64_t> ready;
  for (const TraceWave& wave : trace.waves) ready.push_back(wave.begin_cycle);
  std::vector<SplitStall> splits;
  for (const TraceIssue& issue : trace.issues) {
    SplitStall split{.before = issue.stall_cycles};
    if (issue.wave < ready.size()) {
      std::uint64_t& end = ready[issue.wave];
      split.before = std::min(split.before, issue.issue_cycle - std::min(end, issue.issue_cycle));
      split.after = issue.stall_cycles - split.before;
      end = issue.issue_cycle + issue.issue_cycles + split.after;
    }
    splits.push_back(split);
  }
  return splits;
}

}  // namespace wavetank::profile
