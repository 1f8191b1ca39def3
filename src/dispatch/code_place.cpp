#include "dispatch/code_place.hpp"

#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"

namespace wavetank::dispatch {
namespace {

LoadedSegment segment_at(const GridPlan& plan, std::uint64_t address) {
  const auto& own = plan.launch->code;
  const code_object::Segment* const segment = executable_segment(*own, address);
  return segment != nullptr ? LoadedSegment{own, segment} : plan.loaded_code->at(address);
}

}  // namespace

CodePlace code_place(const GridPlan& plan, std::uint64_t address) {
  const LoadedSegment found = segment_at(plan, address);
  if (found.object == nullptr) return {nullptr, 0, "?", nullptr};
  CodePlace place;
  place.object = found.object;
  place.virtual_address = address - reinterpret_cast<std::uint64_t>(found.object->base);
  const std::uint64_t left =
      found.segment->address + found.segment->memory_size_bytes - place.virtual_address;
  const isa::Target& target = *plan.program->spec().target;
  const auto instruction = encoding::decoder_of(target).decode(
      {reinterpret_cast<const std::uint32_t*>(address), left / 4}, address);
  if (instruction) place.row = instruction->row;
  place.disassembly = instruction ? encoding::disassemble(*instruction, target) : "?";
  return place;
}

}  // namespace wavetank::dispatch
