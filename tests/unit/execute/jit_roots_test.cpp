// Roots, alone and as LLVM writes them: compiled code takes the host's in their place, and leaves
// what the handlers leave, step by step.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>

#include "execute/handlers.hpp"
#include "jit_sequence.hpp"
#include "number/arithmetic.hpp"
#include "number/transcendental.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {
namespace {

/// v1 = the root of v0 without the scaling around it (SITargetLowering::lowerFSQRTF32).
const Code kRoot{
    0x7e024f00,              // v_sqrt_f32_e32 v1, v0
    0x680402c1,              // v_add_u32_e32 v2, -1, v1
    0x68060281,              // v_add_u32_e32 v3, 1, v1
    0xd1cb0004, 0x24020302,  // v_fma_f32 v4, -v2, v1, v0
    0xd1cb0005, 0x24020303,  // v_fma_f32 v5, -v3, v1, v0
    0xd0460000, 0x00020880,  // v_cmp_ge_f32_e64 s[0:1], 0, v4
    0xd1000001, 0x00020501,  // v_cndmask_b32_e64 v1, v1, v2, s[0:1]
    0xd0410000, 0x00020a80,  // v_cmp_lt_f32_e64 s[0:1], 0, v5
    0xd1000001, 0x00020701,  // v_cndmask_b32_e64 v1, v1, v3, s[0:1]
};
/// What follows the root: v1 = v0 where that is 0 or infinite.
const Code kRootOfClass{
    0x7e0602ff, 0x00000260,  // v_mov_b32_e32 v3, 0x260
    0x7c200700,              // v_cmp_class_f32_e32 vcc, v0, v3
    0x00020101,              // v_cndmask_b32_e32 v1, v1, v0, vcc
};

/// v[4:5] = the root of v[0:1] (SITargetLowering::lowerFSQRTF64) ...
const Code kWideRoot{
    0x7e044d00,              // v_rsq_f64_e32 v[2:3], v[0:1]
    0xd2810004, 0x00020500,  // v_mul_f64 v[4:5], v[0:1], v[2:3]
    0xd2810002, 0x0001e102,  // v_mul_f64 v[2:3], v[2:3], 0.5
    0xd1cc0006, 0x23c20902,  // v_fma_f64 v[6:7], -v[2:3], v[4:5], 0.5
    0x08080d04,              // v_fmac_f64_e32 v[4:5], v[4:5], v[6:7]
    0x08040d02,              // v_fmac_f64_e32 v[2:3], v[2:3], v[6:7]
    0xd1cc0006, 0x24020904,  // v_fma_f64 v[6:7], -v[4:5], v[4:5], v[0:1]
    0x08080506,              // v_fmac_f64_e32 v[4:5], v[6:7], v[2:3]
    0xd1cc0006, 0x24020904,  // v_fma_f64 v[6:7], -v[4:5], v[4:5], v[0:1]
    0x08080506,              // v_fmac_f64_e32 v[4:5], v[6:7], v[2:3]
};
/// ... v[2:3] = that times 2^-128, or v[0:1] where it is 0 or infinite; of the rest nothing is
/// left.
const Code kWideRootOfClass{
    0x7e1202ff, 0x00000260,  // v_mov_b32_e32 v9, 0x260
    0x7e1402ff, 0xffffff80,  // v_mov_b32_e32 v10, 0xffffff80
    0x7c241300,              // v_cmp_class_f64_e32 vcc, v[0:1], v9
    0xd2840002, 0x00021504,  // v_ldexp_f64 v[2:3], v[4:5], v10
    0x00060303,              // v_cndmask_b32_e32 v3, v3, v1, vcc
    0x00040102,              // v_cndmask_b32_e32 v2, v2, v0, vcc
    0x7e080280,              // v_mov_b32_e32 v4, 0
    0x7e0a0280,              // v_mov_b32_e32 v5, 0
    0x7e0c0280,              // v_mov_b32_e32 v6, 0
    0x7e0e0280,              // v_mov_b32_e32 v7, 0
};

/// All of it: v[6:7] = the root of v[6:7], with a scale for small numbers, v4 = -128, v5 = 0x260.
const Code kWholeWideRoot{
    0x7cc80c00,              // v_cmp_gt_f64_e32 vcc, s[0:1], v[6:7]
    0xd1000008, 0x01a90280,  // v_cndmask_b32_e64 v8, 0, 1, vcc
    0x24101088,              // v_lshlrev_b32_e32 v8, 8, v8
    0xd2840006, 0x00021106,  // v_ldexp_f64 v[6:7], v[6:7], v8
    0x7e104d06,              // v_rsq_f64_e32 v[8:9], v[6:7]
    0x001c0880,              // v_cndmask_b32_e32 v14, 0, v4, vcc
    0x7c240b06,              // v_cmp_class_f64_e32 vcc, v[6:7], v5
    0xd281000a, 0x00021106,  // v_mul_f64 v[10:11], v[6:7], v[8:9]
    0xd2810008, 0x0001e108,  // v_mul_f64 v[8:9], v[8:9], 0.5
    0xd1cc000c, 0x23c21508,  // v_fma_f64 v[12:13], -v[8:9], v[10:11], 0.5
    0x0814190a,              // v_fmac_f64_e32 v[10:11], v[10:11], v[12:13]
    0x08101908,              // v_fmac_f64_e32 v[8:9], v[8:9], v[12:13]
    0xd1cc000c, 0x241a150a,  // v_fma_f64 v[12:13], -v[10:11], v[10:11], v[6:7]
    0x0814110c,              // v_fmac_f64_e32 v[10:11], v[12:13], v[8:9]
    0xd1cc000c, 0x241a150a,  // v_fma_f64 v[12:13], -v[10:11], v[10:11], v[6:7]
    0x0814110c,              // v_fmac_f64_e32 v[10:11], v[12:13], v[8:9]
    0xd2840008, 0x00021d0a,  // v_ldexp_f64 v[8:9], v[10:11], v14
    0x000e0f09,              // v_cndmask_b32_e32 v7, v9, v7, vcc
    0x000c0d08,              // v_cndmask_b32_e32 v6, v8, v6, vcc
    0x7e100280,              // v_mov_b32_e32 v8, 0
    0x7e120280,              // v_mov_b32_e32 v9, 0
    0x7e140280,              // v_mov_b32_e32 v10, 0
    0x7e160280,              // v_mov_b32_e32 v11, 0
    0x7e180280,              // v_mov_b32_e32 v12, 0
    0x7e1a0280,              // v_mov_b32_e32 v13, 0
};

TEST_F(JitSequence, OfARootIsTheRoot) {
  jit::Sketch sketch;
  EXPECT_EQ(drawn(kRoot, 1, sketch).what, jit::Do::kFSqrt);
}

TEST_F(JitSequence, OfAWideRootIsTheRoot) {
  jit::Sketch sketch;
  const jit::Node low = drawn(kWideRoot, 4, sketch);
  ASSERT_EQ(low.what, jit::Do::kGiven);
  const jit::Node part = sketch.graph()[low.in[0]];
  ASSERT_EQ(part.what, jit::Do::kLow);
  EXPECT_EQ(sketch.graph()[part.in[0]].what, jit::Do::kFSqrt);
}

TEST_F(JitSequence, OfAWideRootWithAnotherStepIsNone) {
  for (const auto& [at, dword] : {std::pair(6u, 0x23ca0902u),  // v_fma_f64 ..., 1.0 instead of 0.5
                                  std::pair(7u, 0x08080d02u),  // v_fmac_f64 of h
                                  std::pair(10u, 0x24020902u)}) {  // v_fma_f64 of -h
    Code code = kWideRoot;
    ASSERT_NE(code[at], dword);
    code[at] = dword;
    jit::Sketch sketch;
    const jit::Node low = drawn(code, 4, sketch);
    EXPECT_NE(low.what, jit::Do::kGiven) << at;
  }
}

TEST_F(Jit, RoundsRootsAndReciprocalsOfEveryMantissaOnce) {
  const Op moves = [] {
    Op op;
    op.row = isa::find_row("v_mov_b32", isa::kGfx90a)->id;
    op.run = handlers()[op.row].usual;
    op.dst = 256 * 3;
    return op;
  }();
  for (const char* name : {"v_sqrt_f32", "v_rcp_f32"}) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].usual;
    op.src[0] = 0;
    op.dst = 256;
    std::vector<Op> ops = with_stop({op, moves});
    const std::vector<std::size_t> slots{0, 1};
    const auto blocks = jit::Blocks::compile(ops, slots, {}, {}, Compiled::kChains);
    ASSERT_NE(blocks, nullptr);
    State state;
    state.wave.set_exec(~std::uint64_t{0});
    constexpr std::uint32_t kQuarter = 0x3e800000, kTwoBinades = 1u << 24;
    for (std::uint32_t bits = 0; bits < kTwoBinades && !HasFailure(); bits += 64) {
      for (std::uint32_t lane = 0; lane < 64; ++lane) state.vgpr[lane] = kQuarter + bits + lane;
      ops[0].run(state.wave, ops.data());
      Op exact = op;
      exact.dst = 512;
      exact.run(state.wave, &exact);
      ASSERT_EQ(std::memcmp(state.vgpr + 64, state.vgpr + 128, 256), 0) << name << " " << bits;
    }
  }
}

TEST_F(JitSequence, TakesTheRootsOfMantissas) {
  BothWays root(joined(kRoot, kRootOfClass));
  constexpr std::uint32_t kFrom = 0x3e800000, kTwoBinades = 1u << 24;
  for (std::uint32_t bits = 0; bits < kTwoBinades && !HasFailure(); bits += 64 * every(17)) {
    root.expect_same([&](std::uint32_t* vgpr) { std::iota(vgpr, vgpr + 64, kFrom + bits); });
  }
}

TEST_F(JitSequence, TakesRootsOfAnything) {
  BothWays root(joined(kRoot, kRootOfClass));
  const auto grid = tests::value_grid(isa::Type::kF32);
  for (std::size_t first = 0; first < grid.size(); ++first) {
    root.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = static_cast<std::uint32_t>(grid[(first + lane / 16) % grid.size()]);
      }
    });
  }
}

TEST_F(JitSequence, TakesRootsOfZerosItself) {
  BothWays root(joined(joined(kRoot, kRootOfClass), kForget));
  for (const std::uint32_t sign : {0u, 1u}) {
    root.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = lane % 5 == 0 ? sign << 31 : 0x3f800000u + lane;
      }
    });
  }
  EXPECT_EQ(root.misses(), 0u);
  Code both = kRoot;  // roots that follow each other are estimates with corrections
  both.insert(both.end(),
              {0x7e024f00, 0x7e044f01, 0x7e064f02});  // v_sqrt_f32 v1, v0; v2, v1; v3, v2
  BothWays roots(joined(both, kForget));
  roots.expect_same([](std::uint32_t* vgpr) {
    for (unsigned lane = 0; lane < 64; ++lane) vgpr[lane] = lane % 2 << 31;
  });
  EXPECT_EQ(roots.misses(), 0u);
}

TEST_F(JitSequence, TakesRootsOfDoublesAsTheHandlersDo) {
  BothWays remembered(kWideRoot), forgotten(joined(kWideRoot, kWideRootOfClass));
  std::mt19937_64 random(5);
  for (unsigned trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    const auto fill = [&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const std::uint64_t ordinary =
            any_wide(random, 1023 - 600, 1200) & ~(std::uint64_t{1} << 63);
        const bool wild = trial % 2 == 0 && random() % 32 == 0;
        put_wide(vgpr, lane, wild ? tests::draw_register(isa::Type::kF64, random) : ordinary);
      }
    };
    const std::uint64_t exec = trial % 3 == 0 ? random() : ~std::uint64_t{0};
    remembered.expect_same(fill, exec);
    forgotten.expect_same(fill, exec);
  }
}

TEST_F(JitSequence, TakesRootsOfWideZerosItself) {
  BothWays root(joined(kWideRoot, kWideRootOfClass));
  for (const std::uint64_t sign : {0u, 1u}) {
    root.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        put_wide(vgpr, lane, lane % 5 == 0 ? sign << 63 : 0x4000000000000000u + lane);
      }
    });
  }
  EXPECT_EQ(root.misses(), 0u);
}

/// As many masks as the host has registers for.
TEST_F(JitSequence, TakesWholeWideRootsItself) {
  BothWays root(kWholeWideRoot);
  std::mt19937_64 random(6);
  for (unsigned trial = 0; trial < 200; ++trial) {
    root.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const std::uint64_t any = any_wide(random, 1023 - 600, 1200) & ~(std::uint64_t{1} << 63);
        put_wide(vgpr + std::size_t{6} * 64, lane, random() % 8 == 0 ? 0 : any);
        vgpr[4 * 64 + lane] = 0xffffff80;
        vgpr[5 * 64 + lane] = 0x260;
      }
    });
  }
  EXPECT_EQ(root.misses(), 0u);
}

TEST_F(JitSequence, TakesRootsOfNegativeNumbersAndNansItselfInCarefulCode) {
  BothWays root(joined(joined(kRoot, kRootOfClass), kForget)), wide(kWholeWideRoot);
  root.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) vgpr[lane] = maybe_number(random);
  });
  wide.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      put_wide(vgpr + std::size_t{6} * 64, lane, maybe_wide_number(random));
      vgpr[4 * 64 + lane] = 0xffffff80;
      vgpr[5 * 64 + lane] = 0x260;
    }
  });
}

/// A double x and the middle m of two doubles, scaled to integers X and M, have their distance from
/// c = M^2 - X * 2^s. docs/decisions/0036 leaves roots with |c| of at most 16; each c has four M.
TEST(Root, OfDoublesNextToTheMiddleIsRoundedToNearest) {
  constexpr std::int64_t kMost = 4096;
  unsigned others = 0, tried = 0;
  for (const unsigned shift : {54u, 55u}) {
    for (std::int64_t c = 1 - kMost; c <= kMost; c += 8) {
      for (const std::uint64_t start : {1u, 3u}) {
        std::uint64_t m = start;
        for (unsigned bit = 3; bit < shift; ++bit) {
          const std::uint64_t rest = m * m - static_cast<std::uint64_t>(c);
          if ((rest >> bit & 1) != 0) m += std::uint64_t{1} << (bit - 1);
        }
        const std::uint64_t period = std::uint64_t{1} << (shift - 1);
        for (const std::uint64_t solution : {m, 0 - m}) {
          for (std::uint64_t of = solution % period; of < std::uint64_t{1} << 54; of += period) {
            if (of < std::uint64_t{1} << 53) continue;
            using Wide = unsigned __int128;
            const Wide square = static_cast<Wide>(of) * of - static_cast<Wide>(c);
            const auto significand = static_cast<std::uint64_t>(square >> shift);
            if (significand >> 52 != 1) continue;
            ASSERT_EQ(static_cast<std::uint64_t>(square) << (64 - shift), 0u);
            const double x = std::ldexp(static_cast<double>(significand), shift == 54 ? -52 : -51);
            const double y = number::to_host(number::rsq(number::from_host(x), {}));
            const double g = x * y, h = y * 0.5, r = std::fma(-h, g, 0.5);
            const double g1 = std::fma(g, r, g), h1 = std::fma(h, r, h);
            const double g2 = std::fma(std::fma(-g1, g1, x), h1, g1);
            if (std::fma(std::fma(-g2, g2, x), h1, g2) != std::sqrt(x)) ++others;
            ++tried;
          }
        }
      }
    }
  }
  EXPECT_GT(tried, 1000u);
  EXPECT_EQ(others, 0u);
}

}  // namespace
}  // namespace wavetank::execute::testing
