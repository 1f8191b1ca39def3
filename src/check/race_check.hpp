// Data races of one launch, in LDS and in global memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/barrier_check.hpp"
#include "check/call_stack.hpp"
#include "check/fence_use.hpp"
#include "check/findings.hpp"
#include "check/grid_meeting.hpp"
#include "check/group.hpp"
#include "check/lane_ranges.hpp"
#include "check/memory_shadow.hpp"
#include "check/operation_history.hpp"
#include "check/race_rules.hpp"
#include "check/variables.hpp"

namespace wavetank::check {

/// What stays from launch to launch.
struct Memory {
  MemoryShadow shadow;
  std::uint32_t next_actor = 1;  ///< workgroups so far
};

/// What a check has to know of a launch before it begins.
struct LaunchFacts {
  std::uint64_t groups = 1;
  std::uint64_t kernarg_begin = 0;  ///< address of the arguments, which are only read
  std::uint64_t kernarg_bytes = 0;
  /// The kernel may touch nothing else of the memory that its arguments are in.
  bool owns_arguments = false;
  std::uint32_t lds_bytes = ~0u;                     ///< bounds of LDS, if less than there is
  unsigned lds_access_bytes = 4;                     ///< the narrowest access to LDS in the code
  bool stores_show_atomicity = false;                ///< isa::Target::has_scope_bits
  bool l2_is_shared = true;                          ///< isa::Target::shares_l2
  const machine::WaitStates* wait_states = nullptr;  ///< if the code may use results too early
  bool learns_of_others = false;        ///< waves may learn of other workgroups during the launch
  bool learns_in_group = false;         ///< waves may learn of others of theirs without a barrier
  bool orders_lds = false;              ///< more than barriers says what is ordered in LDS
  bool groups_are_independent = false;  ///< what a workgroup does depends on no other
  bool follows_guesses = false;         ///< loads may seed compare-and-swaps by way of memory
  Leads leads = {};                     ///< paths of the code
  IndexCalledFrom index_called_from = {};
  const Variables* variables = nullptr;     ///< of code objects; null: none is known
  std::function<void()> group_begins = {};  ///< hears of each workgroup, from any thread
};

/// An instruction's access to global memory, now or when its workgroup is replayed.
struct MemoryAccess {
  const machine::StepFacts& facts;
  AccessKind kind;
  const GroupClock& clock;  ///< of the workgroup
  std::uint64_t group;      ///< in dispatch order
  unsigned wave;            ///< in the workgroup
  StoredRows stored;
  WaveOrder* order = nullptr;  ///< of the wave, if it may learn of other workgroups
  Group* learns = nullptr;     ///< the workgroup, if its waves may learn of each other
};

class RaceCheck {
 public:
  RaceCheck(Memory& memory, const LaunchFacts& facts, Findings& findings);

  /// The memory of the launch's device, to be known before it begins.
  void set_memory(const machine::DeviceMemory& memory) { device_memory_ = &memory; }
  /// Prepares a workgroup that begins.
  void begin(Group& group, unsigned waves, std::uint32_t lds_bytes);
  /// An instruction touches these bytes of LDS, which are all of its lanes' if `in_bounds`.
  void access_lds(const Instruction& now, std::uint64_t lanes, const std::vector<LaneRange>& ranges,
                  bool in_bounds);
  /// An instruction touches these bytes of memory.
  void access_global(const Instruction& now, const std::vector<LaneRange>& ranges);
  /// Looks at what a workgroup did that ran beside others; in dispatch order.
  void replay(const GroupRecord& record);
  /// What an instruction, of any sort, means for the order of what its wave does.
  void control(const machine::Wave& wave, Group& group, const machine::StepFacts& facts,
               AccessKind kind);
  void pass_barrier(Group& group);
  /// All workgroups have arrived; called for each of them.
  void pass_global_barrier(Group& group);
  /// True if the launch is larger than records have room for, so that races may be missing.
  bool gave_up() const { return gave_up_; }
  /// What fences are good for; nothing is known of launches of one workgroup.
  const FenceUses& fences() const { return fences_.uses(); }
  /// What the launch touched in global memory, by address: of bytes that it writes only the writes.
  TouchedRanges touched() const;

 private:
  static Record record_of(const MemoryAccess& now);
  Meeting meeting_of(const MemoryAccess& now, machine::MemorySpace space) const;
  bool is_narrow(const MemoryAccess& now) const;
  void access_ordered_lds(const Instruction& now, const std::vector<LaneRange>& ranges);
  void note_word(const MemoryAccess& now, const Cell& cell, const Record& mine, std::uint64_t key,
                 Handed& learnt) const;
  void note_lds_fences(const MemoryAccess& now, const Cell& cell);
  static void learn_in_group(const MemoryAccess& now, const Handed& learnt);
  /// What a wave learns by one access.
  struct Learnt {
    std::shared_ptr<Release> of_others;
    Handed in_group;
    bool of_another_group = false;
  };
  static void look_at_write_back(const machine::Wave& wave, Group& group,
                                 const machine::StepFacts& facts, AccessKind kind);
  void pass_barrier(std::vector<WaveOrder>& orders, const GroupClock& clock) const;
  void number_actors();
  bool is_of_arguments(const LaneRange& range) const;
  bool has_room(const GroupClock& clock, std::uint32_t site);
  /// What an access touches of one cell.
  struct Piece {
    const LaneRange& range;
    std::uint64_t address;
    unsigned bytes;
  };
  /// Instructions that may stand before the one that is met first: much of what cells have room
  /// for.
  static constexpr std::uint32_t kSitesBefore = 4096;
  static constexpr unsigned kWordBytes = 4;  ///< of what hands on order
  static std::uint32_t value_of(const MemoryAccess& now, const Piece& piece);
  void add_stored(const Cell& cell, Release& release) const;
  void hand_on(const MemoryAccess& now, const Cell& cell, const Piece& piece);
  void gather_release(const Cell& cell, std::uint64_t address, unsigned bytes,
                      Release& release) const;
  void expect_lines(std::span<const MemoryLog::Range> ranges) const;
  bool take_lines(const MemoryAccess& now, const PackedAccess& packed,
                  std::span<const LaneRange> ranges);
  void meet_memory(const MemoryAccess& now, std::span<const LaneRange> ranges);
  void meet_cell(const MemoryAccess& now, Meeting& meeting, const Piece& piece, Cell& cell,
                 Learnt& learnt);
  void report(const MemoryAccess& now, const Record& mine, const Piece& piece,
              const Record& earlier, AccessKind kind, Level level);

  Memory& memory_;
  const LaunchFacts facts_;
  const bool watches_fences_;
  FenceCheck fences_;
  Findings& findings_;
  const machine::DeviceMemory* device_memory_ = nullptr;
  std::uint32_t first_site_ = 0;   ///< from which cells count instructions
  std::uint32_t first_actor_ = 0;  ///< what earlier actors did is ordered before all of now
  std::atomic<bool> gave_up_ = false;
  GridMeetings meetings_;
  std::unordered_map<std::uint32_t, std::vector<WaveOrder>> orders_;
  /// What atomics have handed on, by the address of the word.
  std::unordered_map<std::uint64_t, Release> words_;
};

}  // namespace wavetank::check
