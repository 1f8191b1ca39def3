#include "check/scratch_check.hpp"

#include <bit>

namespace wavetank::check {
namespace {

constexpr std::uint64_t kRowBytes = 256;  ///< a dword of each lane (LLVM AMDGPUUsage, "Scratch")
constexpr std::uint64_t kResourceBase = (std::uint64_t{1} << 48) - 1;

/// Where the scratch of a wave begins: those of a workgroup lie one behind the other.
std::uint64_t begin_of(const machine::Wave& wave) {
  return reinterpret_cast<std::uint64_t>(wave.workgroup->scratch) +
         std::uint64_t{wave.id_in_group} * wave.scratch_bytes;
}

}  // namespace

bool touches_scratch_by_buffer(const Instruction& now) {
  const machine::Workgroup& group = *now.wave.workgroup;
  if (now.facts.row->encoding.format != isa::Format::kMubuf) return false;
  for (const machine::RegisterRange& range : now.facts.scalar_reads) {
    if (range.count != 4) continue;
    const std::uint64_t base = now.wave.scalar64(range.first) & kResourceBase;
    return base - reinterpret_cast<std::uint64_t>(group.scratch) < group.scratch_bytes;
  }
  return false;
}

bool addresses_scratch(const Instruction& now) {
  const machine::Workgroup& group = *now.wave.workgroup;
  const auto begin = reinterpret_cast<std::uint64_t>(group.scratch);
  for (std::uint64_t left = now.step.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (now.step.address[lane] - begin >= group.scratch_bytes) return false;
  }
  return now.facts.may_reach_lds && now.step.lds_lanes == 0;
}

std::uint64_t private_byte(const machine::Wave& wave, std::uint64_t address) {
  const std::uint64_t byte = address - begin_of(wave);
  return byte / kRowBytes * 4 + byte % 4;
}

std::optional<OutOfScratch> look_at_scratch(const Instruction& now) {
  const std::uint64_t begin = begin_of(now.wave);
  const machine::Step& step = now.step;
  const std::uint64_t last_access =
      static_cast<std::uint64_t>(step.access_stride) * (step.access_count - 1);
  for (std::uint64_t left = step.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t first = step.address[lane] - begin;
    const std::uint64_t last = first + last_access;
    if (first < now.wave.scratch_bytes && last < now.wave.scratch_bytes) continue;
    const std::uint64_t outside = first < now.wave.scratch_bytes ? last : first;
    return OutOfScratch{lane, private_byte(now.wave, begin + outside), now.wave.scratch_bytes / 64};
  }
  return std::nullopt;
}

}  // namespace wavetank::check
