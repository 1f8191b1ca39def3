// What registers hold where a block begins.
#include <algorithm>

#include "isa/row.hpp"
#include "lint/numbering.hpp"

namespace wavetank::lint {

using isa::Meaning;

void Numbering::find_written() {
  written_.resize(blocks_.blocks.size());
  for (std::uint32_t b = 0; b < blocks_.blocks.size(); ++b) {
    const Block& block = blocks_.blocks[b];
    for (std::uint32_t step = block.first; step < block.end; ++step) {
      const bool any = code_.flow[step].leaves;
      if (any) written_[b].set();
      each_written(code_.flow[step].facts, [&](unsigned reg, unsigned) { written_[b].set(reg); });
      if (code_.row(step).meaning == Meaning::kSwap) written_[b].set();
    }
  }
}

/// Registers that may change before the wave comes to a block again. Where that is no loop's
/// header, all are taken to.
Numbering::Registers Numbering::written_in_rounds(std::uint32_t block) const {
  const std::uint32_t loop = blocks_.blocks[block].loop;
  Registers all;
  if (blocks_.irreducible || loop == kNone || blocks_.loops[loop].header != block) {
    return all.set();
  }
  for (const std::uint32_t b : blocks_.loops[loop].blocks) all |= written_[b];
  return all;
}

void Numbering::start() {
  for (unsigned reg = 0; reg < values_.registers_; ++reg) {
    const unsigned preloaded = reg - arguments_at_.preloaded;
    const bool is_argument = preloaded < arguments_at_.preloaded_dwords && reg < kFirstVector;
    const Value value = is_argument
                            ? Value{Value::Kind::kArgument,
                                    4 * (descriptor_.kernarg_preload_offset_dwords + preloaded), 0}
                            : Value{Value::Kind::kEntry, reg, 0};
    state_[reg] = {number(value), kNone};
    if (is_argument) arguments_.emplace(value.a, state_[reg].value);
  }
}

void Numbering::join(std::uint32_t block) {
  const Block& b = blocks_.blocks[block];
  state_.resize(values_.registers_);
  const bool again = !std::ranges::all_of(b.before, [&](auto from) { return done_[from]; });
  const bool is_entry = block == blocks_.order.front();
  if (is_entry) start();
  const Registers changes = again ? written_in_rounds(block) : Registers();
  for (unsigned reg = 0; reg < values_.registers_; ++reg) {
    if (is_entry) {
      if (changes[reg]) state_[reg] = {number({Value::Kind::kJoin, block, reg}), kNone};
    } else {
      join_register(block, reg, changes[reg]);
    }
  }
}

void Numbering::join_register(std::uint32_t block, unsigned reg, bool in_rounds) {
  const Content* same = nullptr;
  bool differs = in_rounds;
  for (const std::uint32_t from : blocks_.blocks[block].before) {
    if (differs) break;
    if (!done_[from]) continue;
    const Content& content = values_.at_end(from, reg);
    differs = same != nullptr && !(*same == content);
    same = &content;
  }
  state_[reg] =
      differs || same == nullptr ? Content{number({Value::Kind::kJoin, block, reg}), kNone} : *same;
}

}  // namespace wavetank::lint
