// What lanes do that one scalar instruction could do for all of them.
#include <fmt/format.h>

#include "isa/row.hpp"
#include "lint/access.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;

/// True if memory may be another one behind an instruction than before it.
bool may_change_memory(const machine::FlowStep& step) {
  const isa::MemoryAction action = step.facts.row->memory.action;
  const bool stores =
      action == isa::MemoryAction::kStore && (touched_memory(step.facts) & kTouchesGlobal) != 0;
  const bool barrier = step.facts.row->pause == isa::Pause::kBarrier;
  return stores || (orders_memory(step) && !barrier);
}

/// Blocks that may be run when memory has changed.
std::vector<bool> blocks_behind_changes(const Subject& subject) {
  std::vector<bool> behind(subject.blocks.blocks.size(), false);
  std::vector<std::uint32_t> pending;
  const auto reach = [&](const Block& block) {
    for (const std::uint32_t next : block.after) {
      if (behind[next]) continue;
      behind[next] = true;
      pending.push_back(next);
    }
  };
  for (const Block& block : subject.blocks.blocks) {
    for (std::uint32_t step = block.first; step < block.end; ++step) {
      if (may_change_memory(subject.code.flow[step])) reach(block);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    reach(subject.blocks.blocks[block]);
  }
  return behind;
}

/// True if all lanes surely access the same place.
bool has_uniform_address(const Subject& subject, std::uint32_t step) {
  const machine::RegisterRange range = subject.code.flow[step].facts.address;
  for (unsigned i = 0; i < range.count; ++i) {
    const auto value = subject.values->read(step, vector_register(range.first + i));
    if (!value || !subject.values->is_uniform(*value)) return false;
  }
  return true;
}

}  // namespace

void find_uniform_load(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  std::vector<bool> behind;
  for (const Block& block : subject.blocks.blocks) {
    bool changed = false;
    for (std::uint32_t step = block.first; step < block.end && !changed; ++step) {
      changed = may_change_memory(subject.code.flow[step]);
      const auto access = access_of(subject, step);
      if (!access || access->stores || access->lds || access->bytes % 4 != 0) continue;
      if (!has_uniform_address(subject, step)) continue;
      if (behind.empty()) behind = blocks_behind_changes(subject);
      if (behind[subject.blocks.block_of[step]]) break;
      Finding finding;
      finding.step = step;
      finding.what =
          fmt::format("all active lanes load the same {} bytes, before the kernel stores anything",
                      access->bytes);
      finding.note = "if the address is a multiple of 4, as a float's or an int's is";
      findings.push_back(std::move(finding));
    }
  }
}

void find_uniform_branch(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  const Values& values = *subject.values;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    if (subject.code.row(step).meaning != Meaning::kAndSaveExec) continue;
    const auto mask = values.source(step, 0);
    const std::uint32_t compare = mask ? values.result_of(*mask) : kNone;
    if (compare == kNone || subject.code.row(compare).meaning != Meaning::kCompare) {
      continue;
    }
    bool uniform = subject.code.row(compare).source_count() == 2;
    for (const machine::RegisterRange& range : subject.code.flow[compare].facts.vector_reads) {
      for (unsigned i = 0; i < range.count; ++i) {
        const auto value = values.read(compare, vector_register(range.first + i));
        uniform = uniform && value && values.is_uniform(*value);
      }
    }
    if (!uniform) continue;
    Finding finding;
    finding.step = step;
    finding.others = {compare};
    finding.what = "a branch by EXEC on a comparison of values that all lanes share";
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
