// Float operations that compiled code does itself whatever the numbers are, NaNs apart.
#include <gtest/gtest.h>

#include <random>

#include "jit_sequence.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kClassF16 = 0x7c280b00;  // v_cmp_class_f16_e32 vcc, v0, v5
constexpr std::uint32_t kClassF32 = 0x7c200b00;
constexpr std::uint32_t kClassF64 = 0x7c240b00;

/// v6 = 1 where v0, or v[0:1], is of one of the classes.
Code class_test(std::uint32_t instruction, std::uint32_t classes) {
  return {
      0x7e0a02ff,  classes,     // v_mov_b32_e32 v5, classes
      instruction,              //
      0xd1000006,  0x01a90280,  // v_cndmask_b32_e64 v6, 0, 1, vcc
  };
}

TEST_F(JitSequence, TellsTheClassOfAnyNumberItself) {
  std::mt19937_64 random(1);
  for (const auto& [instruction, type] :
       {std::pair(kClassF16, isa::Type::kF16), std::pair(kClassF32, isa::Type::kF32),
        std::pair(kClassF64, isa::Type::kF64)}) {
    for (std::uint32_t classes = 0; classes < 0x400; classes += every(5)) {
      BothWays both(class_test(instruction, classes));
      for (unsigned trial = 0; trial < 4; ++trial) {
        both.expect_same([&](std::uint32_t* vgpr) {
          for (unsigned lane = 0; lane < 64; ++lane) {
            const std::uint64_t value = tests::draw_register(type, random);
            type == isa::Type::kF64 ? put_wide(vgpr, lane, value)
                                    : void(vgpr[lane] = static_cast<std::uint32_t>(value));
          }
        });
      }
      EXPECT_EQ(both.misses(), 0u) << std::hex << instruction << " " << classes;
    }
  }
}

/// Runs an instruction on v0, v1 and v3 that `value(register)` gives for each lane.
template <class Value>
std::uint64_t misses_of(const Code& code, unsigned trials, Value value) {
  BothWays both(code);
  for (unsigned trial = 0; trial < trials; ++trial) {
    both.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (const unsigned name : {0u, 1u, 3u}) vgpr[64 * name + lane] = value(name);
      }
    });
  }
  return both.misses();
}

TEST_F(JitSequence, MovesExponentsToDenormalsAndInfinityItself) {
  std::mt19937_64 random(2);
  const Code kLdexp{0xd2880002, 0x00020300};  // v_ldexp_f32 v2, v0, v1
  EXPECT_EQ(misses_of(kLdexp, 2000,
                      [&](unsigned name) {
                        if (name == 0) return any_of(random, 0, 255);
                        const auto wild = static_cast<std::uint32_t>(random());
                        return random() % 8 == 0 ? wild : wild % 600 - 300;
                      }),
            0u);
}

TEST_F(JitSequence, FlushesDenormalsWhereAMultiplyAddDoes) {
  std::mt19937_64 random(3);
  const Code kMad{0xd1c10002, 0x040e0300};  // v_mad_f32 v2, v0, v1, v3
  // Products and sums of 2^-150 to 2^120.
  EXPECT_EQ(misses_of(kMad, 2000,
                      [&](unsigned name) {
                        return name == 3 ? any_of(random, 0, 30) : any_of(random, 0, 127 + 60);
                      }),
            0u);
}

TEST_F(JitSequence, TurnsByAnyNumberItself) {
  std::mt19937_64 random(4);
  for (const std::uint32_t turn : {0x7e045300u, 0x7e045500u}) {  // v_sin_f32, v_cos_f32 v2, v0
    EXPECT_EQ(misses_of({turn}, 1000,
                        [&](unsigned) {
                          return random() % 8 == 0 ? static_cast<std::uint32_t>(random() % 2 << 31)
                                                   : any_of(random, 0, 255);
                        }),
              0u);
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
