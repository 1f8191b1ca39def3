#include "profile/stall_stack.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::profile {
namespace {

/// Sets the shares to thousandths of what all have, or of what those of waves have.
void share_out(std::vector<StallShare>& stack, unsigned StallShare::* share, bool of_waves) {
  // As doubles: a damaged file may hold numbers whose sum has more than 64 bits.
  double total = 0;
  const auto counts = [&](const StallShare& one) {
    return !of_waves || one.reason != Reason::kEmpty;
  };
  for (const StallShare& one : stack) total += counts(one) ? static_cast<double>(one.cycles) : 0;
  std::vector<std::pair<double, std::size_t>> remainders;
  unsigned given = 0;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (!counts(stack[i])) continue;
    const double exact = 1000.0 * static_cast<double>(stack[i].cycles) / total;
    const auto whole = static_cast<unsigned>(exact);
    remainders.emplace_back(exact - whole, i);
    stack[i].*share = whole;
    given += whole;
  }
  std::sort(remainders.rbegin(), remainders.rend());
  for (const auto& [remainder, at] : remainders) {
    if (given >= 1000) break;
    ++(stack[at].*share);
    ++given;
  }
}

}  // namespace

std::uint64_t total_cycles(const ReasonCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

std::uint64_t resident_cycles(const ReasonCycles& cycles) {
  return total_cycles(cycles) - cycles[static_cast<std::size_t>(Reason::kEmpty)];
}

std::vector<StallShare> stall_stack(const ReasonCycles& cycles) {
  std::vector<StallShare> stack;
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    if (cycles[r] != 0) stack.push_back({static_cast<Reason>(r), cycles[r]});
  }
  share_out(stack, &StallShare::permille, false);
  share_out(stack, &StallShare::permille_of_waves, true);
  return stack;
}

std::string explain_page_of(Reason reason) {
  if (reason <= Reason::kIssueLds || reason == Reason::kEmpty || reason == Reason::kSleep) {
    return "stall-reasons";
  }
  std::string page(key_of(reason));
  std::replace(page.begin(), page.end(), '_', '-');
  return page;
}

}  // namespace wavetank::profile
