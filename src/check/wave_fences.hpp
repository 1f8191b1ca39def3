// Fences that waves pass, and through which of them others learn of what the waves did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::check {

/// How far it is from who did something to who learns of it: another wave of the workgroup, another
/// workgroup, or the host or another device.
enum class Reach : std::uint8_t { kNone, kGroup, kDevice, kSystem };

/// One instruction of a fence. Compilers make a fence of up to three, with waits between them, in
/// this order (LLVM AMDGPUUsage, "Memory Model gfx90a" and "gfx942").
enum class FencePart : std::uint8_t { kNone, kWriteBack, kInvalidateL2, kInvalidateL1 };

/// What an instruction is of a fence whose scope is the device or the system; those of workgroups
/// are no instructions. `has_scope_bits`: see isa::Target.
FencePart fence_part(const machine::StepFacts& facts, bool has_scope_bits);
/// True if such an instruction's scope is the system.
bool is_of_system(const machine::StepFacts& facts, bool has_scope_bits);

/// The last fence that a wave passed; of several waves' or workgroups' one of them is enough.
struct PassedFence {
  std::uint32_t site = 0;  ///< StepFacts::index of the fence's first instruction
  std::uint32_t actor = 0;
  unsigned wave = 0;
  Reach spread = Reach::kNone;  ///< how far from there others lie that passed it, too

  /// How far it is from one of them to a wave.
  Reach to(std::uint32_t reader, unsigned reader_wave) const {
    if (actor != reader) return Reach::kDevice;
    return std::max(spread, wave != reader_wave ? Reach::kGroup : Reach::kNone);
  }
};

/// Fences behind which a word was stored, by all who stored it: each place in the code once.
class PassedFences {
 public:
  void add(const PassedFence& fence);
  void add(const PassedFences& others) {
    for (const PassedFence& fence : others.all_) add(fence);
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<PassedFence> all_;
};

/// One wave's side of it.
class WaveFences {
 public:
  void begin(std::uint32_t actor, unsigned wave) {
    *this = {};
    actor_ = actor;
    wave_ = wave;
  }
  /// Executes a part of a fence; gives the fence's site. It stands in for those before.
  std::uint32_t pass(FencePart part, std::uint32_t site);
  /// Stores a word that others may load.
  void store() { stored_ = true; }
  /// True if the last fence stands behind such a store.
  bool is_behind_store() const { return is_behind_store_; }
  /// Executes something else than a part of a fence or a wait.
  void end_fence() { last_part_ = FencePart::kNone; }
  /// Goes on behind a barrier, behind which these are all waves' fences.
  void join(const std::shared_ptr<const PassedFences>& all) { passed_ = all; }
  /// Behind which the wave stores now; null: none.
  const std::shared_ptr<const PassedFences>& passed() const { return passed_; }
  /// The wave has learnt of others by an instruction, which a fence may be there for.
  void learn(Reach from, std::uint32_t site) {
    learnt_ = std::max(learnt_, from);
    learnt_by_ = site;
  }
  /// Of whom the wave has learnt since its last fence, and by what last.
  Reach learnt() const { return learnt_; }
  std::uint32_t learnt_by() const { return learnt_by_; }
  void forget_learnt() { learnt_ = Reach::kNone; }

 private:
  std::uint32_t actor_ = 0;
  unsigned wave_ = 0;
  std::uint32_t site_ = 0;  ///< of the fence under way, or the last
  FencePart last_part_ = FencePart::kNone;
  bool stored_ = false;  ///< since the last fence
  bool is_behind_store_ = false;
  std::shared_ptr<const PassedFences> passed_;
  Reach learnt_ = Reach::kNone;
  std::uint32_t learnt_by_ = 0;
};

}  // namespace wavetank::check
