// Through which calls a wave came to where it is: what an instruction of a function does is told of
// the calls apart.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::check {

/// Gives a number for the instruction `index` in a function called at the instruction `caller`
/// (dispatch::ListenedLaunch).
using IndexCalledFrom = std::function<std::uint32_t(std::uint32_t caller, std::uint32_t index)>;

/// The calls that a wave is in. A jump to where one of them comes back to ends it and those within;
/// any other jump stays in the function, or is a call in the place of it.
class CallStack {
 public:
  void clear() { calls_.clear(); }
  void call(std::uint32_t site, std::uint64_t back) {
    // Of a recursion the first calls are told apart.
    calls_.push_back({calls_.size() < kMostTold ? site : caller(), back});
  }
  void jump(std::uint64_t target) {
    for (std::size_t i = calls_.size(); i-- > 0;) {
      if (calls_[i].back == target) return calls_.resize(i);
    }
  }
  /// Where the function was called; 0: the wave is in the kernel itself.
  std::uint32_t caller() const { return calls_.empty() ? 0 : calls_.back().site; }

 private:
  static constexpr std::size_t kMostTold = 16;
  struct Call {
    std::uint32_t site = 0;
    std::uint64_t back = 0;  ///< address behind it
  };
  std::vector<Call> calls_;
};

/// Instructions of functions as they are called: the same facts, with a number for each caller.
class CalledCode {
 public:
  /// Stays where it is.
  const machine::StepFacts& of(std::uint32_t caller, const machine::StepFacts& facts,
                               const IndexCalledFrom& index_called_from) {
    const auto [at, is_new] = facts_.try_emplace(std::uint64_t{caller} << 32 | facts.index, facts);
    if (is_new) at->second.index = index_called_from(caller, facts.index);
    return at->second;
  }

 private:
  std::unordered_map<std::uint64_t, machine::StepFacts> facts_;
};

}  // namespace wavetank::check
