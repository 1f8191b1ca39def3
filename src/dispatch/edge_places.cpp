#include "dispatch/edge_places.hpp"

#include <algorithm>

#include "encoding/decoder.hpp"

namespace wavetank::dispatch {
namespace {

using encoding::Instruction;

constexpr std::size_t kMostPlaces = 4;
/// Instructions that are looked at behind one: a branch that is longer is not left.
constexpr std::size_t kFarthest = 256;

struct Placed {
  std::uint64_t offset_bytes;
  Instruction instruction;

  std::uint64_t following() const { return offset_bytes + 4u * instruction.dwords; }
  bool branches_back() const {
    return instruction.row->sources[0].immediate == isa::ImmediateKind::kBranch &&
           instruction.imm < 0;
  }
};

/// The instructions from the kernel's entry to some way behind `offset_bytes`, as they stand.
std::vector<Placed> instructions_around(const GridPlan& plan, std::uint64_t entry,
                                        std::uint64_t offset_bytes) {
  const execute::ProgramSpec& spec = plan.program->spec();
  const std::uint64_t end = reinterpret_cast<std::uint64_t>(spec.code) + spec.code_bytes;
  const encoding::Decoder& decoder = encoding::decoder_of(*spec.target);
  std::vector<Placed> all;
  std::size_t behind = 0;
  for (std::uint64_t at = entry; at < end && behind < kFarthest;) {
    const auto decoded =
        decoder.decode({reinterpret_cast<const std::uint32_t*>(at), (end - at) / 4}, at);
    if (!decoded) break;
    all.push_back({at - entry, *decoded});
    if (at - entry >= offset_bytes) ++behind;
    at += 4u * decoded->dwords;
  }
  return all;
}

/// Lanes come back to EXEC by a scalar write to it.
bool may_widen_exec(const Instruction& instruction) {
  return instruction.row->unit == isa::Unit::kSalu && instruction.dst == encoding::operand::kExec;
}

/// Lanes leave EXEC by a scalar instruction that keeps the old one, which is one of 64 bits.
bool may_narrow_exec(const Instruction& instruction) {
  return instruction.row->unit == isa::Unit::kSalu &&
         isa::dwords_of(instruction.row->result.type) == 2;
}

void add(std::vector<std::uint64_t>& places, std::uint64_t offset_bytes) {
  const bool known = std::ranges::find(places, offset_bytes) != places.end();
  if (!known && places.size() < kMostPlaces) places.push_back(offset_bytes);
}

}  // namespace

EdgePlaces edge_places(const GridPlan& plan, std::uint64_t address) {
  const std::uint64_t entry = plan.launch->entry_address();
  EdgePlaces places;
  if (address < entry || !plan.program->holds(address)) return places;
  const std::vector<Placed> all = instructions_around(plan, entry, address - entry);
  const auto self = std::ranges::find(all, address - entry, &Placed::offset_bytes);
  if (self == all.end()) return places;
  add(places.after, self->following());
  for (auto at = std::next(self); at != all.end(); ++at) {
    if (at->branches_back()) add(places.after, at->offset_bytes);
    if (may_widen_exec(at->instruction)) add(places.after, at->following());
    if (at->instruction.row->ends_flow(at->instruction.imm) && !at->branches_back()) break;
  }
  add(places.before, self->offset_bytes);
  for (auto at = self; at != all.begin();) {
    --at;
    if (may_narrow_exec(at->instruction)) add(places.before, at->offset_bytes);
  }
  return places;
}

}  // namespace wavetank::dispatch
