// Which code of a kernel's text is translated, and when: what is reachable from its entry at once,
// a function that is called by its address with the first call.
#include "execute/program.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "execute/jit/block.hpp"
#include "execute/jit/run.hpp"

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
                                           bool compile = false) {
  ProgramSpec spec;
  spec.compile_blocks = compile;
  spec.code = reinterpret_cast<const std::byte*>(code.data());
  spec.code_bytes = sizeof code;
  spec.entry = reinterpret_cast<std::uint64_t>(code.data());
  spec.vgpr_count = 8;
  spec.accum_offset = 8;
  return Program::translate(spec);
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

TEST(Program, AFunctionIsTranslatedAndCompiledWithItsFirstCall) {
  const std::array code = {kEnd, kAdd, kAdd, kReturn};
  const auto program = translate(code, true);
  ASSERT_TRUE(program);
  EXPECT_EQ((*program)->instruction_count(), 1u);
  const Op* const function = (*program)->at((*program)->base() + 4);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ((*program)->instruction_count(), 4u);
  EXPECT_EQ(jit::has_own_handler(*function), !jit::available());
  EXPECT_EQ((*program)->at((*program)->base() + 4), function);
  EXPECT_EQ((*program)->instruction_count(), 4u);
}

TEST(Program, InvalidCodeOfAFunctionStopsOnlyWavesThatComeToIt) {
  const std::array code = {kEnd, kSkipOne, kReturn, kNoInstruction};
  const auto program = translate(code);
  ASSERT_TRUE(program);
  const Op* const function = (*program)->at((*program)->base() + 4);
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

TEST(Program, NoCodeIsFoundOutsideOfTheTextOrBetweenInstructions) {
  const std::array code = {kEnd, kReturn};
  const auto program = translate(code);
  ASSERT_TRUE(program);
  const std::uint64_t base = (*program)->base();
  EXPECT_NE((*program)->at(base + 4), nullptr);
  for (const std::uint64_t address : {base + 8, base - 4, base + 2, std::uint64_t{0}}) {
    EXPECT_EQ((*program)->at(address), nullptr);
    EXPECT_NE((*program)->error_text(), "");
  }
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
        const Op* const function = (*program)->at((*program)->base() + 4 * i);
        good[thread] += function->run != nullptr && function[3].run != nullptr;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const unsigned count : good) EXPECT_EQ(count, code.size() / 4);
}

}  // namespace
}  // namespace wavetank::execute
