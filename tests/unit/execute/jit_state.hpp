// What tests of compiled code begin with: a host that has it, and a wave and its registers, without
// memory, for ops that only concern these.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "execute/jit/blocks.hpp"
#include "execute/lane_control.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::testing {

/// Tests of compiled code, on hosts that have it.
class Jit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!jit::available()) GTEST_SKIP() << "this host runs no compiled blocks";
  }
};

struct State {
  static constexpr unsigned kRegisters = 48;  ///< more than the host's vector unit has

  machine::Wave wave;
  alignas(64) std::uint32_t vgpr[(kRegisters + kScratchRows) * 64] = {};
  State() {
    wave.vgpr = vgpr;
    wave.vgpr_count = kRegisters;
    wave.mode.bits = 0x3f0;
  }
  State(const State& other) : wave(other.wave) {
    std::memcpy(vgpr, other.vgpr, sizeof vgpr);
    wave.vgpr = vgpr;
  }
  State& operator=(const State&) = delete;
};

/// The first register that differs, as text; empty if none does.
inline std::string difference(const State& a, const State& b) {
  for (unsigned i = 0; i < State::kRegisters * 64; ++i) {
    if (a.vgpr[i] == b.vgpr[i]) continue;
    return "v" + std::to_string(i / 64) + " of lane " + std::to_string(i % 64);
  }
  for (unsigned i = 0; i < 128; ++i) {
    if (a.wave.sgpr[i] != b.wave.sgpr[i]) return "s" + std::to_string(i);
  }
  return a.wave.scc == b.wave.scc ? "" : "SCC";
}

}  // namespace wavetank::execute::testing
