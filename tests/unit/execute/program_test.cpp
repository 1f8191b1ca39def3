// Which code of a kernel's text is translated, and when: what is reachable from its entry at once,
// a function that is called by its address with the first call.
#include "execute/program.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "execute/handlers.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/jit/run.hpp"
#include "isa/catalogue.hpp"
#include "jit_state.hpp"

namespace wavetank::execute {
namespace {

constexpr std::uint32_t kNop = 0xbf800000;
constexpr std::uint32_t kEnd = 0xbf810000;
constexpr std::uint32_t kNoInstruction = 0xffffffff;
constexpr std::uint32_t kTrap = 0xbf920000;     // s_trap, its number in the low bits
constexpr std::uint32_t kSetKill = 0xbf8b0000;  // s_setkill
constexpr std::uint32_t kReturn = 0xbe801d1e;   // s_setpc_b64 s[30:31]
constexpr std::uint32_t kAdd = 0x02000000;      // v_add_f32 v0, s0, v0
constexpr std::uint32_t kSkipOne = 0xbf840001;  // s_cbranch_scc0 over one instruction

/// Translates code with 8 vector registers from its first instruction.
template <std::size_t kCount>
Result<std::shared_ptr<Program>> translate(const std::array<std::uint32_t, kCount>& code,
                                           bool compile = false,
                                           std::function<CodeRange(std::uint64_t)> find_code = {}) {
  ProgramSpec spec;
  spec.find_code = std::move(find_code);
  spec.compiled = compile ? Compiled::kChains : Compiled::kNothing;
  spec.code = reinterpret_cast<const std::byte*>(code.data());
  spec.code_bytes = sizeof code;
  spec.entry = reinterpret_cast<std::uint64_t>(code.data());
  spec.vgpr_count = 8;
  spec.accum_offset = 8;
  return Program::translate(spec);
}

/// The op at an address, whatever program it belongs to.
const Op* at(Program& program, std::uint64_t address) {
  Program* found = nullptr;
  return program.at(address, found);
}

/// Code of another code object, as the loader would find it.
template <std::size_t kCount>
std::function<CodeRange(std::uint64_t)> finds(const std::array<std::uint32_t, kCount>& code) {
  return [&code](std::uint64_t address) {
    const bool holds = address - reinterpret_cast<std::uint64_t>(code.data()) < sizeof code;
    return holds ? CodeRange{reinterpret_cast<const std::byte*>(code.data()), sizeof code}
                 : CodeRange{};
  };
}

TEST(Handlers, RunEveryRowButSemaphoresOfTheWholeDevice) {
  for (const isa::Row& row : isa::catalogue()) {
    if (row.memory.special == isa::MemorySpecial::kGwsSemaphore) continue;
    const HandlerSet& set = handlers()[row.id];
    EXPECT_TRUE(set.usual != nullptr || set.exact != nullptr) << row.name;
  }
}

TEST(Program, ATrapEndsThePathUnlessItIsADebuggers) {
  for (const std::uint32_t number : {0u, 1u, 2u, 4u, 7u, 255u}) {
    const std::array code = {kNop, kTrap | number, kNoInstruction};
    const auto program = translate(code);
    ASSERT_TRUE(program) << number << ": " << program.error().message;
    EXPECT_EQ((*program)->instruction_count(), 2u);
  }
  const std::array breakpoint = {kNop, kTrap | 3, kNoInstruction};
  EXPECT_FALSE(translate(breakpoint));
}

TEST(Program, TheNextKernelIsNotReachedThroughATrap) {
  // v_mov_b32 v10, v0 is beyond this kernel's registers, not beyond the next one's.
  const std::array code = {kTrap | 2, 0u, 0u, 0x7e140300u, kEnd};
  EXPECT_TRUE(translate(code));
}

TEST(Program, AKillEndsThePathIfItsFirstBitIsSet) {
  const std::array kills = {kSetKill | 1, kNoInstruction};
  EXPECT_TRUE(translate(kills));
  const std::array lives = {kSetKill, kNoInstruction};
  EXPECT_FALSE(translate(lives));
}

TEST(Program, ADotProductOfHalvesIgnoresItsClampBit) {
  const std::array code = {0xd3a3c000u, 0x1c060000u,  // v_dot2_f32_f16 v0, s0, v0, v1 clamp
                           0xd3a08000u, 0x04060000u,  // v_fma_mix_f32 v0, s0, v0, v1 clamp
                           kEnd};
  const auto program = translate(code);
  ASSERT_TRUE(program) << program.error().message;
  Program* found = nullptr;
  EXPECT_FALSE((*program)->at((*program)->base(), found)->clamp);
  EXPECT_TRUE((*program)->at((*program)->base() + 8, found)->clamp);
}

TEST(Program, AFunctionIsTranslatedAndCompiledWithItsFirstCall) {
  const std::array code = {kEnd, kAdd, kAdd, kReturn};
  const auto program = translate(code, true);
  ASSERT_TRUE(program);
  EXPECT_EQ((*program)->instruction_count(), 1u);
  const Op* const function = at(**program, (*program)->base() + 4);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ((*program)->instruction_count(), 4u);
  EXPECT_EQ(jit::has_own_handler(*function), !jit::available());
  EXPECT_EQ(at(**program, (*program)->base() + 4), function);
  EXPECT_EQ((*program)->instruction_count(), 4u);
}

TEST(Program, InvalidCodeOfAFunctionStopsOnlyWavesThatComeToIt) {
  const std::array code = {kEnd, kSkipOne, kReturn, kNoInstruction};
  const auto program = translate(code);
  ASSERT_TRUE(program);
  const Op* const function = at(**program, (*program)->base() + 4);
  ASSERT_NE(function, nullptr);
  machine::Wave wave;
  wave.budget = 100;
  wave.scc = 1;
  EXPECT_EQ(function->run(wave, function), function + 1);
  wave.scc = 0;
  const Op* const invalid = function->run(wave, function);
  ASSERT_EQ(invalid, function + 2);
  EXPECT_EQ(invalid->run(wave, invalid), nullptr);
  EXPECT_EQ(wave.stop, machine::Stop::kUnsupported);
}

constexpr std::uint32_t kIndexingOn = 0xbf110102;   // s_set_gpr_idx_on s2, gpr_idx(SRC0)
constexpr std::uint32_t kIndexingOff = 0xbf9c0000;  // s_set_gpr_idx_off
constexpr std::uint32_t kThreeInS2 = 0xbe820083;    // s_mov_b32 s2, 3
constexpr std::uint32_t kMoveV0ToV5 = 0x7e0a0300;   // v_mov_b32_e32 v5, v0
constexpr std::uint32_t kMoveV1ToV6 = 0x7e0c0301;   // v_mov_b32_e32 v6, v1

/// A wave that went through code with its registers numbered.
struct Walk {
  testing::State state;
  std::shared_ptr<Program> program;
  const Op* left_at = nullptr;

  template <std::size_t kCount>
  Walk(const std::array<std::uint32_t, kCount>& code, bool compile)
      : program(*translate(code, compile)) {
    machine::Wave& wave = state.wave;
    wave.program = program.get();
    wave.vgpr_count = 8;
    wave.budget = 10;
    wave.set_exec(~std::uint64_t{0});
    for (unsigned i = 0; i < 8 * 64; ++i) state.vgpr[i] = 1000 + 7 * i;
    const Op* op = program->entry();
    while (op != nullptr) op = op->run(wave, op);
    left_at = next_op(wave);
  }
};

TEST(Program, WhatStandsOutsideOfRegisterIndexingIsCompiled) {
  const std::array code = {
      kThreeInS2,
      0x68020100u,  // v_add_u32_e32 v1, v0, v0
      0x68040101u,  // v_add_u32_e32 v2, v1, v0
      kIndexingOn,  kMoveV0ToV5, kMoveV1ToV6, kIndexingOff,
      0x68060d05u,  // v_add_u32_e32 v3, v5, v6
      0x2a080503u,  // v_xor_b32_e32 v4, v3, v2
      kIndexingOn,  // all registers may be read
      kIndexingOff, kEnd,
  };
  const Walk plain(code, false), compiled(code, true);
  EXPECT_EQ(testing::difference(plain.state, compiled.state), "");
  EXPECT_EQ(plain.state.vgpr[6 * 64], 1000u + 7 * 4 * 64) << "v4 for v1";
  const auto is_compiled = [&](std::size_t slot) {
    return compiled.program->entry()[slot].run != plain.program->entry()[slot].run;
  };
  EXPECT_EQ(is_compiled(0), jit::available());
  EXPECT_EQ(is_compiled(7), jit::available());
  for (std::size_t slot = 3; slot < 7; ++slot) EXPECT_FALSE(is_compiled(slot)) << slot;
}

TEST(Program, RegisterIndexingHasLoopsOfItsOwn) {
  const std::array code = {
      kThreeInS2,
      0xbe830094u,  // s_mov_b32 s3, 20
      kIndexingOn,  kMoveV0ToV5, kMoveV1ToV6,
      0x80838103u,  // s_sub_u32 s3, s3, 1
      0xbf078003u,  // s_cmp_lg_u32 s3, 0
      0xbf85fffbu,  // s_cbranch_scc1 to v_mov_b32_e32 v5, v0
      kIndexingOff, kEnd,
  };
  for (const bool compile : {false, true}) {
    const Walk run(code, compile);
    EXPECT_EQ(run.state.wave.stop, machine::Stop::kEnded);
    EXPECT_EQ(run.state.vgpr[5 * 64], 1000u + 7 * 3 * 64) << "v3 for v0";
  }
}

TEST(Program, AWaveThatJumpsOutOfRegisterIndexingStops) {
  const std::array code = {
      kThreeInS2,  kIndexingOn, kMoveV0ToV5, kSkipOne, kIndexingOff, kMoveV1ToV6,
      0x68060d05u,  // v_add_u32_e32 v3, v5, v6
      kEnd,
  };
  for (const bool compile : {false, true}) {
    const Walk run(code, compile);
    EXPECT_EQ(run.state.wave.stop, machine::Stop::kUnsupported);
    EXPECT_EQ(run.left_at, run.program->entry() + 5);
    EXPECT_NE(run.program->error_text(), "");
    EXPECT_EQ(run.state.vgpr[6 * 64], 1000u + 7 * 6 * 64) << "v6 as it was";
  }
}

TEST(Program, AWaveThatWaitsForOthersUnderRegisterIndexingStops) {
  const std::array code = {kIndexingOn, 0xbf8a0000u /* s_barrier */, kIndexingOff, kEnd};
  EXPECT_EQ(Walk(code, true).state.wave.stop, machine::Stop::kUnsupported);
}

TEST(Program, RegisterIndexingBegunTwiceOrWithOtherOperandsGoesOn) {
  const std::array code = {
      kThreeInS2,  kIndexingOn,  kMoveV0ToV5, kIndexingOn,
      0xbf9d0000u,  // s_set_gpr_idx_mode: of no operand
      kMoveV1ToV6, kIndexingOff, kEnd,
  };
  const Walk run(code, true);
  EXPECT_EQ(run.state.wave.stop, machine::Stop::kEnded);
  EXPECT_EQ(run.state.vgpr[5 * 64], 1000u + 7 * 3 * 64) << "v3 for v0";
  EXPECT_EQ(run.state.vgpr[6 * 64], 1000u + 7 * 1 * 64) << "v1 itself";
}

TEST(Program, TheModeOfRegisterIndexingDoesNotBeginIt) {
  const std::array code = {kThreeInS2, 0xbf9d0001u /* s_set_gpr_idx_mode gpr_idx(SRC0) */,
                           kMoveV0ToV5, kEnd};
  const Walk run(code, false);
  EXPECT_EQ(run.state.wave.stop, machine::Stop::kEnded);
  EXPECT_EQ(run.state.vgpr[5 * 64], 1000u);
}

TEST(Program, NoCodeIsFoundOutsideOfTheTextOrBetweenInstructions) {
  const std::array code = {kEnd, kReturn};
  const auto program = translate(code);
  ASSERT_TRUE(program);
  const std::uint64_t base = (*program)->base();
  EXPECT_NE(at(**program, base + 4), nullptr);
  for (const std::uint64_t address : {base + 8, base - 4, base + 2, std::uint64_t{0}}) {
    EXPECT_EQ(at(**program, address), nullptr);
    EXPECT_NE((*program)->error_text(), "");
  }
}

TEST(Program, AJumpFindsTheCodeOfAnotherCodeObjectAndBack) {
  const std::array kernel = {kNop, kEnd};
  const std::array other = {kNop, kAdd, kReturn};
  for (const bool compile : {false, true}) {
    const auto program = translate(kernel, compile, finds(other));
    ASSERT_TRUE(program);
    Program* found = nullptr;
    const auto function = reinterpret_cast<std::uint64_t>(&other[1]);
    const Op* const op = (*program)->at(function, found);
    ASSERT_NE(op, nullptr);
    ASSERT_NE(found, program->get());
    EXPECT_EQ(found->address_of(op), function);
    EXPECT_EQ(found->spec().compiled, (*program)->spec().compiled);
    Program* back = nullptr;
    const Op* const following = found->at((*program)->base() + 4, back);
    ASSERT_NE(following, nullptr);
    EXPECT_EQ(back, program->get());
    EXPECT_EQ(back->address_of(following), (*program)->base() + 4);
  }
}

TEST(Program, ModeIsKeptWhenAWaveGoesToAnotherCodeObject) {
  const std::array kernel = {kNop, kEnd};
  const std::array other = {kNop, kAdd, kReturn};
  const auto program = translate(kernel, false, finds(other));
  ASSERT_TRUE(program);
  Program* exact = nullptr;
  ASSERT_TRUE((*program)->in_mode((*program)->entry(), machine::Mode{}, exact));
  Program* function = nullptr;
  ASSERT_NE(exact->at(reinterpret_cast<std::uint64_t>(&other[1]), function), nullptr);
  EXPECT_TRUE(function->spec().floats.exact);
  Program* fast = nullptr;
  const machine::Mode usual{0x3f0};
  const auto op = function->in_mode(at(*function, function->base() + 4), usual, fast);
  ASSERT_TRUE(op);
  EXPECT_FALSE(fast->spec().floats.exact);
  EXPECT_EQ(fast->address_of(*op), function->base() + 4);
}

TEST(Program, AFunctionOfAnotherCodeObjectHasTheRegistersOfTheKernel) {
  const std::array kernel = {kEnd};
  const std::array other = {0x7e0e0300u, 0x7e100300u, kReturn};  // v_mov_b32 v7, v0; v8, v0
  const auto program = translate(kernel, false, finds(other));
  ASSERT_TRUE(program);
  Program* found = nullptr;
  const Op* const op = (*program)->at(reinterpret_cast<std::uint64_t>(other.data()), found);
  ASSERT_NE(op, nullptr);
  machine::Wave wave;
  EXPECT_EQ(op[1].run(wave, op + 1), nullptr);
  EXPECT_EQ(wave.stop, machine::Stop::kUnsupported);
  EXPECT_EQ(found->error_text(), "v_mov_b32 uses v8, beyond the 8 registers of the kernel");
}

TEST(Program, ALoopThatPollsInAnotherCodeObjectIsTheKernels) {
  // s_sleep; s_branch to it.
  const std::array kernel = {kEnd};
  const std::array other = {0xbf8e0001u, 0xbf82fffeu};
  const auto program = translate(kernel, false, finds(other));
  ASSERT_TRUE(program);
  EXPECT_FALSE((*program)->polls());
  ASSERT_NE(at(**program, reinterpret_cast<std::uint64_t>(other.data())), nullptr);
  EXPECT_TRUE((*program)->polls());
}

TEST(Program, ThreadsMayCallFunctionsForTheFirstTimeAtOnce) {
  std::array<std::uint32_t, 4000> code;
  for (std::size_t i = 0; i < code.size(); i += 4) {
    code[i] = code[i + 1] = code[i + 2] = kAdd;
    code[i + 3] = kReturn;
  }
  const auto program = translate(code, true);
  ASSERT_TRUE(program);
  std::array<unsigned, 4> good = {};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < good.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < code.size(); i += 4) {
        const Op* const function = at(**program, (*program)->base() + 4 * i);
        good[thread] += function->run != nullptr && function[3].run != nullptr;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const unsigned count : good) EXPECT_EQ(count, code.size() / 4);
}

}  // namespace
}  // namespace wavetank::execute
