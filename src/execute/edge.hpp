// Ops of a listened program before which it does what an edge says (machine/edge.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "execute/op.hpp"
#include "isa/target.hpp"
#include "machine/edge.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// The edges before one op.
class EdgeStop {
 public:
  /// `offset_bytes` as in StepFacts, of the op.
  EdgeStop(const std::vector<machine::EdgeKind>& kinds, Handler inner, std::uint64_t offset_bytes,
           const isa::Target& target);

  /// Tells the launch's listener of the edges and stops the wave at them, as often as they ask for;
  /// then runs the op.
  const Op* run(machine::Wave& wave, const Op* op) const;

 private:
  const Handler inner_;
  /// Instructions that the edges stand for, up to one that stops the wave, or to the op's own.
  struct Stage {
    std::vector<machine::StepFacts> told;
    machine::Stop stop = machine::Stop::kRunning;
  };
  std::vector<Stage> stages_;
  mutable std::mutex mutex_;
  mutable std::map<const machine::Wave*, std::size_t>
      passed_;  ///< stages behind waves that are at one
};

}  // namespace wavetank::execute
