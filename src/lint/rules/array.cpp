// Arrays of a work-item's own.
#include <fmt/format.h>

#include "lint/rules/rules.hpp"
#include "lint/scratch.hpp"

namespace wavetank::lint {

void find_scratch_array(const Subject& subject, Findings& findings) {
  if (subject.code.calls) return;  // pointers to variables may be arguments
  Finding finding;
  std::vector<std::uint32_t> steps;
  unsigned in_loops = 0;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    const auto access = scratch_access(subject, step);
    if (!access || !access->index) continue;
    steps.push_back(step);
    in_loops += subject.blocks.depth_of(step) != 0 ? 1 : 0;
  }
  if (steps.empty()) return;
  finding.step = steps.front();
  finding.others.assign(steps.begin() + 1, steps.end());
  finding.what = fmt::format(
      "{} access{} to variables in scratch at places that are computed at run time, {} in loops",
      steps.size(), steps.size() == 1 ? "" : "es", in_loops);
  findings.push_back(std::move(finding));
}

}  // namespace wavetank::lint
