#include "execute/step_facts.hpp"

#include <algorithm>

#include "encoding/layout.hpp"
#include "execute/wait_rules.hpp"
#include "isa/flow.hpp"
#include "isa/skipping.hpp"
#include "isa/sources.hpp"
#include "isa/vector_wait.hpp"

namespace wavetank::execute {
namespace {

using encoding::Instruction;
using isa::Role;
using isa::Type;
using isa::Unit;
using machine::MemorySpace;
using machine::Port;
using machine::StepFacts;
namespace code = encoding::operand;

Port port_of(Unit unit) {
  switch (unit) {
    case Unit::kValu:
    case Unit::kMatrix: return Port::kVector;
    case Unit::kSalu:
    case Unit::kSmem: return Port::kScalar;
    case Unit::kLds: return Port::kLds;
    case Unit::kVectorMemory:
    case Unit::kFlat: return Port::kVectorMemory;
    case Unit::kBranch:
    case Unit::kMessage: return Port::kBranch;
    case Unit::kInternal: return Port::kInternal;
  }
  return Port::kInternal;
}

unsigned unified_index(std::uint16_t operand, std::uint32_t accum_offset) {
  return code::is_agpr(operand) ? accum_offset + operand - code::kAgpr0
                                : operand - unsigned{code::kVgpr0};
}

machine::RegisterRange vector_range(std::uint16_t operand, unsigned dwords,
                                    std::uint32_t accum_offset) {
  if (!code::is_vector(operand)) return {};
  return {static_cast<std::uint16_t>(unified_index(operand, accum_offset)),
          static_cast<std::uint16_t>(dwords)};
}

/// Collects the registers that an instruction touches.
class Registers {
 public:
  Registers(StepFacts& facts, std::uint32_t accum_offset)
      : facts_(facts), accum_offset_(accum_offset) {}

  void read(std::uint16_t operand, unsigned dwords) {
    add(operand, dwords, facts_.vector_reads, facts_.scalar_reads);
  }
  void write(std::uint16_t operand, unsigned dwords) {
    add(operand, dwords, facts_.vector_writes, facts_.scalar_writes);
  }

 private:
  template <class Vector, class Scalar>
  void add(std::uint16_t operand, unsigned dwords, Vector& vector, Scalar& scalar) {
    if (code::is_vector(operand)) {
      vector.add(unified_index(operand, accum_offset_), dwords);
    } else if (operand < code::kScalarFile) {
      scalar.add(operand, dwords);
    }
  }
  StepFacts& facts_;
  const std::uint32_t accum_offset_;
};

void note_operands(const Instruction& instruction, Registers& registers) {
  const isa::Row& row = *instruction.row;
  const isa::EncodedSources encoded = isa::encoded_sources(row);
  for (unsigned index = 0; index < std::min(encoded.size(), instruction.src.size()); ++index) {
    if (encoded[index].role != Role::kSource) continue;
    std::uint16_t from = instruction.src[index];
    if (from == code::kNone && encoded[index].type == Type::kMask) from = code::kVcc;
    registers.read(from, isa::dwords_of(encoded[index].type));
  }
  for (const isa::Operand& operand : row.sources) {
    if (operand.role == Role::kImplicitVcc) registers.read(code::kVcc, 2);
    if (operand.role != Role::kAccumulator) continue;
    const unsigned dwords = isa::dwords_of(operand.type);
    registers.read(instruction.dst, dwords);
    if (row.result.type == Type::kNone) registers.write(instruction.dst, dwords);
  }
  if (row.result.type != Type::kNone) {
    registers.write(instruction.dst, isa::dwords_of(row.result.type));
  }
  if (row.mask_result) {
    registers.write(instruction.sdst != code::kNone ? instruction.sdst : code::kVcc, 2);
  }
  if (row.exec_result) registers.write(code::kExec, 2);
}

MemorySpace space_of(const Instruction& instruction) {
  switch (instruction.row->encoding.format) {
    case isa::Format::kSmem: return MemorySpace::kScalar;
    case isa::Format::kDs: return MemorySpace::kLds;
    default:
      return instruction.segment == isa::Format::kScratch ? MemorySpace::kScratch
                                                          : MemorySpace::kGlobal;
  }
}

void note_memory(const Instruction& instruction, std::uint32_t accum_offset, Registers& registers,
                 StepFacts& facts) {
  const isa::Row& row = *instruction.row;
  const isa::MemoryShape& shape = row.memory;
  facts.returns = encoding::returns(instruction);
  facts.glc = instruction.glc;
  facts.slc = instruction.slc;
  facts.scc = instruction.scc;
  facts.to_lds = shape.action == isa::MemoryAction::kLoadToLds || instruction.lds;
  if (shape.action != isa::MemoryAction::kCacheControl) {
    facts.space = space_of(instruction);
    facts.may_reach_lds =
        row.encoding.format == isa::Format::kFlat && instruction.segment == isa::Format::kFlat;
  }
  facts.address =
      vector_range(instruction.address, encoding::address_dwords(instruction), accum_offset);
  facts.stored = vector_range(instruction.data, encoding::data_dwords(instruction), accum_offset);
  facts.data = facts.stored.first;
  facts.stored2 = vector_range(instruction.data2, shape.data2_dwords, accum_offset);
  registers.read(instruction.address, encoding::address_dwords(instruction));
  registers.read(instruction.data, encoding::data_dwords(instruction));
  registers.read(instruction.data2, shape.data2_dwords);
  registers.read(instruction.scalar_base, encoding::resource_dwords(instruction));
  const bool image = row.encoding.format == isa::Format::kMimg;
  registers.read(instruction.scalar_offset, image ? 4 : 1);
  if (facts.returns) registers.write(instruction.dst, encoding::result_dwords(instruction));
}

void note_waitcnt(std::uint32_t immediate, StepFacts& facts) {
  // CDNA3 ISA guide, S_WAITCNT: vmcnt [3:0] and [15:14], lgkmcnt [11:8].
  facts.vmcnt_limit = static_cast<std::uint8_t>((immediate & 15) | ((immediate >> 14) & 3) << 4);
  facts.lgkmcnt_limit = static_cast<std::uint8_t>((immediate >> 8) & 15);
}

bool is_packed_f32(const isa::Row& row) {
  return row.result.type == Type::kPkF32 && row.unit == Unit::kValu;
}

/// Operations of VGPRs only of the sorts that CDNA3 issues for two waves at once (measured on
/// MI300X, SC25 CDNA3 data): additions and multiplications of f16, f32 and f64, and FMAs of f32.
bool is_all_vector_pair(const Instruction& instruction) {
  const isa::Row& row = *instruction.row;
  if (row.unit != Unit::kValu || is_packed_f32(row) || row.dot_product) return false;
  switch (isa::counter_class(row)) {
    case isa::CounterClass::kAddF16:
    case isa::CounterClass::kMulF16:
    case isa::CounterClass::kAddF32:
    case isa::CounterClass::kMulF32:
    case isa::CounterClass::kFmaF32:
    case isa::CounterClass::kAddF64:
    case isa::CounterClass::kMulF64: break;
    default: return false;
  }
  const isa::EncodedSources encoded = isa::encoded_sources(row);
  for (unsigned index = 0; index < encoded.size(); ++index) {
    if (encoded[index].role != Role::kSource || !code::is_vector(instruction.src[index]))
      return false;
  }
  return !isa::has_source(row, Role::kImplicitVcc);
}

/// Where a matrix instruction or a dot product reads what it adds to.
void note_sum(const Instruction& instruction, std::uint32_t accum_offset, StepFacts& facts) {
  const isa::Row& row = *instruction.row;
  const bool adds = (row.unit == Unit::kMatrix || row.dot_product) && row.source_count() > 2;
  if (!adds) return;
  // A sparse row has indices in src2, and D is C.
  const bool in_place = row.matrix.sparse || row.sources[2].role == Role::kAccumulator;
  const std::uint16_t c = in_place ? instruction.dst : instruction.src[2];
  facts.sum = vector_range(c, isa::dwords_of(row.result.type), accum_offset);
}

void note_lane_select(const Instruction& instruction, StepFacts& facts) {
  const isa::Row& row = *instruction.row;
  const bool selects = (row.scalar_result || row.lane_result) && row.source_count() == 2;
  if (selects && instruction.src[1] < code::kScalarFile)
    facts.lane_select = {instruction.src[1], 1};
}

/// Buffer stores with an SGPR as offset take so long to issue that their data is read meanwhile
/// (LLVM GCNHazardRecognizer.cpp, createsVALUHazard).
void note_wide_data(const Instruction& instruction, StepFacts& facts) {
  const isa::Row& row = *instruction.row;
  if (!isa::may_make_wait(row, isa::WaitAfter::kWideStore) || !code::is_vector(instruction.data))
    return;
  const bool is_buffer = row.unit == Unit::kVectorMemory;
  if (is_buffer && instruction.scalar_offset < code::kScalarFile) return;
  const unsigned dwords = encoding::data_dwords(instruction);
  if (dwords > 2) facts.wide_data = {facts.data, static_cast<std::uint16_t>(dwords)};
}

bool meets_others(const StepFacts& facts) {
  const isa::Row& row = *facts.row;
  if (row.unit == Unit::kMessage) return true;
  if (facts.port != Port::kVectorMemory) return false;
  switch (row.memory.action) {
    case isa::MemoryAction::kNone:
    case isa::MemoryAction::kCacheControl: return false;
    case isa::MemoryAction::kAtomic: return true;
    default: return facts.glc || facts.scc;
  }
}

}  // namespace

StepFacts step_facts(const Instruction& instruction, std::uint32_t accum_offset) {
  const isa::Row& row = *instruction.row;
  StepFacts facts;
  facts.row = &row;
  facts.dwords = instruction.dwords;
  facts.port = port_of(row.unit);
  facts.immediate = instruction.imm;
  facts.is_nop = row.counts_slots;
  facts.sets_priority = row.sets_priority;
  facts.counter_class = isa::counter_class(row);
  facts.operations = static_cast<std::uint8_t>(isa::operations_per_lane(row));
  facts.pairs = is_all_vector_pair(instruction);
  facts.packed_math = is_packed_f32(row);
  facts.conditional_branch = isa::branches(row) && !row.goes_on.never() && !isa::calls(row);
  if (row.sources[0].immediate == isa::ImmediateKind::kWaitcnt) {
    facts.is_waitcnt = true;
    note_waitcnt(static_cast<std::uint32_t>(instruction.imm), facts);
  }
  Registers registers(facts, accum_offset);
  if (row.memory.action != isa::MemoryAction::kNone) {
    note_memory(instruction, accum_offset, registers, facts);
  } else {
    note_operands(instruction, registers);
  }
  note_sum(instruction, accum_offset, facts);
  note_lane_select(instruction, facts);
  note_wide_data(instruction, facts);
  note_wait_rules(instruction, facts);
  facts.meets_others = meets_others(facts);
  return facts;
}

StepFacts step_facts(const Instruction& instruction, const ProgramSpec& spec) {
  if (!spec.skips_vectors || !isa::is_skipped(*instruction.row)) {
    return step_facts(instruction, spec.accum_offset);
  }
  StepFacts facts;
  facts.row = &isa::kSkippedRow;
  facts.dwords = instruction.dwords;
  return facts;
}

}  // namespace wavetank::execute
