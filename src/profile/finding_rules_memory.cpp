// Rules about how instructions access memory and LDS.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "profile/finding_parts.hpp"
#include "profile/finding_rules.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/metrics.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::profile {
namespace {

/// Of lanes that lie apart: those side by side touch one line more, where they begin within one.
double lines_too_many(const InstructionProfile& i) {
  const bool scattered =
      i.lines_touched >= 1.5 * i.lines_needed && i.private_accesses == 0 && !is_row(i);
  return scattered ? i.lines_touched - i.lines_needed : 0;
}

/// Lanes that share cache lines, but leave gaps between what they access: one field of structures.
bool leaves_gaps(const InstructionProfile& i, double line_bytes) {
  return has_one_stride(i) && i.stride.least > i.row->memory.element_bytes &&
         i.stride.least < line_bytes;
}

/// Of the instructions that `apply`, the one that touches the most lines more than it needs.
template <class Apply>
Found lines_found(const FindingInput& in, double threshold, std::string_view id,
                  std::string_view text, Apply apply) {
  double all = 0;
  for (const InstructionProfile& i : in.launch.instructions) all += i.lines_touched;
  const auto* worst = most(in.launch, [&](const InstructionProfile& i) {
    return is_vector_memory(i) && apply(i) ? lines_too_many(i) : 0;
  });
  if (worst == nullptr || worst->hits == 0) return std::nullopt;
  const double weight = percent(worst->lines_touched - worst->lines_needed, all);
  if (weight < threshold) return std::nullopt;
  return Finding{
      id,
      fmt::format("{} {}{}: {:.3g} cache lines for each wave where {:.3g} would do{}", text,
                  kind_of(*worst), array_of(*worst), worst->lines_touched / worst->hits,
                  worst->lines_needed / worst->hits, stride_of(*worst)),
      place_of(*worst), weight};
}

/// What comes from memory at once.
double memory_line_bytes(const FindingInput& in) {
  return in.device.value(target::known("cache.l2_line"));
}

/// Of the instructions that `apply` the one that waves spend the most cycles on, and what percent
/// of the resident cycles they spend on all those of its line.
template <class Apply>
std::pair<const InstructionProfile*, double> longest(const FindingInput& in, Apply apply) {
  const auto* worst = most(
      in.launch, [&](const InstructionProfile& i) { return apply(i) ? cycles_for(i) + 1 : 0; });
  double sum = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    const bool same_line = worst != nullptr && i.line == worst->line && i.file == worst->file;
    if (same_line && apply(i)) sum += cycles_for(i);
  }
  return {worst, percent(sum, static_cast<double>(resident_cycles(in.launch.cycles_by_reason)))};
}

/// The line whose instructions access scratch memory most; empty if none does.
std::string place_of_scratch(const LaunchProfile& launch) {
  std::map<std::string, double> places;
  for (const InstructionProfile& i : launch.instructions) {
    if (i.private_accesses > 0) places[place_near(launch, i)] += i.private_accesses;
  }
  const auto most_of_all =
      std::ranges::max_element(places, {}, [](auto& one) { return one.second; });
  return most_of_all == places.end() ? std::string() : most_of_all->first;
}

bool is_swap(const InstructionProfile& i) {
  return action_of(i) == isa::MemoryAction::kAtomic &&
         (i.row->memory.atomic == isa::AtomicOperation::kCompareSwap ||
          i.row->memory.atomic == isa::AtomicOperation::kFloatCompareSwap);
}

}  // namespace

Found strided_fields_found(const FindingInput& in, double threshold) {
  return lines_found(in, threshold, "strided-fields",
                     "gaps between the lanes':", [&](const InstructionProfile& i) {
                       return leaves_gaps(i, memory_line_bytes(in));
                     });
}

Found uncoalesced_found(const FindingInput& in, double threshold) {
  return lines_found(in, threshold, "uncoalesced", "uncoalesced", [&](const InstructionProfile& i) {
    return !leaves_gaps(i, memory_line_bytes(in));
  });
}

Found misaligned_found(const FindingInput& in, double threshold) {
  double all = 0;
  for (const InstructionProfile& i : in.launch.instructions) all += i.lines_touched;
  const auto* worst = most(in.launch, [&](const InstructionProfile& i) {
    const bool is_misaligned = is_vector_memory(i) && is_row(i) && i.private_accesses == 0;
    return is_misaligned ? i.lines_touched - i.lines_needed : 0;
  });
  if (worst == nullptr || worst->hits == 0) return std::nullopt;
  const double weight = percent(worst->lines_touched - worst->lines_needed, all);
  if (weight < threshold) return std::nullopt;
  return Finding{"misaligned",
                 fmt::format("misaligned {}{}: {:.3g} cache lines for each wave where {:.3g} would "
                             "do",
                             kind_of(*worst), array_of(*worst), worst->lines_touched / worst->hits,
                             worst->lines_needed / worst->hits),
                 place_of(*worst), weight};
}

Found narrow_accesses_found(const FindingInput& in, double threshold) {
  const auto [worst, weight] = longest(in, is_narrow);
  if (worst == nullptr || weight < threshold) return std::nullopt;
  return Finding{"narrow-accesses",
                 fmt::format("narrow {}{}: {} bytes a lane side by side, where {} are possible",
                             kind_of(*worst), array_of(*worst), worst->row->memory.element_bytes,
                             kWidestBytes),
                 place_of(*worst), weight};
}

Found uniform_loads_found(const FindingInput& in, double threshold) {
  const auto [worst, weight] = longest(in, is_uniform_load);
  if (worst == nullptr || weight < threshold) return std::nullopt;
  return Finding{
      "uniform-loads",
      fmt::format("all lanes load the same word{}: the scalar unit could", array_of(*worst)),
      place_of(*worst), weight};
}

Found spill_found(const FindingInput& in, double threshold) {
  double scratch = 0;
  double memory = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    scratch += i.private_accesses;
    if (is_vector_memory(i)) memory += i.hits;
  }
  const double weight = percent(scratch, memory);
  const std::string place = place_of_scratch(in.launch);
  if (place.empty() || weight < threshold) return std::nullopt;
  return Finding{"spill",
                 fmt::format("scratch memory ({} bytes a work-item): {:.0f} % of the vector memory "
                             "instructions",
                             in.launch.scratch_bytes_per_lane, weight),
                 place, weight};
}

Found swap_loop_found(const FindingInput& in, double threshold) {
  const auto [worst, weight] = longest(in, is_swap);
  if (worst == nullptr || weight < threshold) return std::nullopt;
  // What stands before the loop is done once for each.
  const InstructionProfile* before = worst;
  while (before != in.launch.instructions.data() && before->hits >= worst->hits) --before;
  const double tries = before->hits > 0 ? std::max(worst->hits / before->hits, 1.0) : 1;
  return estimated(
      {"swap-loop",
       fmt::format("compare-and-swap{}: a wave tries {} times, where an atomic is done at once",
                   array_of(*worst),
                   tries < 100 ? fmt::format("{:.3g}", tries) : fmt::format("{:.0f}", tries)),
       place_of(*worst), weight},
      weight * running_share(in.launch) * (1 - 1 / tries));
}

Found atomics_found(const FindingInput& in, double threshold) {
  const auto is_atomic = [](const InstructionProfile& i) {
    return action_of(i) == isa::MemoryAction::kAtomic && !is_swap(i);
  };
  double atomics = 0;
  double memory = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (is_vector_memory(i) || is_of_lds(i)) memory += i.hits;
    if (is_atomic(i)) atomics += i.hits;
  }
  const auto [worst, cycles] = longest(in, is_atomic);
  // Those that return nothing keep no wave waiting, but all that come behind them.
  const double weight = std::max(cycles, percent(atomics, memory));
  if (worst == nullptr || weight < threshold) return std::nullopt;
  return Finding{"atomics",
                 fmt::format("atomics{}: {:.0f} % of the memory instructions, {:.0f} % of the "
                             "waves' cycles",
                             array_of(*worst), percent(atomics, memory), cycles),
                 place_of(*worst), weight};
}

Found lds_conflict_found(const FindingInput& in, double threshold) {
  const MetricValue conflict = value_of("SQ_LDS_BANK_CONFLICT", in.launch, in.device);
  const MetricValue active = value_of("SQ_LDS_IDX_ACTIVE", in.launch, in.device);
  if (!conflict.value || !active.value) return std::nullopt;
  const double weight = percent(*conflict.value, *active.value);
  if (weight < threshold) return std::nullopt;
  const auto* worst =
      most(in.launch, [](const InstructionProfile& i) { return i.lds_conflict_cycles; });
  return Finding{"lds-conflict",
                 fmt::format("LDS bank conflicts{}: {:.0f} % of the LDS's cycles{}",
                             worst != nullptr ? array_of(*worst) : "", weight,
                             worst != nullptr ? stride_of(*worst) : ""),
                 worst != nullptr ? place_of(*worst) : "", weight};
}

}  // namespace wavetank::profile
