// Order between the waves of one workgroup that learn of each other through words, in LDS or in
// memory, without a barrier (LLVM AMDGPUUsage, "Memory Model gfx90a", workgroup scope: memory needs
// no wait, since the L1 takes a workgroup's accesses in their order, and neither does LDS).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/group_clock.hpp"
#include "check/record.hpp"

namespace wavetank::check {

/// What waves hand on with a word that they stored.
struct Handed {
  Times lds = {}, memory = {};
  std::uint16_t waves = 0;  ///< that stored it

  void join(const Handed& other) {
    check::join(lds, other.lds);
    check::join(memory, other.memory);
    waves |= other.waves;
  }
};

/// What the waves know of each other's accesses to LDS, and what they hand on. What they know of
/// memory is in the GroupClock, whose barriers are to be passed first. Accesses to LDS are done
/// when lgkmcnt says so: a barrier does not order those that are still under way.
class GroupOrder {
 public:
  void begin(const GroupClock& clock);
  /// An instruction that lgkmcnt counts is issued. Each access to LDS has a time of its own, as a
  /// wait may leave the last of them under way.
  void issue(unsigned wave, bool to_lds, GroupClock& clock);
  /// s_waitcnt with this lgkmcnt.
  void wait(unsigned wave, unsigned lgkmcnt);
  void pass_barrier(const GroupClock& clock);
  /// True if a wave knows of an access to LDS.
  bool knows(const Record& record, unsigned wave) const {
    return record.time() < lds_[wave][record.wave()];
  }
  /// Adds what loads of a word learn from the store (or atomic) of it by another wave.
  void add_store(const Record& store, const Record& mine, Handed& to) const;
  /// An atomic changes a word that `earlier` changed before; `key` names the word.
  void change_word(std::uint64_t key, const Record& earlier, const Record& mine);
  /// Adds what all atomics that changed a word hand on.
  void add_word(std::uint64_t key, Handed& to) const;
  /// A wave has loaded a word that hands this on.
  void acquire(unsigned wave, const Handed& handed, GroupClock& clock);

 private:
  Handed handed_by(const Record& store) const;

  unsigned waves_ = 0;
  std::array<Times, kMostWaves> lds_ = {};  ///< what each wave knows
  /// What a wave knows from some time of its clock on.
  struct Stretch {
    std::uint32_t begin = 0;
    Times lds, memory;
  };
  std::array<std::vector<Stretch>, kMostWaves> stretches_;  ///< since the last barrier
  struct Pending {
    std::uint64_t issue;
    std::uint32_t time;
  };
  std::array<std::vector<Pending>, kMostWaves> pending_;  ///< accesses to LDS under way
  std::array<std::uint64_t, kMostWaves> issued_ = {};
  std::unordered_map<std::uint64_t, Handed> words_;  ///< changed by several waves' atomics
};

}  // namespace wavetank::check
