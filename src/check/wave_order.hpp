// Order between waves that learn of each other through memory: what a wave had done before it
// stored a word is ordered before what another one does after it loaded that word, if both took
// care of the caches (LLVM AMDGPUUsage, "Memory Model gfx90a" and "gfx942").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "check/knowledge.hpp"
#include "check/wave_fences.hpp"
#include "machine/step.hpp"

namespace wavetank::check {

/// What a store hands on to whoever loads its word: what is done for the whole device, and what is
/// for the workgroup alone.
struct Release {
  Knowledge device, workgroup;
  PassedFences fences;  ///< behind which it was stored
  void join(const Release& other) {
    device.learn(other.device);
    workgroup.learn(other.workgroup);
    fences.add(other.fences);
  }
};

/// One wave's side of it.
///
/// A release is a matter of completion, not of a fence next to the store: what the wave knows is
/// handed on by whatever it stores after a wait for all its memory accesses (on gfx942 with the L2
/// written back before). An acquire takes effect for stores and atomics when the load has arrived,
/// for loads when the L1 has forgotten what it had; within a workgroup, which has one L1, at once.
class WaveOrder {
 public:
  explicit WaveOrder(bool l2_is_shared) : l2_is_shared_(l2_is_shared) {}

  void begin(GroupClock& clock, unsigned wave);
  /// An instruction that vmcnt counts is issued. Of one that is `remembered` cells keep a record.
  void issue(bool stores, bool remembered);
  /// The instruction issued last loads a word that hands this on.
  void acquire(std::shared_ptr<const Release> release);
  /// s_waitcnt with this vmcnt.
  void wait(unsigned vmcnt, GroupClock& clock);
  /// An instruction writes the L2 back, which takes effect with the next wait for all stores.
  ///
  /// Where no store is under way it takes effect at once, as if it were waited for: LLVM before
  /// pull request 178316 does not know that vmcnt counts it, and leaves the wait out there.
  void write_back_l2(GroupClock& clock, std::uint32_t site);
  /// A write-back (StepFacts::index) that took effect without a wait so far; 0: none.
  std::uint32_t unwaited_write_back() const { return unwaited_write_back_; }
  /// True if loads know more of other workgroups from here on.
  bool invalidate_l1();
  /// The instruction issued last is a meeting of all workgroups, which hands this on.
  void meet_grid(std::shared_ptr<const Release> release) { meeting_ = std::move(release); }
  /// s_waitcnt with an lgkmcnt of 0, which counts a meeting. `l1_is_new`: what loads find in the L1
  /// came after the workgroup's last invalidation.
  void wait_for_grid(bool l1_is_new);
  /// Learns what the workgroup's waves know, at a barrier.
  void join(const Knowledge& known, const Knowledge& arrived) {
    known_.learn(known);
    arrived_.learn(arrived);
    handed_on_ = nullptr;
  }
  /// True if more of what the wave did and knows is complete than at the last barrier.
  bool completed_more() const { return completed_more_; }
  /// Adds what of it is complete.
  void add_complete(Release& to) const;
  /// Hands on, from a barrier on, what any of the workgroup's waves had complete there.
  void meet(const std::shared_ptr<const Knowledge>& workgroup,
            const std::shared_ptr<const Knowledge>& device, const GroupClock& clock);
  WaveFences& fences() { return fences_; }
  /// The fences that the wave has passed are others than before.
  void change_fences();
  /// Behind which it stored something at this time of its clock; null: none.
  std::shared_ptr<const PassedFences> fences_at(std::uint32_t time) const;

  const Knowledge& known() const { return known_; }
  const Knowledge& arrived() const { return arrived_; }
  /// Adds what the wave hands on with stores at this time of its clock.
  void add_release(std::uint32_t time, Release& to) const;

 private:
  void release(GroupClock& clock);

  bool l2_is_shared_;
  unsigned wave_ = 0;
  std::uint32_t actor_ = 0;
  Knowledge known_, arrived_;
  struct Pending {
    std::uint64_t issue;
    std::shared_ptr<const Release> acquires;
  };
  std::vector<Pending> pending_;
  std::shared_ptr<const Release> meeting_;  ///< of all workgroups, not waited for so far
  std::uint64_t issued_ = 0, last_store_ = 0;
  std::uint64_t stores_done_ = 0;  ///< the last store that a wait has told of
  std::uint32_t unwaited_write_back_ = 0;
  bool wrote_back_ = false;
  bool completed_more_ = false;
  WaveFences fences_;
  bool did_something_ = false;  ///< that is remembered, since the last release
  /// What stores hand on from some time of the clock on, beside the wave's own accesses before it.
  struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t device_time = 0;  ///< own accesses before it are done for the device
    /// It begins with a store, which is alone at its time: who loads what was stored knows of it.
    bool begins_with_store = false;
    std::shared_ptr<const Knowledge> workgroup, device;
    std::shared_ptr<const PassedFences> fences;
  };
  const Stretch* stretch_at(std::uint32_t time) const;
  std::vector<Stretch> stretches_;
  std::shared_ptr<const Knowledge> handed_on_;  ///< of others, as long as nothing was learnt
};

}  // namespace wavetank::check
