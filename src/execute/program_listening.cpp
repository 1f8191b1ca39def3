// Programs that tell a listener what their waves do.
#include <algorithm>
#include <map>

#include "execute/argument_use.hpp"
#include "execute/heard_handlers.hpp"
#include "execute/invalid_op.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/program.hpp"
#include "execute/scalar_use.hpp"
#include "execute/skipped_op.hpp"
#include "execute/swap_seeds.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute {
namespace {

bool may_access_lds(const Op& op) {
  const isa::Row& row = row_of(op);
  if (row.memory.element_bytes == 0) return false;
  if (row.encoding.format == isa::Format::kDs) return true;
  return row.encoding.format == isa::Format::kFlat && op.memory.segment == isa::Format::kFlat;
}

/// Where each instruction tells of itself, none is left to compile.
Compiled compiled_for(const ProgramSpec& spec) {
  const bool all_tell = spec.listening == Listening::kWatched || spec.all_heard;
  return all_tell || spec.is_for_handlers() || !jit::available() ? Compiled::kNothing
                                                                 : Compiled::kChains;
}

}  // namespace

/// Puts a call to the listener before what was translated since there were `first_slot` ops.
void Program::add_listening(std::size_t first_slot) {
  const auto fresh = std::span(slots_).subspan(first_slot);
  for (const std::size_t slot : fresh) {
    const Op& op = ops_[slot];
    learns_of_others_ = learns_of_others_ || execute::learns_of_others(row_of(op));
    asks_other_groups_ = asks_other_groups_ || execute::asks_other_groups(op);
    if (may_access_lds(op)) {
      narrowest_lds_ = std::min<unsigned>(narrowest_lds_, row_of(op).memory.element_bytes);
    }
  }
  if (spec_.listening == Listening::kNone) return;
  const bool watched = spec_.listening == Listening::kWatched;
  // Other code objects' functions and those that are translated later may learn of others, too.
  const bool orders_groups = std::ranges::any_of(
      spec_.edges, [](const PlacedEdge& edge) { return machine::orders_groups(edge.kind); });
  const bool hears_waits =
      family_->own().learns_of_others() || family_->own().word_use().orders_lds || orders_groups;
  const ProgramOps added = program_ops(fresh);
  const FactsOf facts_of = facts();
  const std::vector<std::size_t> polling = polling_loads(added, facts_of);
  const std::vector<std::size_t> seeds = swap_seeds(added, facts_of);
  for (const std::size_t slot : fresh) {
    Op& op = ops_[slot];
    if (op.run == run_invalid || op.run == run_skipped) continue;
    const bool alone = !op.under_indexing;
    const bool hears = (spec_.all_heard && alone) || is_heard(row_of(op), hears_waits);
    const bool wanted = hears || (watched && alone);
    Heard* const heard = wanted ? add_heard(slot) : nullptr;
    if (heard == nullptr) continue;
    heard->is_told = isa::leaves(row_of(op)) ? spec_.all_heard : hears;
    heard->facts.polls = std::binary_search(polling.begin(), polling.end(), slot);
    heard->facts.seeds_swap = std::binary_search(seeds.begin(), seeds.end(), slot);
    heard->facts.unread_dwords = unread_dwords(added, facts_of, slot);
    op.run = watched ? run_watched : run_heard;
  }
  add_edges();
}

/// Keeps what is known of the instruction at a slot; nullptr if it is none.
Heard* Program::add_heard(std::size_t slot) {
  const Op& op = ops_[slot];
  auto heard =
      std::make_unique<Heard>(Heard{op.run, facts_of_slot(slot), address_of(&op + op.dwords)});
  if (heard->facts.row == nullptr) return nullptr;
  heard->facts.offset_bytes = 4 * slot;
  heard->facts.index = family_->numbers.index_of(address_of(&op));
  heard_[slot] = heard.get();
  return heard_ops_.emplace_back(std::move(heard)).get();
}

/// Puts the edges before the ops that have been translated and have none yet.
void Program::add_edges() {
  std::map<std::uint64_t, std::vector<machine::EdgeKind>> places;
  for (const PlacedEdge& edge : spec_.edges) places[edge.address].push_back(edge.kind);
  for (const auto& [address, kinds] : places) {
    if (!holds(address) || address % 4 != 0) continue;
    const std::size_t slot = (address - base()) / 4;
    Op& op = ops_[slot];
    if (op.run == nullptr || op.run == run_invalid || op.run == run_edge) continue;
    Heard* const heard = heard_[slot] != nullptr ? heard_[slot] : add_heard(slot);
    if (heard == nullptr) continue;
    heard->edge = std::make_unique<const EdgeStop>(kinds, op.run, 4 * slot, *spec_.target);
    if (std::ranges::find(kinds, machine::EdgeKind::kAtomic) != kinds.end()) {
      heard->facts.taken_as_atomic = true;
    }
    op.run = run_edge;
  }
}

/// Functions whose addresses are computed, and those that are translated later, may do anything.
WordUse Program::word_use() const {
  if (has_indirect_flow_) return {true, true};
  const std::lock_guard lock(mutex_);
  if (!word_use_) {
    word_use_ = execute::word_use(program_ops(slots_), facts());
  }
  return *word_use_;
}

std::vector<std::uint8_t> Program::used_argument_bits(unsigned pointer, std::size_t bytes) const {
  if (has_indirect_flow_) return std::vector<std::uint8_t>(bytes, 0xff);
  const std::lock_guard lock(mutex_);
  return execute::used_argument_bits(
      program_ops(slots_), facts(), [this](std::size_t slot) { return decoded(slot); },
      (spec_.entry - base()) / 4, pointer, bytes);
}

/// The calls that led to both may come again; where they part, one function has both.
bool Program::leads(std::uint32_t from, std::uint32_t to) const {
  const auto starts = family_->numbers.addresses_of_index(from);
  const auto ends = family_->numbers.addresses_of_index(to);
  const std::lock_guard lock(mutex_);
  const auto lead = [this](std::uint64_t start, std::uint64_t end) {
    return holds(start) && holds(end) &&
           execute::leads(program_ops(slots_), (start - base()) / 4, (end - base()) / 4);
  };
  auto start = starts.rbegin(), end = ends.rbegin();
  for (; start != starts.rend() && end != ends.rend(); ++start, ++end) {
    if (lead(*start, *end)) return true;
    if (*start != *end) return false;
  }
  return false;
}

Result<const Op*> Program::listened(const Op* op, bool all_heard,
                                    const std::vector<PlacedEdge>& edges, Program*& program) {
  ProgramSpec spec = spec_;
  spec.listening = Listening::kHeard;
  spec.all_heard = all_heard;
  spec.edges = edges;
  spec.compiled = compiled_for(spec);
  return same_place(op, spec, program);
}

Result<const Op*> Program::watched(const Op* op, bool watched, machine::Code*& code) {
  ProgramSpec spec = spec_;
  spec.listening = watched ? Listening::kWatched : Listening::kHeard;
  spec.compiled = compiled_for(spec);
  Program* program = this;
  auto same = same_place(op, spec, program);
  code = program;
  return same;
}

}  // namespace wavetank::execute
