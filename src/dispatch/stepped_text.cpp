#include "dispatch/stepped_text.hpp"

#include <map>

#include "dispatch/code_place.hpp"

namespace wavetank::dispatch {
namespace {

/// The instructions of one code object: their numbers and virtual addresses.
struct OfObject {
  std::vector<std::size_t> numbers;
  std::vector<std::uint64_t> addresses;
};

}  // namespace

std::vector<SteppedInstruction> describe_instructions(const GridPlan& plan,
                                                      const std::vector<std::uint64_t>& addresses) {
  const std::uint64_t kernel = plan.launch->entry_address();
  std::vector<SteppedInstruction> instructions;
  std::map<std::shared_ptr<const code_object::LoadedCodeObject>, OfObject> objects;
  for (const std::uint64_t address : addresses) {
    CodePlace place = code_place(plan, address);
    if (place.object != nullptr) {
      OfObject& one = objects[place.object];
      one.numbers.push_back(instructions.size());
      one.addresses.push_back(place.virtual_address);
    }
    instructions.push_back(
        {address - kernel, place.virtual_address, std::move(place.disassembly), place.row, {}});
  }
  if (plan.source_lines == nullptr) return instructions;
  for (const auto& [object, of_object] : objects) {
    std::vector<SourceLine> lines = plan.source_lines->of(object, of_object.addresses);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      instructions[of_object.numbers[i]].source = std::move(lines[i]);
    }
  }
  return instructions;
}

}  // namespace wavetank::dispatch
