#include "check/guesses.hpp"

#include <algorithm>

namespace wavetank::check {

namespace {

/// Private memory, also as gfx90a reaches it: by a buffer, at an offset.
bool may_be_private(const machine::StepFacts& facts) {
  return facts.space == machine::MemorySpace::kScratch ||
         (facts.row->encoding.format == isa::Format::kMubuf && facts.address.count == 0);
}

}  // namespace

bool may_move_guesses(const machine::Flow& flow) {
  return std::ranges::any_of(flow, [](const machine::FlowStep& step) {
    return step.facts.row != nullptr && (step.leaves || may_be_private(step.facts));
  });
}

void GuessSites::on_instruction(Guesses& guesses, const machine::Wave& wave,
                                const machine::StepFacts& facts, const machine::Step& step,
                                bool loads, bool is_private) {
  std::erase_if(guesses, [&](Guess& guess) {
    Site& site = sites_[guess.site()];
    if (site.decides) return true;
    switch (guess.follow(wave, facts, step, is_private)) {
      case Guess::Use::kNone: break;
      case Guess::Use::kSeeds: site.seeds = true; break;
      case Guess::Use::kDecides: site.decides = true; break;
    }
    return site.decides || guess.is_over();
  });
  if (!loads) return;
  Site& site = sites_[facts.index];
  if (site.decides) return;
  if (guesses.size() < kMostFollowed) {
    guesses.emplace_back(facts, step);
  } else {
    site.decides = true;
  }
}

}  // namespace wavetank::check
