#include "check/fence_use.hpp"

namespace wavetank::check {

bool FenceCheck::on_instruction(WaveFences& wave, const machine::StepFacts& facts, bool learns,
                                std::uint64_t group, unsigned wave_in_group) {
  const FencePart part = fence_part(facts, has_scope_bits_);
  if (part == FencePart::kNone) {
    if (!facts.is_waitcnt) wave.end_fence();
    return false;
  }
  const std::uint32_t site = wave.pass(part, facts.index);
  const auto [at, is_new] = uses_.try_emplace(site);
  FenceUse& fence = at->second;
  if (is_new) {
    fence.group = group;
    fence.wave = wave_in_group;
  }
  if (site == facts.index) ++fence.executions;
  fence.of_system = fence.of_system || is_of_system(facts, has_scope_bits_);
  if (std::ranges::find(fence.parts, &facts) == fence.parts.end()) fence.parts.push_back(&facts);
  if (part == FencePart::kInvalidateL1) {
    use(site, learns ? Reach::kDevice : wave.learnt(), wave.learnt_by());
    wave.forget_learnt();
  }
  return true;
}

void FenceCheck::on_load(WaveFences& wave, const PassedFences& passed, std::uint32_t actor,
                         unsigned wave_in_group, std::uint32_t site) {
  Reach from = Reach::kNone;
  for (const PassedFence& fence : passed) {
    const Reach reach = fence.to(actor, wave_in_group);
    use(fence.site, reach, site);
    from = std::max(from, reach);
  }
  wave.learn(from, site);
}

void FenceCheck::use(const WaveFences& wave, Reach reach, std::uint32_t learnt_by) {
  if (wave.passed() == nullptr) return;
  for (const PassedFence& fence : *wave.passed()) use(fence.site, reach, learnt_by);
}

void FenceCheck::use(std::uint32_t site, Reach reach, std::uint32_t learnt_by) {
  FenceUse& fence = uses_[site];
  if (reach <= fence.reach) return;
  fence.reach = reach;
  fence.learnt_by = learnt_by;
}

}  // namespace wavetank::check
