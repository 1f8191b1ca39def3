// Control flow, stops, and the hardware registers that scalar code reads and writes.
#include "execute/invalid_op.hpp"
#include "execute/program.hpp"
#include "execute/registry.hpp"
#include "execute/scalar_source.hpp"
#include "execute/turns.hpp"

namespace wavetank::execute {

using machine::Stop;
using machine::Wave;

namespace {

/// Leaves the wave at `op`, which cannot run.
const Op* refuse(Wave& wave, const Op* op, const char* reason) {
  program_of(wave).refuse(reason);
  return leave(wave, op, Stop::kUnsupported);
}

/// Hardware registers (LLVM AMDGPUUsage and SIDefines.h, "Hwreg").
enum class HardwareRegister : unsigned {
  kMode = 1,
  kStatus = 2,
  kTrapStatus = 3,
  kHardwareId = 4,
  kGprAlloc = 5,
  kLdsAlloc = 6,
  kSharedMemoryBases = 15,
  kXccId = 20,
};

std::uint32_t whole_register(const Wave& wave, unsigned id) {
  switch (static_cast<HardwareRegister>(id)) {
    case HardwareRegister::kMode: return wave.mode.bits;
    case HardwareRegister::kStatus:
      return wave.scc | (wave.exec() == 0 ? 1u << 9 : 0) | (wave.vcc() == 0 ? 1u << 10 : 0) |
             1u << 16;
    case HardwareRegister::kHardwareId: return wave.hardware_id;
    case HardwareRegister::kLdsAlloc: return (wave.workgroup->lds_bytes / 512) << 12;
    case HardwareRegister::kGprAlloc: return ((wave.vgpr_count / 8 - 1) & 0x3f) << 8;
    case HardwareRegister::kSharedMemoryBases:
      return static_cast<std::uint32_t>(wave.environment->shared_aperture >> 48) << 16 |
             static_cast<std::uint32_t>(wave.environment->private_aperture >> 48);
    case HardwareRegister::kXccId: return wave.xcc_id;
    default: return 0;
  }
}

/// Moves a vector operand of an op under register indexing (CDNA3 ISA guide, "GPR Indexing").
bool index_operand(const Wave& wave, std::uint32_t& offset, unsigned dwords) {
  const std::uint32_t moved = offset / 256 + (wave.m0() & 0xff);
  offset = 256 * moved;
  return moved + dwords <= wave.vgpr_count;
}

}  // namespace

// What the bodies of isa/sopp.hpp say of an op.

inline const Op* next(const Op* op) { return op + op->dwords; }
/// SIMM16 of SOPP.
inline std::uint32_t simm16(const Op* op) { return static_cast<std::uint32_t>(op->immediate); }
/// The immediate in place of the second source of SOPC.
inline std::uint32_t immediate32(const Op* op) {
  return static_cast<std::uint32_t>(op->constant[1]);
}
/// The literal of SOPK.
inline std::uint32_t literal32(const Op* op) { return static_cast<std::uint32_t>(op->constant[1]); }
/// The old value of the SGPR that SDST names.
inline std::uint32_t accumulator32(const Wave& wave, const Op* op) {
  return wave.sgpr[op->dst / 4];
}
inline void write_scalar32(Wave& wave, const Op* op, std::uint32_t value) {
  wave.sgpr[op->dst / 4] = value;
}
inline void write_scalar64(Wave& wave, const Op* op, std::uint64_t value) {
  wave.set_scalar64(op->dst / 4, value);
}

const Op* end_wave(Wave& wave, const Op* op) { return leave(wave, op, Stop::kEnded); }
const Op* wait_at_barrier(Wave& wave, const Op* op) { return leave(wave, op + 1, Stop::kBarrier); }
const Op* give_way(Wave& wave, const Op* op) { return leave(wave, op + 1, Stop::kWaiting); }
const Op* wake_host(Wave& wave, const Op* op) { return leave(wave, op + 1, Stop::kHost); }
const Op* trap(Wave& wave, const Op* op) { return leave(wave, op, Stop::kTrap); }

/// Memory is at once where it is asked for; the time that a device would wait belongs to others.
inline const Op* wait(Wave& wave, const Op* op) {
  return op->gives_turn ? give_turn(wave, op + 1) : op + 1;
}

/// Branches by Op::branch; a backward branch costs the time slice, so that spinning waves yield,
/// but under register indexing, whose regions are executed as a whole.
inline const Op* branch_if(Wave& wave, const Op* op, bool taken) {
  if (!taken) return op + 1;
  const Op* const target = op + 1 + op->branch;
  if (op->branch >= 0) return target;
  wave.budget -= op->polls ? kPollCost : 1;
  if (wave.budget >= 0 || wave.indexes_registers) return target;
  return leave(wave, target, op->polls ? Stop::kWaiting : Stop::kYield);
}

std::uint64_t program_counter(const Wave& wave, const Op* op) {
  return program_of(wave).address_of(op);
}

/// Goes to an address in a register; one that holds no code stops the wave.
const Op* jump(Wave& wave, const Op* op, std::uint64_t address) {
  Program* program = &program_of(wave);
  const Op* const target = program->at(address, program);
  wave.program = program;
  if (target == nullptr) return leave(wave, op, Stop::kUnsupported);
  if (--wave.budget < 0) return leave(wave, target, Stop::kYield);
  return target;
}

/// s_getreg: bits [5:0] register, [10:6] first bit, [15:11] width - 1.
std::uint32_t read_hardware_register(const Wave& wave, const Op* op) {
  const auto bits = static_cast<std::uint32_t>(op->constant[0]);
  const unsigned offset = (bits >> 6) & 31, width = ((bits >> 11) & 31) + 1;
  const std::uint64_t value = whole_register(wave, bits & 63) >> offset;
  return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << width) - 1));
}

/// Goes on behind an op that wrote MODE, which may change what handlers are right, and the program
/// with them.
const Op* follow_mode(Wave& wave, const Op* op) {
  Program* program = &program_of(wave);
  const auto moved = program->in_mode(next(op), wave.mode, program);
  wave.program = program;
  return moved ? *moved : leave(wave, op, Stop::kUnsupported);
}

/// s_setreg. Registers that configure traps and debugging have no effect here.
const Op* write_hardware_register(Wave& wave, const Op* op, std::uint32_t value) {
  const auto bits = static_cast<std::uint32_t>(op->constant[0]);
  if (static_cast<HardwareRegister>(bits & 63) != HardwareRegister::kMode) return next(op);
  const unsigned offset = (bits >> 6) & 31, width = ((bits >> 11) & 31) + 1;
  const auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << width) - 1) << offset);
  wave.mode.bits = (wave.mode.bits & ~mask) | ((value << offset) & mask);
  return follow_mode(wave, op);
}

/// Runs a VALU op with the operands that M0[12..15] choose, src0, src1, src2 and dst, moved by
/// M0[7:0].
const Op* run_moved(Wave& wave, const Op* op) {
  const std::uint32_t which = wave.m0() >> 12;
  const isa::Row& row = row_of(*op);
  Op moved = *op;
  bool inside = true;
  for (unsigned i = 0; i < 3; ++i) {
    if (((which >> i) & 1) != 0 && moved.kind[i] == Source::kVector && i < row.source_count()) {
      inside = index_operand(wave, moved.src[i], isa::dwords_of(row.sources[i].type)) && inside;
    }
  }
  if ((which & 8) != 0 && !row.scalar_result && row.result.type != isa::Type::kNone) {
    inside = index_operand(wave, moved.dst, isa::dwords_of(row.result.type)) && inside;
  }
  if (!inside) return refuse(wave, op, "M0 moves an operand beyond the registers of the kernel");
  moved.run(wave, &moved);
  return op + op->dwords;
}

bool goes_on(Stop stop) {
  return stop != Stop::kEnded && stop != Stop::kTrap && stop != Stop::kFault &&
         stop != Stop::kUnsupported;
}

/// Runs the ops of a register-indexing region, until s_set_gpr_idx_off. A wave that jumps out of
/// it, or has to wait for others in it, stops as unsupported: compiled code and listeners know such
/// regions as they stand in the text.
const Op* run_indexed(Wave& wave, const Op* op) {
  if (wave.indexes_registers) return op;
  wave.indexes_registers = true;
  while (op != nullptr && wave.indexes_registers) {
    if (op->run == run_invalid) return run_invalid(wave, op);
    const isa::Row& row = row_of(*op);
    if (!op->under_indexing && row.indexing != isa::RegisterIndexing::kEnds) {
      return refuse(wave, op, "a jump led here from between s_set_gpr_idx_on and _off");
    }
    const Op* const next = row.unit == isa::Unit::kValu ? run_moved(wave, op) : op->run(wave, op);
    if (next == nullptr && goes_on(wave.stop)) {
      return refuse(wave, op, "it waits for other waves between s_set_gpr_idx_on and _off");
    }
    op = next;
  }
  return op;
}

/// s_movrel*: an SGPR index plus M0; beyond the SGPRs the wave stops.
const Op* move_relative(Wave& wave, const Op* op, unsigned dwords, bool source) {
  const std::uint32_t from = op->src[0] / 4 + (source ? wave.m0() : 0);
  const std::uint32_t to = op->dst / 4 + (source ? 0 : wave.m0());
  if (to + dwords > 108 || (op->kind[0] == Source::kScalar && from + dwords > 108)) {
    return refuse(wave, op, "M0 moves an operand beyond the SGPRs");
  }
  for (unsigned i = 0; i < dwords; ++i) {
    wave.sgpr[to + i] = op->kind[0] == Source::kConstant
                            ? static_cast<std::uint32_t>(op->constant[0] >> (32 * i))
                            : wave.sgpr[from + i];
  }
  return next(op);
}

}  // namespace wavetank::execute

// After the functions above: the bodies find them through their arguments.
#include "isa/sopp.hpp"

namespace wavetank::execute {
namespace {

template <class Definition>
const Op* run(Wave& wave, const Op* op) {
  return typename Definition::Body{}(wave, op);
}

constexpr auto kControl = []<class Definition>() { return HandlerSet{&run<Definition>}; };

}  // namespace

void append_control(Entries& entries) { append(entries, isa::kSoppTables, kControl); }

}  // namespace wavetank::execute
