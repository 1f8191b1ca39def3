// What a check found: each pair of places in the code once, with the first example and a count.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/dim3.hpp"
#include "base/error.hpp"
#include "check/record.hpp"
#include "machine/step.hpp"

namespace wavetank::check {

/// One of the accesses that a finding is about.
struct Access {
  std::uint32_t site = 0;  ///< StepFacts::index; 0: none
  AccessKind kind = AccessKind::kRead;
  std::uint64_t group = 0;  ///< workgroup in dispatch order
  unsigned wave = 0;        ///< in the workgroup
  unsigned lane = 0;
};

/// What is wrong.
enum class Kind : std::uint8_t {
  kDataRace,
  kOutOfBounds,
  kUseAfterFree,
  kMissedBarrier,
  kMissingWait,        ///< a memory result is used before s_waitcnt tells that it is there
  kMissingWaitStates,  ///< an instruction follows another one too closely
  kTwoBarriers,        ///< waves of a workgroup wait at different ones
  kMisaligned,
  kUndefined,  ///< something depends on data that nobody defined
};

/// The error code, whose page explains a kind.
ErrorCode code_of(Kind kind);

/// What depends on undefined data.
enum class UndefinedUse : std::uint8_t {
  kBranch,   ///< where a wave goes on, or with which lanes
  kAddress,  ///< of a memory access
  kAtomic,   ///< what an atomic leaves in memory
  kHost,     ///< what the host gets
};

/// How bad a finding is.
enum class Level : std::uint8_t {
  kError,
  kNote,  ///< works on this device, but not by the rules
};

/// Something wrong in a launch.
struct Finding {
  Level level = Level::kError;
  Kind kind = Kind::kDataRace;
  UndefinedUse use = UndefinedUse::kBranch;  ///< of kUndefined
  machine::MemorySpace space = machine::MemorySpace::kNone;
  Access first, second;       ///< `first` came first; one alone is `second`
  std::uint64_t address = 0;  ///< device address, or byte in LDS
  unsigned bytes = 0;
  /// The allocation (or LDS) that the address is in, beside, or was in; no bytes: none.
  std::uint64_t object_begin = 0, object_bytes = 0;
  bool of_arguments = false;  ///< the object are the kernel's arguments
  bool elsewhere = false;     ///< out of bounds of the pointer's object, though inside another one
  std::int32_t wait_states_wanted = 0, wait_states_found = 0;  ///< of kMissingWaitStates
  std::uint64_t count = 1;                                     ///< pairs of this sort in the launch
};

/// The findings of one launch.
class Findings {
 public:
  /// Adds one, or counts it to those of the same places, of which the worst stays, and of equally
  /// bad ones the first workgroup's.
  void add(const Finding& finding);
  /// Adds all of others, in any order of workgroups.
  void add(const Findings& others) {
    for (const auto& [key, finding] : others.by_sites_) add(finding);
  }
  /// Forgets those for which wanted(finding).
  template <class Wanted>
  void drop_if(Wanted wanted) {
    std::erase_if(by_sites_, [&](const auto& one) { return wanted(one.second); });
  }
  /// In the order of their places in dispatch order.
  std::vector<Finding> sorted() const;
  bool empty() const { return by_sites_.empty(); }

 private:
  using Key = std::tuple<Kind, std::uint32_t, std::uint32_t>;
  std::map<Key, Finding> by_sites_;
};

}  // namespace wavetank::check
