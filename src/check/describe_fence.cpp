#include "check/describe_fence.hpp"

#include <fmt/format.h>

namespace wavetank::check {
namespace {

std::string_view scope_of(const FenceUse& use) { return use.of_system ? "system" : "device"; }

std::string message_of(const FenceUse& use) {
  switch (use.reach) {
    case Reach::kNone:
      return fmt::format("a fence of the {} through which nobody learns of anything",
                         scope_of(use));
    case Reach::kGroup:
      return fmt::format("a fence of the {} through which only the workgroup learns of something",
                         scope_of(use));
    default: return "a fence of the system through which only the device learns of something";
  }
}

std::string_view remedy_of(Reach reach) {
  switch (reach) {
    case Reach::kNone: return "the program's order is the same without it";
    case Reach::kGroup: return "__threadfence_block(), or the scope of a workgroup, would do";
    default: return "__threadfence(), or the scope of an agent, would do";
  }
}

std::string cost_of(const FenceWords& words) {
  const std::uint64_t times = words.use.executions;
  std::string text = fmt::format("executed {} time{}", times, times == 1 ? "" : "s");
  if (words.cycles == 0) return text;
  return text + fmt::format(", {} cycles ({:.2f} us) each on {}", words.cycles,
                            static_cast<double>(words.cycles) / words.clock_mhz, words.device);
}

}  // namespace

Diagnosis describe(const FenceWords& words) {
  Diagnosis diagnosis;
  diagnosis.level = Level::kNote;
  diagnosis.code = ErrorCode::kUselessFence;
  diagnosis.kernel = words.launch.kernel;
  diagnosis.kernel_symbol = words.launch.symbol;
  diagnosis.message = message_of(words.use);
  diagnosis.note = fmt::format("{}; {}", cost_of(words), remedy_of(words.use.reach));
  Spot fence{words.fence.source, words.fence.place, words.fence.text, {}};
  fence.what = fmt::format("first by wave {} of workgroup {}", words.use.wave,
                           group_text(words.use.group, words.launch));
  diagnosis.spots.push_back(std::move(fence));
  if (!words.learnt_by.place.empty()) {
    diagnosis.spots.push_back({words.learnt_by.source, words.learnt_by.place, words.learnt_by.text,
                               "where a wave learns of what comes before the fence"});
  }
  return diagnosis;
}

}  // namespace wavetank::check
