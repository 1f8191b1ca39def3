// Which fences of a launch order something: those that do not cost time for nothing.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "check/wave_fences.hpp"

namespace wavetank::check {

/// What came of the fence at one place in the code.
struct FenceUse {
  std::uint64_t executions = 0;
  /// The farthest who learnt of something through it, and by what instruction (StepFacts::index);
  /// 0: by none.
  Reach reach = Reach::kNone;
  std::uint32_t learnt_by = 0;
  bool of_system = false;   ///< its scope; else the device's
  std::uint64_t group = 0;  ///< that came first, in dispatch order
  unsigned wave = 0;        ///< in the workgroup
  /// What it is made of; each lives as long as the program.
  std::vector<const machine::StepFacts*> parts;
};

/// True if no fence, or one of a narrower scope, would do.
constexpr bool is_too_much(const FenceUse& use) {
  return use.reach < (use.of_system ? Reach::kSystem : Reach::kDevice);
}

/// By StepFacts::index of their first instructions.
using FenceUses = std::map<std::uint32_t, FenceUse>;

/// The fences of one launch whose workgroups may learn of each other.
///
/// A fence is of use if somebody else loads a word that a wave stored behind it, without another
/// fence between; or if a wave passes it after it has loaded a word that somebody else stored
/// behind one, or by which its loads learn of other workgroups (gfx90a: a wait is enough of a
/// release). That may be more than what the program's result needs, so that no fence is called
/// useless that is not.
class FenceCheck {
 public:
  explicit FenceCheck(bool has_scope_bits) : has_scope_bits_(has_scope_bits) {}

  /// A wave executes an instruction. `learns`: by it the wave's loads know more of other
  /// workgroups. True if it is a part of a fence.
  bool on_instruction(WaveFences& wave, const machine::StepFacts& facts, bool learns,
                      std::uint64_t group, unsigned wave_in_group);
  /// A wave loads, by an instruction, a word that was stored behind these.
  void on_load(WaveFences& wave, const PassedFences& passed, std::uint32_t actor,
               unsigned wave_in_group, std::uint32_t site);
  /// A wave looks at a word of another workgroup, by a load alone. If it has stored one before its
  /// fence, each of two waves may count on seeing the other's unless the other sees its own.
  void on_look(const WaveFences& wave, std::uint32_t site) {
    if (wave.is_behind_store()) use(wave, Reach::kDevice, site);
  }
  /// Those behind which a wave stored something order it for somebody else.
  void use(const WaveFences& wave, Reach reach, std::uint32_t learnt_by);

  const FenceUses& uses() const { return uses_; }

 private:
  void use(std::uint32_t site, Reach reach, std::uint32_t learnt_by);

  bool has_scope_bits_;
  FenceUses uses_;
};

}  // namespace wavetank::check
