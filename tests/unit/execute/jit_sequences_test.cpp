// Division and square root as LLVM writes them: compiled code takes the host's in their place, and
// leaves what the handlers leave, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "execute/jit/blocks.hpp"
#include "execute/jit/sketch.hpp"
#include "execute/program.hpp"
#include "jit_state.hpp"
#include "number/arithmetic.hpp"
#include "number/transcendental.hpp"
#include "stop_op.hpp"
#include "value_grid.hpp"

namespace wavetank::execute {
namespace {

using testing::difference, testing::State;

using Code = std::vector<std::uint32_t>;

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
const Code kForget{
    0x7e060280,              // v_mov_b32_e32 v3, 0
    0x7e080280,              // v_mov_b32_e32 v4, 0
    0x7e0a0280,              // v_mov_b32_e32 v5, 0
    0x7e0c0280,              // v_mov_b32_e32 v6, 0
    0x7d940100,              // v_cmp_eq_u32_e32 vcc, v0, v0
    0xd0ca0000, 0x00020100,  // v_cmp_eq_u32_e64 s[0:1], v0, v0
};
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

/// The ops of code, one behind the other.
std::vector<Op> ops_of(Code code) {
  constexpr std::uint32_t kEnd = 0xbf810000;
  code.push_back(kEnd);
  ProgramSpec spec;
  spec.code = reinterpret_cast<const std::byte*>(code.data());
  spec.code_bytes = 4 * code.size();
  spec.entry = reinterpret_cast<std::uint64_t>(code.data());
  spec.vgpr_count = spec.accum_offset = State::kRegisters;
  const auto program = *Program::translate(spec);
  std::vector<Op> ops;
  for (const Op* op = program->entry(); row_of(*op).pause != isa::Pause::kEnd; op += op->dwords) {
    ops.push_back(*op);
    ops.back().dwords = 1;
  }
  return ops;
}

class JitSequence : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!jit::available()) GTEST_SKIP() << "this host runs no compiled blocks";
  }
};

/// What a register is after code that is drawn as one run.
jit::Node drawn(const Code& code, unsigned name, jit::Sketch& sketch) {
  unsigned number = 0;
  for (const Op& op : ops_of(code)) EXPECT_TRUE(sketch.draw(op, row_of(op), number++));
  return sketch.graph()[sketch.value_of_vector(name)];
}

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

TEST_F(JitSequence, OfARootIsTheRoot) {
  jit::Sketch sketch;
  EXPECT_EQ(drawn(kRoot, 1, sketch).what, jit::Do::kFSqrt);
}

/// Code by its handlers and compiled, from registers that `fill` sets.
class BothWays {
 public:
  explicit BothWays(const Code& code) : ops_(with_stop(ops_of(code))), compiled_(ops_) {
    std::vector<std::size_t> slots(ops_.size() - 1);
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    blocks_ = jit::Blocks::compile(compiled_, slots, {}, {}, Compiled::kChains);
    EXPECT_NE(blocks_, nullptr);
  }
  template <class Fill>
  void expect_same(Fill fill, std::uint64_t exec = ~std::uint64_t{0}) {
    State by_handlers;
    by_handlers.wave.set_exec(exec);
    fill(by_handlers.vgpr);
    State compiled(by_handlers);
    run_to_stop(by_handlers.wave, ops_);
    run_to_stop(compiled.wave, compiled_);
    EXPECT_EQ(difference(by_handlers, compiled), "");
  }
  std::uint64_t misses() const { return blocks_->misses(); }

 private:
  std::vector<Op> ops_, compiled_;
  std::unique_ptr<jit::Blocks> blocks_;
};

Code joined(Code a, const Code& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
/// Any f32 with an exponent from `least` on, of so many.
std::uint32_t any_of(std::mt19937_64& random, std::uint32_t least, std::uint32_t exponents) {
  const auto exponent = static_cast<std::uint32_t>(least + random() % exponents);
  return (static_cast<std::uint32_t>(random()) & 0x807fffffu) | exponent << 23;
}
std::uint64_t any_wide(std::mt19937_64& random, std::uint64_t least, std::uint64_t exponents) {
  return (random() & 0x800fffffffffffffu) | (least + random() % exponents) << 52;
}
/// Puts a double into a lane of two registers.
void put_wide(std::uint32_t* vgpr, unsigned lane, std::uint64_t bits) {
  vgpr[lane] = static_cast<std::uint32_t>(bits);
  vgpr[64 + lane] = static_cast<std::uint32_t>(bits >> 32);
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

TEST_F(JitSequence, DividesZerosAndDoublesOfAllSizesItself) {
  BothWays division(joined(kWideDivision, kWideForget));
  std::mt19937_64 random(4);
  for (unsigned trial = 0; trial < 1000; ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      const std::uint64_t exponent = 1023 - 480 + random() % 961;
      for (unsigned lane = 0; lane < 64; ++lane) {
        put_wide(vgpr, lane, any_wide(random, exponent - 400, 800));
        put_wide(
            vgpr + 128, lane,
            lane % 7 == 0 ? std::uint64_t{lane % 2} << 63 : any_wide(random, exponent - 400, 800));
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
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

TEST_F(JitSequence, DividesZerosAndNumbersOfAllSizesItself) {
  BothWays division(joined(kDivision, kForget));
  std::mt19937_64 random(2);
  for (unsigned trial = 0; trial < 2000; ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      // Quotients from 2^-74 to 2^74, of numbers from 2^-98 to 2^98.
      const auto exponent = static_cast<std::uint32_t>(127 - 48 + random() % 97);
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = any_of(random, exponent - 25, 50);
        vgpr[64 + lane] = lane % 7 == 0 ? lane % 2 << 31 : any_of(random, exponent - 25, 50);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u);
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

TEST_F(JitSequence, TakesTheRootOfEveryMantissa) {
  BothWays root(joined(kRoot, kRootOfClass));
  constexpr std::uint32_t kFrom = 0x3e800000, kTwoBinades = 1u << 24;
  for (std::uint32_t bits = 0; bits < kTwoBinades && !HasFailure(); bits += 64) {
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

}  // namespace
}  // namespace wavetank::execute
