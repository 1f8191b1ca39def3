// Instructions that decide what runs next, or that speak to the sequencer: SOPP, and the SOP1 and
// SOPK rows that read or write the program counter (CDNA3 ISA guide, "Program Flow Control").
// A body gets the wave and its op and returns the next op, or stops the wave.
#pragma once

#include <cstdint>

#include "isa/define.hpp"

namespace wavetank::isa {

// The functions the bodies use (next, simm16, branch_if, jump, end_wave, give_way ...) are the
// executor's, in execute/control.cpp; they are found through their arguments. What an op is, only
// they know.

inline constexpr auto kSoppFlow = table(
    control<void(UnsignedImmediate)>("s_nop", "Waits SIMM16[3:0] + 1 issue slots.", sopp(0),
                                     [](auto&, const auto* op) { return next(op); })
        .counts_slots()
        .in(Unit::kInternal)
        .pauses(Pause::kWait),
    control<void()>("s_endpgm", "Ends the wave.", sopp(1),
                    [](auto& w, const auto* op) { return end_wave(w, op); })
        .ends_flow()
        .in(Unit::kInternal)
        .pauses(Pause::kEnd),
    control<void(BranchOffset)>("s_branch", "Jumps.", sopp(2),
                                [](auto& w, const auto* op) { return branch_if(w, op, true); })
        .ends_flow(),
    control<void()>("s_wakeup", "Wakes sleeping waves of the workgroup.", sopp(3),
                    [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void(BranchOffset)>("s_cbranch_scc0", "Jumps if SCC is 0.", sopp(4),
                                [](auto& w, const auto* op) { return branch_if(w, op, !w.scc); }),
    control<void(BranchOffset)>("s_cbranch_scc1", "Jumps if SCC is 1.", sopp(5),
                                [](auto& w, const auto* op) { return branch_if(w, op, w.scc); }),
    control<void(BranchOffset)>(
        "s_cbranch_vccz", "Jumps if VCC is zero.", sopp(6),
        [](auto& w, const auto* op) { return branch_if(w, op, w.vcc() == 0); }),
    control<void(BranchOffset)>(
        "s_cbranch_vccnz", "Jumps if VCC is not zero.", sopp(7),
        [](auto& w, const auto* op) { return branch_if(w, op, w.vcc() != 0); }),
    control<void(BranchOffset)>(
        "s_cbranch_execz", "Jumps if EXEC is zero.", sopp(8),
        [](auto& w, const auto* op) { return branch_if(w, op, w.exec() == 0); }),
    control<void(BranchOffset)>(
        "s_cbranch_execnz", "Jumps if EXEC is not zero.", sopp(9),
        [](auto& w, const auto* op) { return branch_if(w, op, w.exec() != 0); }),
    control<void()>("s_barrier", "Waits for all waves of the workgroup.", sopp(10),
                    [](auto& w, const auto* op) { return wait_at_barrier(w, op); })
        .in(Unit::kInternal)
        .pauses(Pause::kBarrier),
    control<void(UnsignedImmediate)>(
        "s_setkill", "Ends the wave if SIMM16[0] is 1.", sopp(11),
        [](auto& w, const auto* op) { return simm16(op) & 1 ? end_wave(w, op) : next(op); })
        .goes_on_if(1, 0)
        .in(Unit::kInternal),
    control<void(Immediate<ImmediateKind::kWaitcnt>)>(
        "s_waitcnt", "Waits for memory counters.", sopp(12),
        [](auto& w, const auto* op) { return wait(w, op); })
        .in(Unit::kInternal)
        .pauses(Pause::kWait),
    control<void(UnsignedImmediate)>("s_sethalt",
                                     "Halts the wave for a debugger; none is attached.", sopp(13),
                                     [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void(UnsignedImmediate)>("s_sleep", "Sleeps about 64 * SIMM16[6:0] clocks.", sopp(14),
                                     [](auto& w, const auto* op) { return give_way(w, op); })
        .in(Unit::kInternal)
        .pauses(Pause::kSleep),
    control<void(UnsignedImmediate)>("s_setprio", "Sets the wave's priority.", sopp(15),
                                     [](auto& w, const auto* op) {
                                       w.priority = simm16(op) & 3;
                                       return next(op);
                                     })
        .sets_priority()
        .in(Unit::kInternal),
    control<void(Immediate<ImmediateKind::kMessage>)>(
        "s_sendmsg", "Sends a message; MSG_INTERRUPT (1) wakes the host.", sopp(16),
        [](auto& w, const auto* op) {
          return (simm16(op) & 15) == 1 ? wake_host(w, op) : next(op);
        })
        .in(Unit::kMessage),
    control<void(Immediate<ImmediateKind::kMessage>)>(
        "s_sendmsghalt", "Sends a message and halts for a debugger.", sopp(17),
        [](auto& w, const auto* op) {
          return (simm16(op) & 15) == 1 ? wake_host(w, op) : next(op);
        })
        .in(Unit::kMessage),
    control<void(UnsignedImmediate)>(
        // The trap handler of ROCm's runtime goes on after 3, if no debugger is attached, and gives
        // every other number up as an error of the queue (LLVM AMDGPUUsage, "Trap Handler ABI").
        "s_trap", "Traps: 2 aborts the kernel, 3 is a debugger's breakpoint; others abort too.",
        sopp(18),
        [](auto& w, const auto* op) { return (simm16(op) & 255) == 3 ? next(op) : trap(w, op); })
        .goes_on_if(255, 3)
        .in(Unit::kMessage),
    control<void()>("s_icache_inv", "Invalidates the instruction cache.", sopp(19),
                    [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void(UnsignedImmediate)>("s_incperflevel", "Counts up a performance counter.", sopp(20),
                                     [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void(UnsignedImmediate)>("s_decperflevel", "Counts down a performance counter.",
                                     sopp(21), [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void()>("s_ttracedata", "Writes M0 to the thread trace.", sopp(22),
                    [](auto&, const auto* op) { return next(op); })
        .in(Unit::kInternal),
    control<void(BranchOffset)>("s_cbranch_cdbgsys",
                                "Jumps if the debugger's system flag is set; none is attached.",
                                sopp(23), [](auto&, const auto* op) { return next(op); }),
    control<void(BranchOffset)>("s_cbranch_cdbguser",
                                "Jumps if the debugger's user flag is set; none is attached.",
                                sopp(24), [](auto&, const auto* op) { return next(op); }),
    control<void(BranchOffset)>("s_cbranch_cdbgsys_or_user",
                                "Jumps if one of the debugger's flags is set; none is attached.",
                                sopp(25), [](auto&, const auto* op) { return next(op); }),
    control<void(BranchOffset)>("s_cbranch_cdbgsys_and_user",
                                "Jumps if both of the debugger's flags are set; none is attached.",
                                sopp(26), [](auto&, const auto* op) { return next(op); }),
    control<void()>("s_set_gpr_idx_off", "Leaves the register-indexing mode.", sopp(28),
                    [](auto& w, const auto* op) {
                      w.indexes_registers = false;
                      return next(op);
                    })
        .in(Unit::kInternal)
        .indexing(RegisterIndexing::kEnds),
    control<void(Immediate<ImmediateKind::kGprIndexMode>)>(
        "s_set_gpr_idx_mode", "Chooses which operands register indexing applies to.", sopp(29),
        [](auto& w, const auto* op) {
          w.m0() = (w.m0() & ~0xf000u) | (simm16(op) & 15) << 12;
          return next(op);
        })
        .in(Unit::kInternal),
    control<void()>("s_endpgm_saved", "Ends the wave after a context save.", sopp(27),
                    [](auto& w, const auto* op) { return end_wave(w, op); })
        .ends_flow()
        .in(Unit::kInternal)
        .pauses(Pause::kEnd),
    control<void()>("s_endpgm_ordered_ps_done", "Ends the wave.", sopp(30),
                    [](auto& w, const auto* op) { return end_wave(w, op); })
        .ends_flow()
        .in(Unit::kInternal)
        .pauses(Pause::kEnd));

/// Program counter and hardware registers.
inline constexpr auto kProgramCounter = table(
    control<U64()>("s_getpc_b64", "Address of the following instruction.", sop1(28),
                   [](auto& w, const auto* op) {
                     write_scalar64(w, op, program_counter(w, next(op)));
                     return next(op);
                   })
        .means(Meaning::kProgramCounter),
    control<void(Sgpr<U64>)>(
        "s_setpc_b64", "Jumps to an address.", sop1(29),
        [](auto& w, const auto* op) { return jump(w, op, scalar_source64(w, op, 0)); })
        .ends_flow()
        .jumps_indirectly(),
    control<U64(U64)>("s_swappc_b64", "Jumps to an address and keeps the return address.", sop1(30),
                      [](auto& w, const auto* op) {
                        const auto target = scalar_source64(w, op, 0);
                        write_scalar64(w, op, program_counter(w, next(op)));
                        return jump(w, op, target);
                      })
        .jumps_indirectly(),
    control<U64(BranchOffset)>("s_call_b64", "Calls a function at an offset.", sopk(21),
                               [](auto& w, const auto* op) {
                                 write_scalar64(w, op, program_counter(w, next(op)));
                                 return branch_if(w, op, true);
                               }),
    control<U32(HwregField)>("s_getreg_b32", "Reads a field of a hardware register.", sopk(17),
                             [](auto& w, const auto* op) {
                               write_scalar32(w, op, read_hardware_register(w, op));
                               return next(op);
                             })
        .in(Unit::kSalu),
    control<void(HwregField, Accumulate<U32>)>(
        "s_setreg_b32", "Writes a field of a hardware register.", sopk(18),
        [](auto& w, const auto* op) {
          return write_hardware_register(w, op, accumulator32(w, op));
        })
        .in(Unit::kSalu),
    control<void(HwregField, Literal<U32>)>(
        "s_setreg_imm32_b32", "Writes a field of a hardware register.", sopk(20),
        [](auto& w, const auto* op) { return write_hardware_register(w, op, literal32(op)); })
        .in(Unit::kSalu),
    control<void(U32, U32)>(
        "s_setvskip", "Skips vector instructions from here on if bit src1[4:0] of src0 is 1.",
        sopc(16),
        [](auto& w, const auto* op) {
          const auto bits = scalar_source32(w, op, 0);
          w.mode.set_skips_vectors((bits >> (scalar_source32(w, op, 1) & 31) & 1) != 0);
          return follow_mode(w, op);
        })
        .in(Unit::kSalu),
    control<void(U32, Immediate<ImmediateKind::kGprIndexMode>)>(
        "s_set_gpr_idx_on", "Enters the register-indexing mode with index src0.", sopc(17),
        [](auto& w, const auto* op) {
          w.m0() = (w.m0() & ~0xf0ffu) | (scalar_source32(w, op, 0) & 0xff) |
                   (immediate32(op) & 15) << 12;
          return run_indexed(w, next(op));
        })
        .indexing(RegisterIndexing::kBegins),
    control<void(U32)>("s_set_gpr_idx_idx", "Sets the register index.", sop1(50),
                       [](auto& w, const auto* op) {
                         w.m0() = (w.m0() & ~0xffu) | (scalar_source32(w, op, 0) & 0xff);
                         return next(op);
                       }),
    control<U32(Sgpr<U32>)>("s_movrels_b32", "Copies SGPR src0 + M0.", sop1(42),
                            [](auto& w, const auto* op) { return move_relative(w, op, 1, true); })
        .means(Meaning::kRegisterIndexed),
    control<U64(Sgpr<U64>)>("s_movrels_b64", "Copies the SGPR pair src0 + M0.", sop1(43),
                            [](auto& w, const auto* op) { return move_relative(w, op, 2, true); })
        .means(Meaning::kRegisterIndexed),
    control<U32(U32)>("s_movreld_b32", "Copies to SGPR dst + M0.", sop1(44),
                      [](auto& w, const auto* op) { return move_relative(w, op, 1, false); })
        .means(Meaning::kRegisterIndexed),
    control<U64(U64)>("s_movreld_b64", "Copies to the SGPR pair dst + M0.", sop1(45),
                      [](auto& w, const auto* op) { return move_relative(w, op, 2, false); })
        .means(Meaning::kRegisterIndexed));

inline constexpr auto kSoppTables = tables(kSoppFlow, kProgramCounter);

}  // namespace wavetank::isa
