// One instruction at a time: what the cycle model may know of a program that it drives. It sees
// facts about the next instruction, asks for it to be executed, and is told which lanes touched
// what. It never sees values.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "isa/counter_class.hpp"
#include "isa/row.hpp"
#include "machine/lane_addresses.hpp"

namespace wavetank::machine {

/// The issue port that takes an instruction (CDNA3 ISA guide and rocprofiler-compute, "Pipeline
/// descriptions": in each cycle one of each, from different waves).
enum class Port : std::uint8_t {
  kVector,        ///< VALU and matrix
  kScalar,        ///< SALU and SMEM
  kVectorMemory,  ///< buffer, global, scratch, flat
  kLds,
  kBranch,    ///< branches and messages
  kInternal,  ///< s_waitcnt, s_nop ...: done in the instruction buffer
};
inline constexpr unsigned kPortCount = 6;

/// Registers of one file, [first, first + count).
struct RegisterRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  bool overlaps(const RegisterRange& other) const {
    return first < other.first + other.count && other.first < first + count;
  }
};

/// A few ranges, without allocation.
template <unsigned kMost>
struct RegisterRanges {
  std::array<RegisterRange, kMost> range = {};
  std::uint8_t count = 0;
  /// Bit n % 64 for each register n: ranges without a common one do not overlap.
  std::uint64_t numbers = 0;
  void add(unsigned first, unsigned length) {
    if (length == 0 || count == kMost) return;
    const std::uint64_t from_0 = length < 64 ? (std::uint64_t{1} << length) - 1 : ~std::uint64_t{0};
    numbers |= std::rotl(from_0, static_cast<int>(first % 64));
    range[count++] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(length)};
  }
  const RegisterRange* begin() const { return range.data(); }
  const RegisterRange* end() const { return range.data() + count; }
};

/// How the lanes of a memory instruction lie in memory.
enum class MemorySpace : std::uint8_t { kNone, kGlobal, kLds, kScratch, kScalar };

/// All that is fixed about one instruction of a program.
struct StepFacts {
  const isa::Row* row = nullptr;
  std::uint64_t offset_bytes = 0;  ///< from the first byte of the kernel's code; modulo 2^64
  std::uint32_t index = 0;         ///< of the instruction in the launch's profile
  std::uint8_t dwords = 1;
  Port port = Port::kInternal;
  RegisterRanges<5> vector_reads;  ///< unified file; AccVGPRs from accum_offset on
  RegisterRanges<2> vector_writes;
  RegisterRanges<5> scalar_reads;  ///< SGPRs, VCC as 106, M0 as 124, EXEC as 126
  RegisterRanges<3> scalar_writes;
  RegisterRange sum;          ///< SrcC of a matrix instruction or dot product, empty if a constant
  RegisterRange lane_select;  ///< the SGPR by which v_readlane, v_writelane choose a lane
  RegisterRange wide_data;    ///< registers of a store's data that is still read after the issue
  /// Rules of isa::kVectorWaits, one bit each: that may make later instructions wait, and that may
  /// make this one wait.
  std::uint32_t waited_for = 0, waits = 0;
  bool pairs = false;  ///< of VGPRs only, and of a sort that CDNA3 issues for two waves at once
  bool packed_math = false;  ///< VOP3P on pairs of f32: shares the matrix unit's ports
  isa::CounterClass counter_class = isa::CounterClass::kNone;
  std::uint8_t operations = 0;  ///< arithmetic operations of an active lane
  bool conditional_branch = false;
  // Immediate fields of SOPP instructions.
  std::int32_t immediate = 0;
  bool is_waitcnt = false, is_nop = false;
  bool sets_priority = false;                         ///< s_setprio
  std::uint8_t vmcnt_limit = 63, lgkmcnt_limit = 15;  ///< of s_waitcnt
  // Memory.
  MemorySpace space = MemorySpace::kNone;
  bool may_reach_lds = false;                  ///< FLAT: lanes may address LDS
  bool returns = false;                        ///< writes registers
  bool glc = false, slc = false, scc = false;  ///< gfx942: sc0, nt, sc1
  bool to_lds = false;                         ///< a load whose target is LDS
  std::uint16_t data = 0;                      ///< of a store: its first data register
  /// What it does or gives may depend on what other workgroups do at that very time: atomics on
  /// memory, accesses past the L1, words with the host.
  bool meets_others = false;
  /// An edge before it says that its access is to be taken as a read-modify-write atomic.
  bool taken_as_atomic = false;
  bool polls = false;       ///< a load that waits for a word to change (execute/word_use.hpp)
  bool seeds_swap = false;  ///< a load for a compare-and-swap only (execute/swap_seeds.hpp)
  /// Of a scalar load: the last dwords of its result that nothing reads (execute/scalar_use.hpp).
  std::uint8_t unread_dwords = 0;
  RegisterRange address;          ///< vector registers that say where lanes access memory
  RegisterRange stored, stored2;  ///< vector registers whose data goes to memory

  bool is_matrix() const { return row->unit == isa::Unit::kMatrix; }
};

/// Time that code under the cycle model reads (s_memtime, s_memrealtime).
struct StepClock {
  std::uint64_t cycles = 0;
  double reference_ticks_per_cycle = 1;
  std::uint64_t reference_ticks() const {
    return static_cast<std::uint64_t>(static_cast<double>(cycles) * reference_ticks_per_cycle);
  }
};

/// What one executed instruction did.
struct Step {
  const StepFacts* facts = nullptr;
  StepClock clock;         ///< the model sets it before
  std::uint64_t exec = 0;  ///< EXEC before it
  bool taken = false;      ///< the next instruction is not the following one
  bool ended = false, at_barrier = false, slept = false, at_global_barrier = false;
  // Memory instructions.
  std::uint64_t lanes = 0;       ///< lanes that touch memory
  std::uint64_t lds_target = 0;  ///< of a load into LDS: the byte for lane 0, dwords follow
  std::uint64_t lds_lanes = 0;   ///< FLAT: lanes whose address is in LDS; the others are in memory
  unsigned access_bytes = 0;     ///< contiguous bytes of a lane's access
  unsigned access_count = 1;     ///< accesses of a lane: 2 for ds_read2, dwords in scratch
  std::int64_t access_stride = 0;  ///< bytes from one access of a lane to its next
  bool scratch = false;            ///< the lanes access their own scratch memory
  /// Byte addresses of the lanes' first accesses: device addresses, or bytes into LDS. SMEM: only
  /// the first is used. A listener's step refers to the wave's registers.
  LaneAddresses address;
};

/// A wavefront under the cycle model's control, opaque to it.
class SteppedWave {
 public:
  virtual ~SteppedWave() = default;
  /// The instruction that comes next. Errors: one that cannot run.
  virtual Result<const StepFacts*> next() = 0;
  /// The same where it is known without asking; else nullptr.
  const StepFacts* upcoming() const { return upcoming_; }
  /// Lets the host bring what executing it will touch.
  virtual void prefetch() const {}
  /// Executes it. Errors: faults, traps.
  virtual Result<void> step(Step& step) = 0;
  /// The same if it was executed before and so was the one behind it, which is the next one then;
  /// else false, and nothing has happened. Most instructions of most waves are told of so.
  bool tell(Step& step) {
    if (ahead_ <= 1) return false;
    --ahead_;
    step.exec = exec_;
    step.taken = step.ended = step.at_barrier = step.slept = step.at_global_barrier = false;
    address_ += 4u * step.facts->dwords;
    place_ += step.facts->dwords;
    upcoming_ = place_->load(std::memory_order_acquire);
    return true;
  }
  /// Work-items of the wave: lanes active at its start.
  virtual unsigned work_items() const = 0;
  /// Lets the wave pass the barrier it waits at.
  virtual void pass_barrier() = 0;

 protected:
  /// The facts of the instruction at a dword of code; nullptr where it was not seen yet.
  using Place = std::atomic<const StepFacts*>;

  const StepFacts* upcoming_ = nullptr;
  // Where the model is. The wave may be `ahead_` instructions ahead up to the next branch that it
  // has passed, and farther behind that, with this EXEC before each.
  const Place* place_ = nullptr;
  std::uint64_t address_ = 0;
  std::uint64_t exec_ = 0;
  unsigned ahead_ = 0;
};

/// A workgroup that occupies a CU.
class SteppedGroup {
 public:
  virtual ~SteppedGroup() = default;
  virtual unsigned waves() const = 0;
  virtual SteppedWave& wave(unsigned index) = 0;
  /// Puts its waves at the kernel's start; before that none of them is asked anything. Other groups
  /// may begin or be stepped meanwhile, on other threads.
  virtual void begin() = 0;
};

/// A launch whose workgroups are executed one instruction at a time, or not at all in detail.
class GridSource {
 public:
  virtual ~GridSource() = default;
  virtual std::uint64_t workgroups() const = 0;
  /// A workgroup that will begin. Errors: no memory for scratch.
  virtual Result<SteppedGroup*> start(std::uint64_t workgroup) = 0;
  /// Takes back a group whose waves have all ended.
  virtual void finish(SteppedGroup* group) = 0;
  /// Runs workgroups [first, last) to their ends without steps, on all host threads.
  virtual Result<void> run_functionally(std::uint64_t first, std::uint64_t last) = 0;
  /// Runs `lead` here; host threads that have nothing to do run `help` meanwhile, each at most
  /// once. Ends when `lead` and every `help` that began have. Groups may be stepped by several
  /// threads, each group by one at a time.
  virtual void with_helpers(const std::function<void()>& help,
                            const std::function<void()>& lead) = 0;
  /// Does what a wave asked of the host (MSG_INTERRUPT), and lets spins progress.
  virtual void serve_host() = 0;
  /// A window of the model has passed; none of its groups is being stepped.
  virtual void window_passed() {}
};

}  // namespace wavetank::machine
