// AccVGPRs that only hold what does not fit into VGPRs.
#include <fmt/format.h>

#include <map>

#include "isa/row.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;

/// How the code uses an AccVGPR.
struct Use {
  bool stored = false;  ///< a VGPR is copied to it
  bool loaded = false;  ///< it is copied to a VGPR
  bool other = false;   ///< a matrix, a memory instruction or a constant
};

template <class Ranges, class Visit>
void each_accumulator(const Code& code, const Ranges& ranges, const Visit& visit) {
  for (const machine::RegisterRange& range : ranges) {
    for (unsigned i = 0; i < range.count; ++i) {
      if (range.first + i >= code.accum_offset) visit(range.first + i);
    }
  }
}

bool copies_register(const Code& code, std::uint32_t step) {
  return code.row(step).meaning == Meaning::kAccumulatorWrite &&
         code.flow[step].facts.vector_reads.count != 0;
}

std::map<unsigned, Use> find_uses(const Code& code) {
  std::map<unsigned, Use> uses;
  for (std::uint32_t step = 0; step < code.size(); ++step) {
    const machine::StepFacts& facts = code.flow[step].facts;
    const bool stores = copies_register(code, step);
    const bool loads = code.row(step).meaning == Meaning::kAccumulatorRead;
    each_accumulator(code, facts.vector_writes,
                     [&](unsigned reg) { (stores ? uses[reg].stored : uses[reg].other) = true; });
    each_accumulator(code, facts.vector_reads,
                     [&](unsigned reg) { (loads ? uses[reg].loaded : uses[reg].other) = true; });
  }
  return uses;
}

}  // namespace

void find_accumulator_spill(const Subject& subject, Findings& findings) {
  const Code& code = subject.code;
  if (code.calls || code.unknown_jumps) return;
  const std::map<unsigned, Use> uses = find_uses(code);
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_loop;
  for (std::uint32_t step = 0; step < code.size(); ++step) {
    const std::uint32_t loop = subject.blocks.loop_of(step);
    if (loop == kNone) continue;
    const machine::StepFacts& facts = code.flow[step].facts;
    bool spills = false;
    const auto look = [&](unsigned reg) {
      const Use& use = uses.at(reg);
      spills = spills || (use.stored && use.loaded && !use.other);
    };
    each_accumulator(code, facts.vector_writes, look);
    each_accumulator(code, facts.vector_reads, look);
    if (spills) by_loop[loop].push_back(step);
  }
  for (const auto& [loop, steps] : by_loop) {
    Finding finding;
    finding.step = steps.front();
    finding.others.assign(steps.begin() + 1, steps.end());
    finding.what =
        fmt::format("{} cop{} between VGPRs and AccVGPRs that hold nothing else in a loop",
                    steps.size(), steps.size() == 1 ? "y" : "ies");
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
