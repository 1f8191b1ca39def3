#include "profile/stall_stack.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::profile {

std::uint64_t total_cycles(const ReasonCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

std::uint64_t resident_cycles(const ReasonCycles& cycles) {
  return total_cycles(cycles) - cycles[static_cast<std::size_t>(Reason::kEmpty)];
}

std::vector<StallShare> stall_stack(const ReasonCycles& cycles) {
  std::vector<StallShare> stack;
  std::vector<std::pair<double, std::size_t>> remainders;
  // As doubles: a damaged file may hold numbers whose sum has more than 64 bits.
  double total = 0;
  for (const std::uint64_t of_reason : cycles) total += static_cast<double>(of_reason);
  unsigned given = 0;
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    if (cycles[r] == 0) continue;
    const double exact = 1000.0 * static_cast<double>(cycles[r]) / total;
    const auto whole = static_cast<unsigned>(exact);
    remainders.emplace_back(exact - whole, stack.size());
    stack.push_back({static_cast<Reason>(r), cycles[r], whole});
    given += whole;
  }
  std::sort(remainders.rbegin(), remainders.rend());
  for (const auto& [remainder, at] : remainders) {
    if (given >= 1000) break;
    ++stack[at].permille;
    ++given;
  }
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
