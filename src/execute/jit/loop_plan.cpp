#include "execute/jit/loop_plan.hpp"

#include <algorithm>
#include <iterator>

#include "execute/jit/run.hpp"

namespace wavetank::execute::jit {
namespace {

/// Registers of the host for a strip's values beside the loop's: of the 3067 loops that test_jit
/// compiles 12 need more, and have no form of their own.
constexpr unsigned kFewestFree = 10;
/// r9 and r10: r11 is free for addresses.
constexpr std::size_t kMostMasks = 2;

}  // namespace

bool LoopPlan::find_places() {
  for (const Run* const run : runs_) {
    const auto in_scratch = [](const RunOp& op) {
      return move_of(op).space == MoveSpace::kScratch;
    };
    if (std::ranges::any_of(run->ops, in_scratch)) return false;
    if (written_masks(*run).size() > kMostMasks) return false;
    std::vector<LaneStore> stores;
    if (draw_run(sketch_, *run, false, false, stores) < run->ops.size()) return false;
    places_.add_run(sketch_, *run, stores);
  }
  return true;
}

/// Follows no register whose lanes something else asks for.
bool LoopPlan::make() {
  if (!find_places()) return false;
  std::set<unsigned> others;
  while (true) {
    followed_ = places_.find(others);
    std::set<unsigned> read, written;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      RoundDrawing drawing;
      if (!draw(run, drawing)) return false;
      note_registers(drawing.plan, read, written);
    }
    const std::size_t before = others.size();
    std::ranges::copy_if(read, std::inserter(others, others.end()),
                         [&](unsigned name) { return followed_.holds(name); });
    if (others.size() > before) continue;
    choose_pins(read, written);
    return true;
  }
}

bool LoopPlan::draw(std::size_t number, RoundDrawing& drawing) {
  const Run& run = *runs_[number];
  if (draw_run(sketch_, run, false, false, drawing.stores) < run.ops.size()) return false;
  Graph& graph = sketch_.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what != Do::kPlace) continue;
    if (followed_.at(number, static_cast<unsigned>(node.bits)) != nullptr) {
      graph.forget_address(static_cast<Id>(i));
    }
  }
  for (LaneStore& store : drawing.stores) {
    if (followed_.at(number, store.op) != nullptr) store.low = store.high = kNoValue;
  }
  std::vector<unsigned> dead = run.dead_registers;
  for (const FollowedRegister& one : followed_.registers) {
    dead.push_back(one.name);
    if (one.pair) dead.push_back(one.name + 1);
  }
  drawing.plan =
      make_plan(sketch_, dead, run.dead_masks, kept_values(drawing.stores), unit_.ternary);
  return !graph.full();
}

void LoopPlan::note_registers(const Plan& plan, std::set<unsigned>& read,
                              std::set<unsigned>& written) {
  const Graph& graph = sketch_.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what == Do::kRegister && plan.uses[i] != 0) {
      read.insert(static_cast<unsigned>(node.bits));
    }
  }
  for (const Plan::Result& result : plan.vectors) written.insert(result.name);
}

/// Registers that are read and written are kept where they fit.
void LoopPlan::choose_pins(const std::set<unsigned>& read, const std::set<unsigned>& written) {
  const unsigned strips = 64 / unit_.lanes;
  const std::size_t most = (unit_.vectors - kFewestFree) / strips;
  std::ranges::set_intersection(read, written, std::back_inserter(pinned_));
  if (pinned_.size() > most) pinned_.resize(most);
}

}  // namespace wavetank::execute::jit
