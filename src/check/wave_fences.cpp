#include "check/wave_fences.hpp"

namespace wavetank::check {

/// On gfx90a an instruction says its scope (what it does to the L2 is for the system), on gfx942
/// its bits do: SC1 is the device, with SC0 the system (LLVM AMDGPUUsage, memory models).
FencePart fence_part(const machine::StepFacts& facts, bool has_scope_bits) {
  const isa::MemoryShape& memory = facts.row->memory;
  const bool is_vector = facts.row->encoding.format == isa::Format::kMubuf;
  if (memory.action != isa::MemoryAction::kCacheControl || !is_vector) return FencePart::kNone;
  if (has_scope_bits && !facts.scc) return FencePart::kNone;
  if (memory.writes_back_l2) return FencePart::kWriteBack;
  return memory.invalidates_l1 ? FencePart::kInvalidateL1 : FencePart::kInvalidateL2;
}

bool is_of_system(const machine::StepFacts& facts, bool has_scope_bits) {
  if (has_scope_bits) return facts.glc && facts.scc;
  return fence_part(facts, has_scope_bits) != FencePart::kInvalidateL1;
}

void PassedFences::add(const PassedFence& fence) {
  const auto known = std::ranges::find(all_, fence.site, &PassedFence::site);
  if (known == all_.end()) {
    all_.push_back(fence);
    return;
  }
  known->spread = std::max({known->spread, fence.spread, known->to(fence.actor, fence.wave)});
}

std::uint32_t WaveFences::pass(FencePart part, std::uint32_t site) {
  if (part <= last_part_ || last_part_ == FencePart::kNone) {
    site_ = site;
    is_behind_store_ = stored_;
    stored_ = false;
    auto passed = std::make_shared<PassedFences>();
    passed->add({site, actor_, wave_, Reach::kNone});
    passed_ = std::move(passed);
  }
  last_part_ = part;
  return site_;
}

}  // namespace wavetank::check
