// The architectural state of one wavefront, and what it shares with its workgroup and its device.
//
// Scalar operand codes (isa/operand_code.hpp) index `sgpr` directly; vector register n of lane l is
// vgpr[64 * n + l]. AccVGPRs continue in the same file at accum_offset, as in the unified register
// file of gfx90a and gfx942.
#pragma once

#include <atomic>
#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/dim3.hpp"
#include "isa/operand_code.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::machine {

/// A place in the code that a wave runs, and the code: all that the machine knows of what an
/// executor, who derives from both, makes of instructions.
struct CodeSlot {};
struct Code {};

class Listener;
class UndefinedRegisters;

inline constexpr unsigned kLanes = 64;
inline constexpr unsigned kRegisterBytes = 4 * kLanes;  ///< of a vector register

/// Calls visit(lane) for each lane of a set, in ascending order.
template <class Visit>
void for_each_lane(std::uint64_t lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// Why a wave gave the host thread back.
enum class Stop : std::uint8_t {
  kRunning,      ///< it did not
  kEnded,        ///< s_endpgm
  kBarrier,      ///< waits at s_barrier
  kTurn,         ///< waits for memory: the other waves of its workgroup go first
  kYield,        ///< its time slice is over: let other workgroups run
  kWaiting,      ///< the same, but it only waited for what others do
  kHost,         ///< sent MSG_INTERRUPT: the host has something to do
  kGwsBarrier,   ///< waits at ds_gws_barrier
  kTrap,         ///< s_trap, but for debugtrap
  kFault,        ///< touched memory it may not touch; see Fault
  kUnsupported,  ///< reached an instruction that cannot run
};

/// Has a wave ended, or does it wait for others at a barrier?
constexpr bool is_over_or_held(Stop stop) {
  return stop == Stop::kEnded || stop == Stop::kBarrier || stop == Stop::kGwsBarrier;
}

/// A memory violation: where and what.
struct Fault {
  std::uint64_t address = 0;
  unsigned lane = 0;
  bool write = false;
};

/// Time as device code sees it. The cycle model supplies its own.
struct Clock {
  virtual ~Clock() = default;
  virtual std::uint64_t cycles() = 0;     ///< s_memtime: engine clock
  virtual std::uint64_t reference() = 0;  ///< s_memrealtime: 100 MHz
};

/// What all waves of a launch share.
struct Environment {
  std::uint64_t arena_begin = 0;
  std::uint64_t arena_size_bytes = 0;
  const DeviceMemory* memory = nullptr;
  Clock* clock = nullptr;
  Listener* listener = nullptr;        ///< hears of the instructions of listened programs
  std::uint64_t shared_aperture = 0;   ///< FLAT addresses of LDS: the upper 32 bits
  std::uint64_t private_aperture = 0;  ///< FLAT addresses of scratch
  std::atomic<std::uint32_t> gws_waiting{0};
  std::uint32_t gws_total = 0;
  /// The launch writes more than the host's caches hold: a wave's last store goes past them.
  bool writes_past_cache = false;
  /// Address of an instruction whose effect was dropped (a float atomic on fine-grained memory).
  std::atomic<std::uint64_t> dropped_at{0};
};

/// Compiled code that touches memory before it is known to be there, and what is known of it.
struct AccessGuard {
  /// Host addresses: a memory fault between begin and end goes on at `landing`.
  struct Range {
    std::uint64_t begin = 0, end = 0, landing = 0;
  };
  /// How often waves were left to the handlers. Of code that serves some waves only it grows by
  /// kMissCost with each that it could not serve and shrinks by one with each other; above
  /// kMostMisses the code takes itself out. Threads lose counts of each other: only speed depends
  /// on it.
  std::uint32_t misses = 0;
  std::vector<Range> ranges;
  static constexpr std::uint8_t kMissCost = 9;
  static constexpr std::uint32_t kMostMisses = 1024;
};

/// What the waves of a workgroup share.
struct Workgroup {
  std::byte* lds = nullptr;     ///< 64-byte aligned
  std::uint32_t lds_bytes = 0;  ///< allocated: beyond it nothing is written, and zeros are read
  const std::byte* scratch = nullptr;  ///< of all its waves
  std::uint64_t scratch_bytes = 0;
  Dim3 id;
  void* listened = nullptr;  ///< what the launch's listener keeps of the workgroup
};

/// MODE register bits (CDNA3 ISA guide, "MODE register").
struct Mode {
  std::uint32_t bits = 0;
  bool dx10_clamp() const { return (bits >> 8) & 1; }
  bool ieee() const { return (bits >> 9) & 1; }
  bool fp16_overflow() const { return (bits >> 23) & 1; }
  /// VSKIP: vector instructions are passed over (isa/skipping.hpp).
  bool skips_vectors() const { return (bits >> 28) & 1; }
  void set_skips_vectors(bool skips) { bits = (bits & ~(1u << 28)) | (skips ? 1u << 28 : 0u); }
  /// True when the fast path's assumptions hold: nearest-even, denormals kept, IEEE and DX10 on.
  bool is_default() const { return (bits & 0x8003ff) == 0x3f0; }
  /// f32 denormals: 0 flushed on the way in and out, 3 kept.
  unsigned f32_denormals() const { return bits >> 4 & 3; }
  /// True if the rest is as in the default: all rounds to nearest-even, f64 and f16 keep denormals,
  /// f16 overflows to infinity.
  bool rounds_as_default() const { return (bits & 0x8000cf) == 0xc0; }
};

/// One wavefront. The scalar file comes first: operand offsets count from the object's start.
struct alignas(64) Wave {
  std::uint32_t sgpr[isa::operand::kScalarFile] = {};
  std::uint32_t* vgpr = nullptr;  ///< 64 lanes per register, 64-byte aligned
  std::uint32_t vgpr_count = 0;
  std::uint32_t accum_offset = 0;
  std::int64_t budget = 0;            ///< what is left of the time slice, in backward branches
  const CodeSlot* current = nullptr;  ///< the instruction that touches memory, for faults
  const CodeSlot* next = nullptr;     ///< where to go on
  Code* program = nullptr;            ///< the code it runs
  std::uint32_t scc = 0;              ///< 0 or 1; a source operand of its own
  std::uint32_t scc_high = 0;         ///< reads of SCC as 64 bits end here
  Stop stop = Stop::kRunning;
  bool shares_turns = false;  ///< its workgroup has other waves
  Mode mode;
  Environment* environment = nullptr;
  Workgroup* workgroup = nullptr;
  Fault fault;
  std::uint32_t scratch_bytes = 0;  ///< of the whole wave
  bool indexes_registers = false;   ///< between s_set_gpr_idx_on and s_set_gpr_idx_off
  std::uint32_t hardware_id = 0;    ///< HW_ID
  std::uint32_t xcc_id = 0;         ///< XCC_ID (gfx942)
  std::uint32_t priority = 0;
  std::uint32_t id_in_group = 0;
  std::jmp_buf* fault_exit = nullptr;  ///< where memory faults leave the executor
  const AccessGuard* guard = nullptr;  ///< of the compiled code that touched memory last
  /// Of the compiled code that runs: where scratch begins, less `vgpr`, and bytes of its whole
  /// rows.
  std::uint64_t scratch_rows = 0;
  std::uint32_t scratch_rows_bytes = 0;
  /// The undefined bits of its registers, if the launch's listener follows them. Its listener's.
  UndefinedRegisters* undefined = nullptr;

  std::uint64_t scalar64(unsigned index) const {
    std::uint64_t value;
    std::memcpy(&value, &sgpr[index], 8);
    return value;
  }
  void set_scalar64(unsigned index, std::uint64_t value) { std::memcpy(&sgpr[index], &value, 8); }
  std::uint64_t exec() const { return scalar64(isa::operand::kExec); }
  void set_exec(std::uint64_t mask) { set_scalar64(isa::operand::kExec, mask); }
  std::uint64_t vcc() const { return scalar64(isa::operand::kVcc); }
  void set_vcc(std::uint64_t mask) { set_scalar64(isa::operand::kVcc, mask); }
  std::uint32_t& m0() { return sgpr[isa::operand::kM0]; }
  std::uint32_t m0() const { return sgpr[isa::operand::kM0]; }
  /// Where its scratch memory begins.
  std::uint64_t flat_scratch() const { return scalar64(isa::operand::kFlatScratch); }
  void set_flat_scratch(std::uint64_t address) {
    set_scalar64(isa::operand::kFlatScratch, address);
  }
  std::uint32_t* vector(unsigned index) const { return vgpr + std::size_t{64} * index; }
  /// Leaves the executor with a memory fault at `address`.
  [[noreturn]] void raise_fault(std::uint64_t address, unsigned lane, bool write) {
    fault = {address, lane, write};
    std::longjmp(*fault_exit, 1);
  }
};

}  // namespace wavetank::machine
