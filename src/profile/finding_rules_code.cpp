// Rules about what vector instructions do: the precision, the functions and divisions that a line
// becomes, the lanes that work, the matrix unit.
#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "isa/division.hpp"
#include "profile/change.hpp"
#include "profile/finding_parts.hpp"
#include "profile/finding_rules.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::profile {
namespace {

using isa::CounterClass;

bool is_vector_alu(const InstructionProfile& i) {
  return i.row != nullptr && i.row->unit == isa::Unit::kValu;
}

/// The vector instructions of one source line.
struct LineUse {
  const InstructionProfile* first = nullptr;  ///< that is a sign of what is looked for
  double hits = 0;                            ///< of all of them
  unsigned count = 0;
  int signs = 0;
};

/// Of the source lines whose instructions have more signs for than against it, as `sign_of` counts
/// them, the one with the most vector instructions.
template <class SignOf>
LineUse busiest_line(const LaunchProfile& launch, SignOf sign_of) {
  std::map<std::pair<std::string_view, std::uint32_t>, LineUse> lines;
  for (const InstructionProfile& i : launch.instructions) {
    if (i.line == 0 || i.hits == 0 || !is_vector_alu(i)) continue;
    LineUse& line = lines[{i.file, i.line}];
    line.hits += i.hits;
    ++line.count;
    const int sign = sign_of(i);
    line.signs += sign;
    if (line.first == nullptr && sign > 0) line.first = &i;
  }
  LineUse best;
  for (const auto& [place, line] : lines) {
    if (line.signs > 0 && line.hits > best.hits) best = line;
  }
  return best;
}

double vector_hits(const LaunchProfile& launch) {
  double hits = 0;
  for (const InstructionProfile& i : launch.instructions) hits += is_vector(i) ? i.hits : 0;
  return hits;
}

int sign_of_division(const InstructionProfile& i) { return isa::is_division_step(*i.row) ? 1 : 0; }

/// Of exp, log, sin and their kin. A division has one reciprocal and one last step.
int sign_of_function(const InstructionProfile& i) {
  if (i.row->meaning == isa::Meaning::kDivideFixup) return -1;
  return i.row->rate == isa::Rate::kTranscendental && !isa::is_division_step(*i.row) ? 1 : 0;
}

bool is_arithmetic(const InstructionProfile& i) {
  return i.row != nullptr && (i.row->unit == isa::Unit::kValu || i.row->unit == isa::Unit::kSalu) &&
         static_cast<std::int64_t>(i.offset) >= 0;
}

/// The change that takes away the time of the arithmetic that `goes` (kFreeCode); empty if none
/// does.
template <class Goes>
std::string without(const LaunchProfile& launch, Goes goes) {
  std::string ranges;
  const std::vector<InstructionProfile>& all = launch.instructions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_arithmetic(all[i]) || !goes(all[i])) continue;
    const std::uint64_t begin = all[i].offset;
    std::uint64_t end = begin + 4;
    for (; i < all.size() && is_arithmetic(all[i]) && goes(all[i]); ++i) end = all[i].offset + 4;
    ranges += fmt::format("{}{:x}-{:x}", ranges.empty() ? "" : ":", begin, end);
  }
  return ranges.empty() ? "" : fmt::format("{}={}", kFreeCode, ranges);
}

/// True for loads by the scalar unit or from LDS, and for those whose lanes load the same words.
bool lanes_share(const InstructionProfile& i, const target::Device& device) {
  if (!is_vector_memory(i)) return true;
  const double line_bytes = device.value(target::known("cache.l1_vector_line"));
  return i.active_lanes * i.row->memory.element_bytes >= 2 * i.lines_needed * line_bytes;
}

/// True if lanes load the largest array, as far as arrays are known, less than twice: the matrix of
/// a product with a vector, say.
bool loads_largest_once(const LaunchProfile& launch) {
  const auto loads = [](const InstructionProfile& i) {
    return is_vector_memory(i) && action_of(i) == isa::MemoryAction::kLoad;
  };
  const InstructionProfile* const largest = most(launch, [&](const InstructionProfile& i) {
    return loads(i) ? static_cast<double>(i.array_bytes) : 0;
  });
  if (largest == nullptr) return false;
  double bytes = 0;
  for (const InstructionProfile& i : launch.instructions) {
    if (loads(i) && i.array == largest->array)
      bytes += i.active_lanes * i.row->memory.element_bytes;
  }
  return bytes < 2 * static_cast<double>(largest->array_bytes);
}

template <class SignOf>
Found line_found(const FindingInput& in, double threshold, std::string_view id,
                 std::string_view text, unsigned least_count, SignOf sign_of) {
  const LineUse line = busiest_line(in.launch, sign_of);
  const double weight = percent(line.hits, vector_hits(in.launch));
  if (line.first == nullptr || line.count < least_count || weight < threshold) return std::nullopt;
  Finding finding{
      id,
      fmt::format("{}, in {} vector instructions: {:.0f} % of all that the kernel issues", text,
                  line.count, weight),
      place_of(*line.first), weight};
  finding.change = without(in.launch, [&](const InstructionProfile& i) {
    return i.line == line.first->line && i.file == line.first->file;
  });
  return finding;
}

}  // namespace

Found division_found(const FindingInput& in, double threshold) {
  constexpr unsigned kShortest = 6;  // a reciprocal alone is a division that knows its error
  return line_found(in, threshold, "division", "a line that divides", kShortest, sign_of_division);
}

Found slow_functions_found(const FindingInput& in, double threshold) {
  constexpr unsigned kShortest = 12;  // __expf and its kin are shorter
  return line_found(in, threshold, "slow-functions", "a line that calls a function", kShortest,
                    sign_of_function);
}

Found double_precision_found(const FindingInput& in, double threshold) {
  double f64 = 0;
  for (const InstructionProfile& i : in.launch.instructions) f64 += is_f64(i) ? i.hits : 0;
  const auto* widening =
      most(in.launch, [](const InstructionProfile& i) { return widens_f32(i) ? i.hits : 0; });
  const double weight = percent(f64, vector_hits(in.launch));
  if (widening == nullptr || weight < threshold) return std::nullopt;
  return Finding{
      "double-precision",
      fmt::format("double-precision instructions on float values: {:.0f} % of the vector "
                  "instructions; a literal without f?",
                  weight),
      place_of(*widening), weight};
}

Found divergence_found(const FindingInput& in, double threshold) {
  double lanes = 0;
  double slots = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (!is_vector(i)) continue;
    lanes += i.active_lanes;
    slots += 64 * i.hits;
  }
  // Lanes that no work-item has are the workgroup's shape.
  const double given = lanes_with_items(in.launch);
  if (slots == 0 || given == 0) return std::nullopt;
  const double weight = 100 - percent(lanes, slots * given);
  if (weight < threshold) return std::nullopt;
  const auto* worst = most(in.launch, [](const InstructionProfile& i) {
    return is_vector(i) ? 64 * i.hits - i.active_lanes : 0;
  });
  return Finding{
      "divergence",
      fmt::format("{:.1f} of 64 lanes work in the average vector instruction", 64 * lanes / slots),
      worst != nullptr ? place_near(in.launch, *worst) : "", weight};
}

Found matrix_unit_found(const FindingInput& in, double threshold) {
  double fma = 0;
  double loads = 0;
  bool share = false;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (i.row == nullptr) continue;
    if (i.row->matrix.present()) return std::nullopt;
    fma += multiplies_and_adds(i) ? i.hits : 0;
    if (action_of(i) != isa::MemoryAction::kLoad || i.hits == 0) continue;
    loads += i.row->unit != isa::Unit::kSmem ? i.hits : 0;
    share |= lanes_share(i, in.device);
  }
  // A factor of a product of matrices is one for many lanes, and is loaded again and again.
  if (!share || loads_largest_once(in.launch)) return std::nullopt;
  const auto* worst = most(
      in.launch, [](const InstructionProfile& i) { return multiplies_and_adds(i) ? i.hits : 0; });
  const double weight = percent(fma, vector_hits(in.launch));
  // Sums of products of what is loaded, again and again: polynomials load once.
  if (worst == nullptr || weight < threshold || 16 * loads < fma) return std::nullopt;
  Finding finding{
      "matrix-unit",
      fmt::format("{:.0f} % of the vector instructions multiply and add what was loaded, "
                  "the matrix unit is idle",
                  weight),
      place_of(*worst), weight};
  // It takes each factor once for a wave, where lanes load it once for each of them.
  finding.change = fmt::format("{}+vl1d.bandwidth=unlimited+lds.bandwidth=unlimited",
                               without(in.launch, multiplies_and_adds));
  return finding;
}

}  // namespace wavetank::profile
