#include "lint/scratch.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
namespace code = encoding::operand;

/// Dword of a buffer resource that no kernel changes: it says how its memory is addressed.
constexpr unsigned kResourceFormat = 3;

/// True if the instruction's buffer is the scratch that the kernel was started with.
bool is_scratch_buffer(const Subject& subject, std::uint32_t step) {
  const Instruction& in = subject.code.instructions[step];
  if (in.row->encoding.format != isa::Format::kMubuf || subject.values == nullptr) return false;
  if (!subject.kernel.descriptor.private_segment_buffer || in.idxen) return false;
  const auto format = subject.values->read(step, in.scalar_base + kResourceFormat);
  if (!format) return false;
  const Value& value = (*subject.values)[*format];
  return value.kind == Value::Kind::kEntry && value.a == kResourceFormat;
}

/// True if an operand is a constant, or a register that always holds the same one here.
bool is_constant(const Subject& subject, std::uint32_t step, std::uint16_t operand) {
  if (operand == code::kNone) return true;
  if (operand >= kFirstVector && !code::is_vgpr(operand)) return true;
  if (subject.values == nullptr) return false;
  const bool vector = code::is_vgpr(operand);
  const unsigned reg = vector ? vector_register(operand - code::kVgpr0) : operand;
  const auto value = subject.values->read(step, reg);
  return value && subject.values->constant(*value).has_value();
}

}  // namespace

std::optional<ScratchAccess> scratch_access(const Subject& subject, std::uint32_t step) {
  const Instruction& in = subject.code.instructions[step];
  const isa::MemoryShape& shape = in.row->memory;
  const bool loads = shape.action == isa::MemoryAction::kLoad;
  if (!loads && shape.action != isa::MemoryAction::kStore) return std::nullopt;
  const bool segment = subject.code.flow[step].facts.space == machine::MemorySpace::kScratch;
  if (!segment && !is_scratch_buffer(subject, step)) return std::nullopt;
  ScratchAccess access;
  access.stores = !loads;
  access.dwords = shape.element_bytes / 4u;
  const bool has_index = segment ? in.scratch_vaddr : in.offen;
  const std::uint16_t index = has_index ? in.address : code::kNone;
  const std::uint16_t base = segment ? in.scalar_base : in.scalar_offset;
  const bool constant_index = is_constant(subject, step, index);
  access.fixed = constant_index && is_constant(subject, step, base);
  if (!constant_index) access.index = index - code::kVgpr0;
  return access;
}

}  // namespace wavetank::lint
