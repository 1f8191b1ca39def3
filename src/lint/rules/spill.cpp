// Registers that the compiler keeps in memory.
#include <fmt/format.h>

#include <map>

#include "lint/rules/rules.hpp"
#include "lint/scratch.hpp"

namespace wavetank::lint {
namespace {

struct LoopSpills {
  std::vector<std::uint32_t> steps;
  unsigned loads = 0, stores = 0;
};

std::string count_of(unsigned count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string what_of(const LoopSpills& spills) {
  std::string text;
  if (spills.loads != 0) text = count_of(spills.loads, "load");
  if (spills.stores != 0) {
    text += fmt::format("{}{}", text.empty() ? "" : " and ", count_of(spills.stores, "store"));
  }
  return text + " of spilled registers in a loop";
}

}  // namespace

/// The metadata counts the dwords that the compiler's spills store, once for each store in the
/// code (LLVM SIMachineFunctionInfo, addToSpilledVGPRs). If the code stores more to fixed places of
/// scratch, some of that are variables, and which is not known.
void find_spill_in_loop(const Subject& subject, Findings& findings) {
  if (subject.kernel.vgpr_spill_count == 0) return;
  std::map<std::uint32_t, LoopSpills> by_loop;
  unsigned stored_dwords = 0;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    const auto access = scratch_access(subject, step);
    if (!access || !access->fixed) continue;
    if (access->dwords == 0) return;
    if (access->stores) stored_dwords += access->dwords;
    const std::uint32_t loop = subject.blocks.loop_of(step);
    if (loop == kNone) continue;
    LoopSpills& spills = by_loop[loop];
    spills.steps.push_back(step);
    ++(access->stores ? spills.stores : spills.loads);
  }
  if (stored_dwords > subject.kernel.vgpr_spill_count) return;
  for (const auto& [loop, spills] : by_loop) {
    Finding finding;
    finding.step = spills.steps.front();
    finding.others.assign(spills.steps.begin() + 1, spills.steps.end());
    finding.what = what_of(spills);
    finding.note = fmt::format("the kernel spills {} in all",
                               count_of(subject.kernel.vgpr_spill_count, "VGPR"));
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
