// What became of the fences of a run's launches.
#include <algorithm>
#include <utility>

#include "base/system_header.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/checker_words.hpp"
#include "timing/cache_control.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::hip {
namespace {

using check::FenceUse;
using check::FenceWords;

/// A fence that a launch executed first; what came of it is still to be added.
FenceWords fence_words(const FenceUse& use, const target::Device& device) {
  FenceWords words;
  words.use.group = use.group;
  words.use.wave = use.wave;
  words.device = device.name;
  const auto spec = timing::read_spec(device);
  if (!spec) return words;  // the cost is not told
  words.clock_mhz = spec->clock_mhz;
  for (const machine::StepFacts* const part : use.parts) {
    words.cycles += timing::cache_control_cycles(*spec, *part);
  }
  return words;
}

void add_use(FenceUse& sum, const FenceUse& use, bool others_see) {
  sum.executions += use.executions;
  sum.of_system = sum.of_system || use.of_system;
  const check::Reach reach = use.of_system && others_see ? check::Reach::kSystem : use.reach;
  sum.reach = std::max(sum.reach, reach);
}

/// True if a programmer wrote the fence there, rather than a header (cooperative groups' sync()).
bool is_written_at(const SourceLine& source) {
  if (is_system_header(source.file)) return false;
  return source.of_header.empty() || source.of_header.find("__threadfence") != std::string::npos;
}

}  // namespace

/// True if others than the device's kernels may see what a launch touched, while it runs.
bool Checker::is_seen_by_others(const check::TouchedRanges& touched) const {
  bool is_seen = false;
  std::optional<int> device;
  touched.visit([&](const check::TouchedRange& range) {
    if (is_seen) return;
    const auto object = device_memory_.find(reinterpret_cast<const void*>(range.begin));
    if (!object) return;
    is_seen = object->kind != machine::MemoryKind::kDevice || object->attached ||
              (device && *device != object->device);
    device = object->device;
  });
  return is_seen;
}

/// A line of the source is one fence, whatever kernels the compiler put it into.
void Checker::note_fences(const check::FenceUses& fences, const dispatch::ListenedLaunch& launch,
                          const target::Device& device, const check::TouchedRanges& touched) {
  if (fences.empty() || is_changed_) return;
  const bool of_system =
      std::ranges::any_of(fences, [](const auto& fence) { return fence.second.of_system; });
  const bool others_see = of_system && is_seen_by_others(touched);
  std::vector<std::uint32_t> sites;
  for (const auto& [site, use] : fences) sites.insert(sites.end(), {site, use.learnt_by});
  const std::vector<dispatch::SteppedInstruction> instructions = described(launch, sites);
  const check::LaunchWords launch_words = words_of(launch);
  std::size_t at = 0;
  for (const auto& [site, use] : fences) {
    check::InstructionWords fence = words_of(instructions[at++], launch_words);
    check::InstructionWords learnt_by = words_of(instructions[at++], launch_words);
    const SourceLine& source = fence.source;
    if (!is_written_at(source)) continue;
    const auto [known, is_new] =
        fences_.try_emplace(std::pair(source.is_known() ? source.file : fence.place, source.line));
    FenceWords& words = known->second;
    if (is_new) {
      words = fence_words(use, device);
      words.launch = launch_words;
      words.fence = std::move(fence);
    }
    if (use.learnt_by != 0 && use.reach > words.use.reach) words.learnt_by = std::move(learnt_by);
    add_use(words.use, use, others_see);
  }
}

}  // namespace wavetank::hip
