#include "execute/translate.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "encoding/layout.hpp"
#include "encoding/operand.hpp"
#include "execute/handlers.hpp"
#include "execute/lane_control.hpp"
#include "execute/memory/image_resource.hpp"
#include "execute/skipped_op.hpp"
#include "isa/atomics.hpp"
#include "isa/skipping.hpp"
#include "isa/sources.hpp"

namespace wavetank::execute {
namespace {

using encoding::Form;
using encoding::Instruction;
namespace code = encoding::operand;

tl::unexpected<Error> unsupported(const Instruction& instruction, std::string why) {
  return fail(ErrorCode::kUnsupportedInstruction, fmt::format("{} {}", instruction.row->name, why));
}

/// Index in the unified vector file of a VGPR or AGPR operand.
Result<std::uint32_t> vector_index(const Instruction& instruction, std::uint16_t operand,
                                   unsigned dwords, const ProgramSpec& spec) {
  const bool agpr = code::is_agpr(operand);
  const std::uint32_t index =
      agpr ? spec.accum_offset + operand - code::kAgpr0 : operand - std::uint32_t{code::kVgpr0};
  if (index + dwords > spec.vgpr_count) {
    return fail(ErrorCode::kBadElf,
                fmt::format("{} uses {}{}, beyond the {} registers of the kernel",
                            instruction.row->name, agpr ? 'a' : 'v',
                            index - (agpr ? spec.accum_offset : 0) + dwords - 1, spec.vgpr_count));
  }
  return index;
}

/// Resolves source `index` of the row.
Result<void> resolve_source(Op& op, unsigned index, const Instruction& instruction,
                            std::uint16_t operand, isa::Type type, const ProgramSpec& spec) {
  const unsigned dwords = isa::dwords_of(type);
  if (code::is_vector(operand)) {
    auto number = vector_index(instruction, operand, dwords, spec);
    if (!number) return tl::unexpected(number.error());
    op.kind[index] = Source::kVector;
    op.src[index] = 256 * *number;
  } else if (operand < code::kScalarFile) {
    op.kind[index] = Source::kScalar;
    op.src[index] = 4u * operand;
    if (operand + dwords > code::kScalarFile)
      return unsupported(instruction, "reads past the scalar registers");
  } else if (operand == code::kScc) {
    op.kind[index] = Source::kScalar;
    op.src[index] = offsetof(machine::Wave, scc);
  } else if (operand == code::kSharedBase || operand == code::kPrivateBase) {
    op.kind[index] = Source::kConstant;
    op.constant[index] =
        operand == code::kSharedBase ? spec.shared_aperture : spec.private_aperture;
  } else if (operand == code::kSharedLimit || operand == code::kPrivateLimit) {
    op.kind[index] = Source::kConstant;
    op.constant[index] =
        (operand == code::kSharedLimit ? spec.shared_aperture : spec.private_aperture) |
        0xffffffffu;
  } else if (encoding::is_inline_constant(operand) || operand == code::kLiteral) {
    op.kind[index] = Source::kConstant;
    const bool matrix = instruction.row->matrix.present();
    op.constant[index] = encoding::constant_bits(
        operand, matrix ? instruction.row->constant_type(index) : type, instruction.literal);
  } else {
    return unsupported(instruction, fmt::format("with operand code {} has no support", operand));
  }
  return {};
}

/// Resolves all sources in encoding order.
Result<void> resolve_sources(Op& op, const Instruction& instruction, const ProgramSpec& spec) {
  const isa::EncodedSources sources = isa::encoded_sources(*instruction.row);
  for (unsigned index = 0; index < sources.size(); ++index) {
    const isa::Operand& operand = sources[index];
    if (operand.role == isa::Role::kImmediate) {
      op.kind[index] = Source::kConstant;
      op.constant[index] = static_cast<std::uint64_t>(std::int64_t{instruction.imm});
      continue;
    }
    std::uint16_t from = instruction.src[index];
    if (from == code::kNone && operand.type == isa::Type::kMask) from = code::kVcc;
    if (from == code::kNone) return unsupported(instruction, "has a source the decoder left out");
    auto done = resolve_source(op, index, instruction, from, operand.type, spec);
    if (!done) return done;
  }
  return {};
}

Result<void> resolve_result(Op& op, const Instruction& instruction, const ProgramSpec& spec) {
  if (instruction.sdst != code::kNone)
    op.sdst = instruction.sdst;
  else if (instruction.row->mask_result)
    op.sdst = code::kVcc;
  if (instruction.dst == code::kNone) return {};
  if (code::is_vector(instruction.dst)) {
    const unsigned dwords = isa::dwords_of(instruction.row->result.type);
    auto number = vector_index(instruction, instruction.dst, dwords, spec);
    if (!number) return tl::unexpected(number.error());
    op.dst = 256 * *number;
  } else {
    op.dst = 4u * instruction.dst;
  }
  return {};
}

/// Turns a resolved op into its SDWA or DPP form.
void wrap_lanes(Op& op, const Instruction& instruction) {
  for (unsigned i = 0; i < 2; ++i) {
    if (op.kind[i] == Source::kConstant) op.src[i] = static_cast<std::uint32_t>(op.constant[i]);
  }
  op.lanes = {.inner = op.run,
              .dpp_ctrl = instruction.dpp_ctrl,
              .row_mask = instruction.row_mask,
              .bank_mask = instruction.bank_mask,
              .dst_sel = instruction.dst_sel,
              .dst_unused = instruction.dst_unused,
              .src0_sel = instruction.src_sel[0],
              .src1_sel = instruction.src_sel[1],
              .sext = instruction.sext,
              .bound_ctrl = instruction.bound_ctrl};
  op.run = instruction.form == Form::kSdwa ? run_sdwa : run_dpp;
}

Result<void> translate_vector(Op& op, const Instruction& instruction, const HandlerSet& set,
                              const ProgramSpec& spec) {
  if (auto done = resolve_sources(op, instruction, spec); !done) return done;
  if (auto done = resolve_result(op, instruction, spec); !done) return done;
  op.neg = instruction.neg;
  op.abs = instruction.abs;
  op.op_sel = instruction.op_sel;
  op.op_sel_hi = instruction.op_sel_hi;
  op.omod = instruction.omod;
  op.clamp = instruction.clamp && !encoding::ignores_clamp(*instruction.row);
  op.keeps_high_half = instruction.row->keeps_high_half && instruction.form != Form::kSdwa;
  op.run = spec.floats.exact ? set.exact : set.usual;
  op.flushes_f32 = spec.floats.flushes_f32;
  op.is_not_ieee = !spec.floats.ieee;
  op.clamps_no_nan = !spec.floats.dx10_clamp;
  if (op.run == nullptr) return unsupported(instruction, "has no handler for this MODE");
  if (instruction.form == Form::kSdwa || instruction.form == Form::kDpp)
    wrap_lanes(op, instruction);
  return {};
}

/// Says which of CBSZ, ABID and BLGP a matrix row does not have, in AMD's matrix instruction
/// calculator's words what is "not supported"; hardware's behaviour there is not published.
std::string_view bad_matrix_modifier(const Instruction& instruction) {
  const isa::MatrixShape& shape = instruction.row->matrix;
  const unsigned cbsz = instruction.cbsz;
  if (instruction.blgp != 0 && !shape.swizzles_b && !shape.negates) return "has no BLGP";
  if ((cbsz != 0 || instruction.abid != 0) && !shape.broadcasts_a) return "has no CBSZ and ABID";
  if (shape.sparse) {
    const unsigned index_sets = 16 / shape.a_per_lane();
    return cbsz > 3 || instruction.abid >= index_sets ? "has no such set of indices" : "";
  }
  if (1u << cbsz > shape.blocks) return "has fewer blocks than CBSZ says";
  return instruction.abid >> cbsz != 0 ? "has an ABID beyond the blocks of CBSZ" : "";
}

Result<void> translate_matrix(Op& op, const Instruction& instruction, const HandlerSet& set,
                              const ProgramSpec& spec) {
  const std::string_view bad = bad_matrix_modifier(instruction);
  if (!bad.empty()) return unsupported(instruction, std::string(bad));
  if (auto done = resolve_sources(op, instruction, spec); !done) return done;
  if (auto done = resolve_result(op, instruction, spec); !done) return done;
  op.cbsz = instruction.cbsz;
  op.abid = instruction.abid;
  op.blgp = instruction.blgp;
  op.run = set.usual;
  return {};
}

Result<void> translate_scalar(Op& op, const Instruction& instruction, const HandlerSet& set,
                              const ProgramSpec& spec) {
  op.run = set.usual;
  if (auto done = resolve_sources(op, instruction, spec); !done) return done;
  if (instruction.dst != code::kNone) op.dst = 4u * instruction.dst;
  if (instruction.dst != code::kNone && instruction.dst >= code::kScalarFile) {
    return unsupported(instruction, "writes no register");
  }
  return {};
}

/// An operand of a memory instruction, and where the op has its number.
struct MemoryRegister {
  std::uint16_t code;
  unsigned dwords;
  std::uint16_t& to;
};

/// Index in the unified vector file of the register, if it is one.
Result<void> resolve_register(const MemoryRegister& from, const Instruction& instruction,
                              const ProgramSpec& spec) {
  from.to = MemoryOperands::kNoRegister;
  if (!code::is_vector(from.code)) return {};
  const auto index = vector_index(instruction, from.code, from.dwords, spec);
  if (!index) return tl::unexpected(index.error());
  from.to = static_cast<std::uint16_t>(*index);
  return {};
}

Handler choose_segment(const HandlerSet& set, const Instruction& instruction) {
  const bool flat = instruction.row->encoding.format == isa::Format::kFlat;
  return flat ? set.in_segment(instruction.segment) : set.usual;
}

bool is_dropped_on_fine_grained_memory(const isa::Row& row, const isa::Target& target) {
  return target.drops_fine_grained_float_atomics && row.encoding.format != isa::Format::kDs &&
         isa::is_float_operation(row.memory.atomic);
}

Result<void> translate_memory(Op& op, const Instruction& instruction, const HandlerSet& set,
                              const ProgramSpec& spec) {
  const isa::MemoryShape& shape = instruction.row->memory;
  op.run = choose_segment(set, instruction);
  if (op.run == nullptr) return unsupported(instruction, "is not implemented for this segment");
  MemoryOperands memory{};
  using encoding::address_dwords, encoding::data_dwords, encoding::result_dwords;
  for (const MemoryRegister& each :
       {MemoryRegister{instruction.address, address_dwords(instruction), memory.address},
        MemoryRegister{instruction.data, data_dwords(instruction), memory.data},
        MemoryRegister{instruction.data2, shape.data2_dwords, memory.data2},
        MemoryRegister{instruction.dst, result_dwords(instruction), memory.result}}) {
    if (auto done = resolve_register(each, instruction, spec); !done) return done;
  }
  if (instruction.dst != code::kNone && !code::is_vector(instruction.dst)) {
    op.dst = 4u * instruction.dst;
    if (instruction.dst + shape.result_dwords > code::kScalarFile) {
      return unsupported(instruction, "writes past the scalar registers");
    }
  }
  if (instruction.data != code::kNone && !code::is_vector(instruction.data)) {
    memory.data = instruction.data;
  }
  memory.offset = instruction.offset;
  memory.scalar_base = instruction.scalar_base == code::kNone
                           ? MemoryOperands::kNoScalarBase
                           : static_cast<std::uint8_t>(instruction.scalar_base);
  memory.scalar_offset = instruction.scalar_offset == code::kNone
                             ? static_cast<std::uint8_t>(code::kIntegerZero)
                             : static_cast<std::uint8_t>(instruction.scalar_offset);
  memory.returns = encoding::returns(instruction);
  memory.glc = instruction.glc;
  memory.slc = instruction.slc;
  memory.scc = instruction.scc;
  memory.asks_others = isa::asks_others(spec.target->has_scope_bits, instruction.glc,
                                        instruction.slc, instruction.scc);
  memory.lds = instruction.lds;
  memory.offen = instruction.offen;
  memory.idxen = instruction.idxen;
  memory.scalar_offset_enable = instruction.scalar_offset_enable;
  memory.segment = instruction.segment;
  memory.use_address = instruction.address != code::kNone;
  memory.buffer_format = instruction.buffer_format;
  memory.coarse_only = is_dropped_on_fine_grained_memory(*instruction.row, *spec.target);
  if (instruction.row->encoding.format == isa::Format::kMimg) {
    memory.data2 = ImageControl::of(instruction).packed();
  }
  op.memory = memory;
  return {};
}

/// How the instructions of a kind become ops.
auto translate_as(isa::Shape shape) {
  switch (shape) {
    case isa::Shape::kMemory: return translate_memory;
    case isa::Shape::kScalar:
    case isa::Shape::kControl: return translate_scalar;
    case isa::Shape::kMatrix: return translate_matrix;
    case isa::Shape::kValu:
    case isa::Shape::kPacked:
    case isa::Shape::kMixed:
    case isa::Shape::kWave: break;
  }
  return translate_vector;
}

}  // namespace

Result<Op> translate(const Instruction& instruction, const ProgramSpec& spec) {
  const isa::Row& row = *instruction.row;
  const HandlerSet& set = handlers()[row.id];
  if (set.usual == nullptr) return unsupported(instruction, "is not implemented");
  Op op;
  op.dwords = instruction.dwords;
  op.row = row.id;
  const auto done = translate_as(row.shape)(op, instruction, set, spec);
  if (!done) return tl::unexpected(done.error());
  if (spec.skips_vectors && isa::is_skipped(row)) op.run = run_skipped;
  return op;
}

}  // namespace wavetank::execute
