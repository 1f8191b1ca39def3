// The end of a test's ops.
#pragma once

#include <vector>

#include "execute/op.hpp"

namespace wavetank::execute {

/// The ops with one behind them at which whoever runs them stops.
inline std::vector<Op> with_stop(std::vector<Op> ops) {
  Op stop;
  stop.run = [](machine::Wave&, const Op*) -> const Op* { return nullptr; };
  ops.push_back(stop);
  return ops;
}

/// Runs ops that with_stop() has ended.
inline void run_to_stop(machine::Wave& wave, const std::vector<Op>& ops) {
  for (const Op* op = ops.data(); op != nullptr;) op = op->run(wave, op);
}

}  // namespace wavetank::execute
