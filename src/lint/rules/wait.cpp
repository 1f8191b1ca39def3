// Waits for results that are needed much later.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "check/waits/memory_order.hpp"
#include "lint/access.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using check::Counter;
using machine::StepFacts;

/// Instructions between a wait and the first use that make it an early one: with a few, the order
/// of instructions has other reasons.
constexpr std::uint32_t kMuchLater = 16;
/// Instructions between a load and its wait within which it surely is still under way: a load from
/// the L1 takes more than 100 cycles, one from LDS more than 64 (CDNA3, measured latencies).
constexpr std::uint32_t kStillUnderWay = 16;

/// The limits of a wait that asks for nothing.
constexpr StepFacts kNoLimit;

/// What one counter counts in a block.
struct Counted {
  std::vector<std::uint32_t> steps;  ///< under way, in the order of issue
  bool known = false;                ///< nothing from before the block is under way
};

class BlockWaits {
 public:
  BlockWaits(const Subject& subject, const Block& block, bool begins, Findings& findings)
      : subject_(subject), block_(block), findings_(findings) {
    memory_.known = lds_.known = begins;
  }

  void run() {
    for (std::uint32_t step = block_.first; step < block_.end; ++step) {
      const StepFacts& facts = subject_.code.flow[step].facts;
      if (facts.is_waitcnt) {
        wait(step, memory_, &StepFacts::vmcnt_limit);
        wait(step, lds_, &StepFacts::lgkmcnt_limit);
      }
      const Counter counter = check::counter_of(facts, false);
      if (counter == Counter::kVmcnt) memory_.steps.push_back(step);
      if (counter == Counter::kLgkmcnt || facts.may_reach_lds) lds_.steps.push_back(step);
    }
  }

 private:
  /// How many operations of a counter a wait leaves under way.
  using Limit = std::uint8_t StepFacts::*;

  void wait(std::uint32_t step, Counted& counted, Limit limit_of) {
    const unsigned limit = subject_.code.flow[step].facts.*limit_of;
    if (limit == kNoLimit.*limit_of || limit >= counted.steps.size()) {
      return;  // for none of this block's
    }
    const std::size_t done = counted.steps.size() - limit;
    const auto end = counted.steps.begin() + static_cast<std::ptrdiff_t>(done);
    const std::vector<std::uint32_t> forced(counted.steps.begin(), end);
    if (counted.known) judge(step, forced, limit_of);
    counted.steps.erase(counted.steps.begin(), end);
    counted.known = true;
  }

  /// True if nothing but registers tells why somebody waits for an instruction.
  bool is_plain_load(std::uint32_t step) const {
    const machine::FlowStep& flow = subject_.code.flow[step];
    return flow.facts.row->memory.action == isa::MemoryAction::kLoad && !orders_memory(flow) &&
           check::is_in_order(flow.facts) && !flow.facts.may_reach_lds;
  }

  /// True if an instruction reads or overwrites what a load brings.
  bool touches_result(std::uint32_t load, const StepFacts& facts) const {
    const auto overlaps = [&](const machine::RegisterRange& range) {
      return std::ranges::any_of(subject_.code.flow[load].facts.vector_writes,
                                 [&](const auto& result) { return result.overlaps(range); });
    };
    return std::ranges::any_of(facts.vector_reads, overlaps) ||
           std::ranges::any_of(facts.vector_writes, overlaps);
  }

  void judge(std::uint32_t wait, const std::vector<std::uint32_t>& forced, Limit limit_of) {
    if (!std::ranges::all_of(forced, [&](std::uint32_t step) { return is_plain_load(step); }))
      return;
    if (wait - forced.back() > kStillUnderWay) return;
    const unsigned limit = subject_.code.flow[wait].facts.*limit_of;
    for (std::uint32_t step = wait + 1; step < block_.end; ++step) {
      const machine::FlowStep& flow = subject_.code.flow[step];
      // A wait for as much, or for more, would take as long without the one before it.
      const bool waits_again = flow.facts.is_waitcnt && flow.facts.*limit_of <= limit;
      if (waits_again && step - wait <= kMuchLater) return;
      const bool used = std::ranges::any_of(
          forced, [&](std::uint32_t load) { return touches_result(load, flow.facts); });
      if (used) {
        if (step - wait > kMuchLater) report(wait, forced.back(), step);
        return;
      }
      const isa::MemoryAction action = flow.facts.row->memory.action;
      const bool quiet = action == isa::MemoryAction::kNone || action == isa::MemoryAction::kLoad;
      if (orders_memory(flow) || !quiet) return;  // may be what is waited for
    }
  }

  void report(std::uint32_t wait, std::uint32_t load, std::uint32_t use) {
    Finding finding;
    finding.step = wait;
    finding.others = {load, use};
    finding.what =
        fmt::format("a wait for a load whose result is used {} instructions later", use - wait);
    findings_.push_back(std::move(finding));
  }

  const Subject& subject_;
  const Block& block_;
  Findings& findings_;
  Counted memory_, lds_;
};

}  // namespace

void find_early_wait(const Subject& subject, Findings& findings) {
  const std::uint32_t entry = subject.blocks.order.front();
  for (std::uint32_t b = 0; b < subject.blocks.blocks.size(); ++b) {
    const Block& block = subject.blocks.blocks[b];
    BlockWaits(subject, block, b == entry && block.before.empty(), findings).run();
  }
}

}  // namespace wavetank::lint
