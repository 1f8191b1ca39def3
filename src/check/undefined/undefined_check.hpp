// Uses of undefined data in one launch: a branch, an address or an atomic that depends on what
// nobody defined. Loading it is none; it is followed through registers (execute/watch) and memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "check/lane_ranges.hpp"
#include "check/lds_use.hpp"
#include "check/undefined/host_writes.hpp"
#include "check/undefined/undefined_access.hpp"
#include "check/undefined/undefined_memory.hpp"
#include "check/undefined/undefined_ranges.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// Looks at what the waves of one launch do.
class UndefinedCheck {
 public:
  explicit UndefinedCheck(UndefinedMemory& memory);
  /// Scratch serves other launches afterwards, and what atomics were told of is told once.
  ~UndefinedCheck();
  UndefinedCheck(const UndefinedCheck&) = delete;
  UndefinedCheck& operator=(const UndefinedCheck&) = delete;

  /// A workgroup begins: nothing is defined in its LDS and scratch, everything in its registers.
  void begin(UndefinedGroup& group, const machine::Workgroup& workgroup, std::uint64_t index,
             std::span<machine::Wave> waves);
  /// A wave is about to execute an instruction that touches memory.
  void access(UndefinedGroup& group, machine::Wave& wave, const machine::StepFacts& facts,
              const machine::Step& step);
  /// True if a wave has undefined registers, so that all that touches memory has to be looked at.
  static bool follows(const machine::Wave& wave) {
    return wave.undefined != nullptr && wave.undefined->any();
  }
  /// True if there is nothing to look at in an access of other waves: all its memory is defined.
  bool is_defined(const std::vector<LaneRange>& ranges) const {
    return !touches_undefined(ranges, memory_.bytes);
  }
  /// The same of dwords of LDS.
  static bool is_defined(const UndefinedGroup& group, const DwordBits& dwords) {
    return !group.lds->any_in_dwords(dwords.first, dwords.bits);
  }
  /// What a wave does next depends on something undefined.
  void branch(const UndefinedGroup& group, const machine::Wave& wave,
              const machine::StepFacts& facts, const machine::UndefinedOrigin& origin);

 private:
  using Now = UndefinedAccess;
  using Bits = std::span<std::uint8_t>;

  void look_at_address(const Now& now);
  /// Something that is loaded or changed may be the host's.
  void look_for_host(const Now& now);
  void define_results(const Now& now);
  void access_piece(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes, bool is_lds);
  void load(const Now& now, std::uint64_t lanes, const UndefinedBytes& bytes, bool is_lds);
  void load_to_lds(const Now& now, std::uint64_t lanes, const UndefinedBytes& bytes);
  void store(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes, bool is_lds);
  void change(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes, bool is_lds);
  void swap(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes, bool is_lds);
  void store_lane(const Now& now, unsigned lane, UndefinedBytes& bytes, bool is_lds,
                  std::span<const std::uint8_t> bits);
  machine::UndefinedOrigin origin_of(const Now& now, unsigned lane, const UndefinedBytes& bytes,
                                     bool is_lds) const;
  static void read_memory(const Now& now, unsigned lane, const UndefinedBytes& bytes, Bits to);
  static void read_data(const Now& now, unsigned lane, Bits to);
  static bool is_host_memory(const Now& now, const void* address);
  static const machine::UndefinedOrigin* data_origin(const Now& now, unsigned lane);
  void report(const Now& now, UndefinedUse use, const machine::UndefinedOrigin& origin,
              unsigned lane);
  void add(const UndefinedGroup& group, const machine::Wave& wave, std::uint32_t site,
           UndefinedUse use, const machine::UndefinedOrigin& origin, unsigned lane);

  UndefinedMemory& memory_;
  HostWrites host_writes_;
  const std::uint32_t launch_;
  using Range = std::pair<std::uint64_t, std::uint64_t>;  ///< begin, end
  std::mutex mutex_;                                      ///< workgroups may run side by side
  std::vector<Range> scratch_;
  /// Memory that atomics found undefined: it stays so for all workgroups, whichever comes first.
  std::set<Range> told_;
};

}  // namespace wavetank::check
