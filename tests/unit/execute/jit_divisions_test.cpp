// Division as LLVM writes it: compiled code takes the host's in its place, and leaves what the
// handlers leave, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "jit_sequence.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {
namespace {

/// v2 = v1 / v0 (SITargetLowering::LowerFDIV32).
const Code kDivision{
    0xd1e00002, 0x04060100,  // v_div_scale_f32 v2, s[0:1], v0, v0, v1
    0x7e064502,              // v_rcp_f32_e32 v3, v2
    0xd1e06a04, 0x04060101,  // v_div_scale_f32 v4, vcc, v1, v0, v1
    0xd1cb0005, 0x23ca0702,  // v_fma_f32 v5, -v2, v3, 1.0
    0x76060705,              // v_fmac_f32_e32 v3, v5, v3
    0x0a0a0704,              // v_mul_f32_e32 v5, v4, v3
    0xd1cb0006, 0x24120b02,  // v_fma_f32 v6, -v2, v5, v4
    0x760a0706,              // v_fmac_f32_e32 v5, v6, v3
    0xd1cb0002, 0x24120b02,  // v_fma_f32 v2, -v2, v5, v4
    0xd1e20002, 0x04160702,  // v_div_fmas_f32 v2, v2, v3, v5
    0xd1de0002, 0x04060102,  // v_div_fixup_f32 v2, v2, v0, v1
};
/// v[4:5] = v[2:3] / v[0:1] (SITargetLowering::LowerFDIV64).
const Code kWideDivision{
    0xd1e10004, 0x040a0100,  // v_div_scale_f64 v[4:5], s[0:1], v[0:1], v[0:1], v[2:3]
    0x7e0c4b04,              // v_rcp_f64_e32 v[6:7], v[4:5]
    0xd1cc0008, 0x23ca0d04,  // v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0
    0xd1cc0006, 0x041a1106,  // v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]
    0xd1cc0008, 0x23ca0d04,  // v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0
    0xd1cc0006, 0x041a1106,  // v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]
    0xd1e16a08, 0x040a0102,  // v_div_scale_f64 v[8:9], vcc, v[2:3], v[0:1], v[2:3]
    0xd281000a, 0x00020d08,  // v_mul_f64 v[10:11], v[8:9], v[6:7]
    0xd1cc0004, 0x24221504,  // v_fma_f64 v[4:5], -v[4:5], v[10:11], v[8:9]
    0xd1e30004, 0x042a0d04,  // v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[10:11]
    0xd1df0004, 0x040a0104,  // v_div_fixup_f64 v[4:5], v[4:5], v[0:1], v[2:3]
};
/// Leaves nothing of a division but the quotient.
const Code kWideForget{
    0x7e0c0280,              // v_mov_b32_e32 v6, 0
    0x7e0e0280,              // v_mov_b32_e32 v7, 0
    0x7e100280,              // v_mov_b32_e32 v8, 0
    0x7e120280,              // v_mov_b32_e32 v9, 0
    0x7e140280,              // v_mov_b32_e32 v10, 0
    0x7e160280,              // v_mov_b32_e32 v11, 0
    0x7d940100,              // v_cmp_eq_u32_e32 vcc, v0, v0
    0xd0ca0000, 0x00020100,  // v_cmp_eq_u32_e64 s[0:1], v0, v0
};

TEST_F(JitSequence, OfADivisionIsAQuotient) {
  jit::Sketch sketch;
  const jit::Node quotient = drawn(kDivision, 2, sketch);
  EXPECT_EQ(quotient.what, jit::Do::kFDiv);
  EXPECT_EQ(sketch.graph()[quotient.in[0]].bits, 1u) << "v1";
  EXPECT_EQ(sketch.graph()[quotient.in[1]].bits, 0u) << "v0";
}

TEST_F(JitSequence, OfAWideDivisionIsAQuotient) {
  jit::Sketch sketch;
  const jit::Node low = drawn(kWideDivision, 4, sketch);
  ASSERT_EQ(low.what, jit::Do::kLow);
  EXPECT_EQ(sketch.graph()[low.in[0]].what, jit::Do::kFDiv);
}

TEST_F(JitSequence, OfADivisionWithAnotherStepIsNone) {
  const std::pair<std::size_t, std::uint32_t> changes[] = {
      {6, 0x23d20702},               // v_fma_f32 v5, -v2, v3, 2.0
      {7, 0x76060705 + (1u << 17)},  // v_fmac_f32 v4 instead of v3
      {8, 0x0a0a0702},               // v_mul_f32_e32 v5, v2, v3
      {10, 0x04120b02},              // v_fma_f32 v6, v2, v5, v4
      {11, 0x760a0704},              // v_fmac_f32_e32 v5, v4, v3
      {13, 0x24020b02},              // v_fma_f32 v2, -v2, v5, v0
  };
  for (const auto& [at, dword] : changes) {
    Code code = kDivision;
    ASSERT_NE(code[at], dword);
    code[at] = dword;
    jit::Sketch sketch;
    EXPECT_NE(drawn(code, 2, sketch).what, jit::Do::kFDiv) << at;
  }
}

TEST_F(JitSequence, DividesWhatTheHandlersDivide) {
  BothWays remembered(kDivision), forgotten(joined(kDivision, kForget));
  std::mt19937_64 random(1);
  const auto value = [&](unsigned trial) {
    switch (trial % 4) {
      case 0: return any_of(random, 127 - 48, 96);
      case 1: return any_of(random, 0, 256);
      case 2: return random() % 64 == 0 ? 0u : any_of(random, 20, 12);
      default: return static_cast<std::uint32_t>(tests::draw_register(isa::Type::kF32, random));
    }
  };
  for (unsigned trial = 0; trial < 20000 && !HasFailure(); ++trial) {
    const auto fill = [&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) vgpr[lane] = value(trial / 4 % 4 == 0 ? trial : 0);
      for (unsigned lane = 64; lane < 128; ++lane) vgpr[lane] = value(trial);
    };
    const std::uint64_t exec = trial % 3 == 0 ? random() : ~std::uint64_t{0};
    remembered.expect_same(fill, exec);
    forgotten.expect_same(fill, exec);
  }
}

TEST_F(JitSequence, DividesDoublesAsTheHandlersDo) {
  BothWays remembered(kWideDivision), forgotten(joined(kWideDivision, kWideForget));
  std::mt19937_64 random(3);
  const auto value = [&](unsigned trial) {
    switch (trial % 4) {
      case 0: return any_wide(random, 1023 - 384, 768);
      case 1: return any_wide(random, 0, 2048);
      case 2: return random() % 64 == 0 ? 0u : any_wide(random, 45, 20);
      default: return std::uint64_t{tests::draw_register(isa::Type::kF64, random)};
    }
  };
  for (unsigned trial = 0; trial < 10000 && !HasFailure(); ++trial) {
    const auto fill = [&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        put_wide(vgpr, lane, value(trial / 4 % 4 == 0 ? trial : 0));
        put_wide(vgpr + 128, lane, value(trial));
      }
    };
    const std::uint64_t exec = trial % 3 == 0 ? random() : ~std::uint64_t{0};
    remembered.expect_same(fill, exec);
    forgotten.expect_same(fill, exec);
  }
}

/// A number of any size that is no NaN, or a zero, but none with the exponent field `lost`.
std::uint32_t any_but(std::mt19937_64& random, std::uint32_t lost) {
  while (true) {
    const std::uint32_t value = random() % 16 == 0 ? static_cast<std::uint32_t>(random() % 2 << 31)
                                                   : any_of(random, 0, 255);
    if ((value >> 23 & 255) != lost) return value;
  }
}
std::uint64_t any_wide_but(std::mt19937_64& random, std::uint64_t lost) {
  while (true) {
    const std::uint64_t value = random() % 16 == 0 ? random() % 2 << 63 : any_wide(random, 0, 2047);
    if ((value >> 52 & 2047) != lost) return value;
  }
}

TEST_F(JitSequence, DividesNumbersOfAnySizeItself) {
  BothWays division(joined(kDivision, kForget));
  std::mt19937_64 random(2);
  for (unsigned trial = 0; trial < 4000 && !HasFailure(); ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        do {
          vgpr[lane] = any_but(random, 256);
          vgpr[64 + lane] = any_but(random, 24);
        } while (((vgpr[lane] | vgpr[64 + lane]) & 0x7fffffffu) == 0);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
}

/// Quotients of 2^-151 to 2^-124, of numbers of all sizes that have such.
TEST_F(JitSequence, DividesToDenormalsItself) {
  BothWays division(joined(kDivision, kForget));
  std::mt19937_64 random(5);
  for (unsigned trial = 0; trial < 4000 && !HasFailure(); ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const auto exponent = static_cast<std::uint32_t>(random() % 104);
        vgpr[lane] = any_of(random, exponent + 125, 26);
        vgpr[64 + lane] = any_of(random, exponent == 24 ? 25 : exponent, exponent == 23 ? 1 : 2);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
}

TEST_F(JitSequence, DividesDoublesOfAnySizeItself) {
  BothWays division(joined(kWideDivision, kWideForget));
  std::mt19937_64 random(4);
  for (unsigned trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        std::uint64_t n = 0, d = 0;
        double quotient = 0;
        do {
          n = any_wide_but(random, 54);
          d = any_wide_but(random, 2048);
          quotient = std::abs(std::bit_cast<double>(n) / std::bit_cast<double>(d));
        } while (std::isnan(quotient) || (n << 1 != 0 && quotient < 0x1p-1021));
        put_wide(vgpr, lane, d);
        put_wide(vgpr + 128, lane, n);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
}

TEST_F(JitSequence, LeavesDivisionsWhoseErrorsMayGetLost) {
  BothWays division(joined(kDivision, kForget)), wide(joined(kWideDivision, kWideForget));
  std::mt19937_64 random(6);
  for (unsigned trial = 0; trial < 8; ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = any_of(random, 100, 8);
        vgpr[64 + lane] = any_of(random, 24, 1);
      }
    });
    wide.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        put_wide(vgpr, lane, any_wide(random, trial < 4 ? 1000 : 1030, 8));
        // The last are denormal quotients.
        put_wide(vgpr + 128, lane, any_wide(random, trial < 4 ? 54 : 1, 1));
      }
    });
  }
  EXPECT_EQ(division.misses(), 8u);
  EXPECT_EQ(wide.misses(), 8u);
}

TEST_F(JitSequence, DividesByZerosAndInfinitiesItself) {
  BothWays division(joined(kDivision, kForget)), wide(joined(kWideDivision, kWideForget));
  for (const std::uint32_t sign : {0u, 1u}) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = lane % 5 == 0   ? sign << 31
                     : lane % 5 == 1 ? 0x7f800000u | sign << 31
                                     : 0x3f800000u + lane;
        vgpr[64 + lane] = (lane % 2 << 31) + (lane % 5 == 2 ? 0x7f800000u : 0x40000000u + lane);
      }
    });
    wide.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const std::uint64_t infinity = 0x7ff0000000000000u;
        put_wide(vgpr, lane,
                 lane % 5 == 0   ? std::uint64_t{sign} << 63
                 : lane % 5 == 1 ? infinity | std::uint64_t{sign} << 63
                                 : 0x3ff0000000000001u);
        put_wide(vgpr + 128, lane, lane % 5 == 2 ? infinity : 0xc000000000000001u);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
  EXPECT_EQ(wide.misses(), 0u);
  // Of reciprocals that follow each other the second is an estimate with corrections.
  BothWays reciprocals({0x7e024500, 0x7e044503});  // v_rcp_f32 v1, v0; v2, v3
  reciprocals.expect_same([](std::uint32_t* vgpr) {
    for (unsigned i = 0; i < 256; ++i) {
      vgpr[i] = (i % 2 << 31) + (i % 3 == 0 ? 0 : i % 3 == 1 ? 0x7f800000u : 0x40400000u + i);
    }
  });
  EXPECT_EQ(reciprocals.misses(), 0u);
}

/// LLVM gives the masks of divisions that lie in each other SGPRs of their own, and copies them to
/// VCC for v_div_fmas.
TEST_F(JitSequence, DividesWhereTheMaskIsMovedItself) {
  constexpr std::uint32_t kScaleToVcc = 0xd1e06a04, kScaleToS2 = 0xd1e00204, kFmas = 0xd1e20002,
                          kMoveToVcc = 0xbeea0102;  // s_mov_b64 vcc, s[2:3]
  Code code = kDivision;
  std::ranges::replace(code, kScaleToVcc, kScaleToS2);
  code.insert(std::ranges::find(code, kFmas), kMoveToVcc);
  const Code forget{0xd0ca0002, 0x00020100};  // v_cmp_eq_u32_e64 s[2:3], v0, v0
  BothWays division(joined(joined(code, forget), kForget));
  std::mt19937_64 random(2);
  for (unsigned trial = 0; trial < 500 && !HasFailure(); ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = any_of(random, 100, 50);
        vgpr[64 + lane] = lane % 7 == 0 ? 0 : any_of(random, 100, 50);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u) << "its steps would leave zeros to the handlers";
}

TEST_F(JitSequence, DividesNansAndToNansItselfInCarefulCode) {
  BothWays division(joined(kDivision, kForget)), wide(joined(kWideDivision, kWideForget));
  division.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 128; ++lane) vgpr[lane] = maybe_number(random);
  });
  wide.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      put_wide(vgpr, lane, maybe_wide_number(random));
      put_wide(vgpr + 128, lane, maybe_wide_number(random));
    }
  });
}

/// Of operands of all sizes each step alone, as where a division lies in several runs.
template <class Value>
void expect_own_steps(const Code& step, unsigned dwords, Value value) {
  BothWays both(step);
  both.expect_same_in_careful_code([&](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (unsigned i = 0; i < 3; ++i) {
        const std::uint64_t bits = value(random);
        if (dwords == 2) put_wide(vgpr + std::size_t{128} * i, lane, bits);
        if (dwords == 1) vgpr[64 * i + lane] = static_cast<std::uint32_t>(bits);
      }
      // The same in both registers, and numbers that are near each other.
      if (lane % 8 == 0) {
        for (unsigned i = 0; i < dwords; ++i) vgpr[64 * (dwords + i) + lane] = vgpr[64 * i + lane];
      }
      if (lane % 8 == 1) vgpr[64 * (2 * dwords - 1) + lane] = vgpr[64 * (dwords - 1) + lane] ^ 1u;
    }
  });
}
TEST_F(JitSequence, CarefulCodeScalesOperandsOfAllSizes) {
  const auto value = [](std::mt19937_64& random) -> std::uint32_t {
    return random() % 16 == 0 ? 0u : tests::draw_register(isa::Type::kF32, random);
  };
  const auto any = [](std::mt19937_64& random) { return any_of(random, 0, 256); };
  const Code steps[] = {{0xd1e00002, 0x04060100, 0xd1e06a04, 0x04060101},  // as in kDivision
                        {0xd1e00003, 0x04060102}};  // v_div_scale_f32 v3, s[0:1], v2, v0, v1
  for (const Code& step : steps) {
    expect_own_steps(step, 1, value);
    expect_own_steps(step, 1, any);
  }
}
TEST_F(JitSequence, CarefulCodeScalesDoublesOfAllSizes) {
  const auto value = [](std::mt19937_64& random) -> std::uint64_t {
    return random() % 16 == 0 ? 0u : tests::draw_register(isa::Type::kF64, random);
  };
  const auto any = [](std::mt19937_64& random) { return any_wide(random, 0, 2048); };
  const Code steps[] = {{0xd1e10006, 0x040a0100},   // v_div_scale_f64 v[6:7], s[0:1], v[0:1], ...
                        {0xd1e16a08, 0x040a0102}};  // as in kWideDivision
  for (const Code& step : steps) {
    expect_own_steps(step, 2, value);
    expect_own_steps(step, 2, any);
  }
}
TEST_F(JitSequence, CarefulCodeFixesQuotientsOfAllSizes) {
  const Code step{0xd1de0003, 0x04060102};  // v_div_fixup_f32 v3, v2, v0, v1
  const Code wide{0xd1df0006, 0x040a0104};  // v_div_fixup_f64 v[6:7], v[4:5], v[0:1], v[2:3]
  expect_own_steps(step, 1, [](std::mt19937_64& random) -> std::uint32_t {
    return random() % 16 == 0 ? 0u : tests::draw_register(isa::Type::kF32, random);
  });
  expect_own_steps(wide, 2, [](std::mt19937_64& random) -> std::uint64_t {
    return random() % 16 == 0 ? 0u : tests::draw_register(isa::Type::kF64, random);
  });
  expect_own_steps(step, 1, [](std::mt19937_64& random) { return any_of(random, 0, 256); });
  expect_own_steps(wide, 2, [](std::mt19937_64& random) { return any_wide(random, 0, 2048); });
}
/// Where their steps are asked for, too. Denormal quotients, numerators whose errors may get lost
/// and denominators at the ends of the format are left.
TEST_F(JitSequence, CarefulCodeTakesTheStepsOfDivisions) {
  BothWays division(kDivision), wide(kWideDivision);
  division.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      std::uint32_t n = 0, d = 0;
      do {
        n = random() % 8 == 0 ? maybe_number(random) : any_but(random, 24);
        d = random() % 8 == 0 ? maybe_number(random) : any_of(random, 3, 248);
      } while (std::abs(std::bit_cast<float>(n) / std::bit_cast<float>(d)) < 0x1p-126f);
      vgpr[lane] = d;
      vgpr[64 + lane] = n;
    }
  });
  wide.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      std::uint64_t n = 0, d = 0;
      do {
        n = random() % 8 == 0 ? maybe_wide_number(random) : any_wide_but(random, 54);
        d = random() % 8 == 0 ? maybe_wide_number(random) : any_wide(random, 3, 2040);
      } while (std::abs(std::bit_cast<double>(n) / std::bit_cast<double>(d)) < 0x1p-1021);
      put_wide(vgpr, lane, d);
      put_wide(vgpr + 128, lane, n);
    }
  });
}

TEST_F(JitSequence, HasNansForReciprocalsOfNans) {
  BothWays reciprocals({0x7e024500, 0x7e044503});  // v_rcp_f32 v1, v0; v2, v3
  reciprocals.expect_same([](std::uint32_t* vgpr) {
    std::fill(vgpr, vgpr + 256, 0x3f800000u);
    std::fill(vgpr + 192, vgpr + 224, 0x7fffffffu);
    std::fill(vgpr + 224, vgpr + 256, 0xffffffffu);
  });
}

TEST_F(JitSequence, LeavesTheMaskOfADivisionWhereItIsAskedFor) {
  Code forget = kForget;
  std::erase(forget, 0x7d940100u);  // vcc is kept
  BothWays division(joined(kDivision, forget));
  for (const std::uint32_t numerator : {0x20000000u, 0u, 0x00000001u, 0x7f000000u}) {
    division.expect_same([&](std::uint32_t* vgpr) {
      std::fill(vgpr, vgpr + 64, 0x3f800000u);
      std::fill(vgpr + 64, vgpr + 128, numerator);
    });
  }
  EXPECT_EQ(division.misses(), 4u);
}

TEST_F(JitSequence, LeavesDivisionsOfZeroToTheHandlersWhereStepsAreAskedFor) {
  BothWays division(kDivision);
  division.expect_same([](std::uint32_t* vgpr) {
    std::fill(vgpr, vgpr + 64, 0x3f800000u);
    std::fill(vgpr + 64, vgpr + 128, 0u);
  });
  EXPECT_EQ(division.misses(), 1u);
}

/// docs/decisions/0036 proves it of every precision.
TEST(Division, StartsFromTheReciprocalRoundedToNearest) {
  unsigned others = 0;
  for (std::uint32_t mantissa = 0; mantissa < 1u << 23; ++mantissa) {
    const auto d = std::bit_cast<float>(0x3f800000u + mantissa);
    const float first = 1.0f / d;
    if (std::fma(std::fma(-d, first, 1.0f), first, first) != first) ++others;
  }
  EXPECT_EQ(others, 0u);
}

/// A double's first estimate may be further than a neighbour from the quotient. Then the proof in
/// docs/decisions/0036 leaves six pairs just below 2, which are among these.
TEST(Division, OfDoublesBelowTwoIsRoundedToNearest) {
  constexpr unsigned kCount = 1000;
  unsigned others = 0;
  for (unsigned i = 1; i <= kCount; ++i) {
    for (unsigned j = 1; j <= kCount; ++j) {
      const double n = 2 - i * 0x1p-52, d = 2 - j * 0x1p-52;
      const double y = 1 / d, estimate = n * y;
      if (std::fma(std::fma(-d, estimate, n), y, estimate) != n / d) ++others;
    }
  }
  EXPECT_EQ(others, 0u);
}

}  // namespace
}  // namespace wavetank::execute::testing
