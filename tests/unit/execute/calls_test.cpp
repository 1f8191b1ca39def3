// Calls of functions, as listeners hear of them, and the numbers of a function's instructions.
#include <gtest/gtest.h>

#include "machine/listener.hpp"
#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a.
const Code kEnd{0xbf810000}, kReturn{0xbe801d1e}, kBarrier{0xbf8a0000}, kNop{0xbf800000};
/// s_call_b64 s[30:31] over so many dwords
Code call(std::uint32_t dwords) { return {0xba9e0000u | dwords}; }

class Calls final : public machine::Listener {
 public:
  void on_group(machine::Workgroup&, std::uint64_t, std::span<machine::Wave>) override {}
  void on_instruction(machine::Wave&, const machine::StepFacts&, const machine::Step&) override {}
  void on_call(machine::Wave&, const machine::StepFacts& facts, std::uint64_t back) override {
    called_at = facts.index;
    comes_back_to = back;
  }
  void on_jump(machine::Wave&, std::uint64_t target) override { jumped_to = target; }
  void on_barrier(machine::Workgroup&, std::span<const machine::Wave>) override {}
  void on_global_barrier(machine::Workgroup&) override {}
  std::uint32_t called_at = 0;
  std::uint64_t comes_back_to = 0, jumped_to = 0;
};

TEST(Calls, AListenerHearsWhereACallComesBackToAndThatItDoes) {
  const Translated code({call(1), kEnd, kReturn}, true);
  Calls calls;
  machine::Environment environment;
  environment.listener = &calls;
  machine::Wave wave;
  wave.environment = &environment;
  wave.program = &code.program();
  wave.budget = 100;
  const Op* op = &code.op(0);
  op = op->run(wave, op);
  ASSERT_EQ(op, &code.op(2));
  EXPECT_EQ(calls.called_at, code.facts(0).index);
  EXPECT_EQ(calls.comes_back_to, code.program().base() + 4);
  op = op->run(wave, op);
  EXPECT_EQ(op, &code.op(1));
  EXPECT_EQ(calls.jumped_to, code.program().base() + 4);
}

TEST(Calls, AFunctionsInstructionHasANumberForEachCaller) {
  const Translated code({call(2), call(1), kEnd, kBarrier, kReturn}, true);
  InstructionNumbers& numbers = code.program().family().numbers;
  const std::uint32_t barrier = code.facts(3).index;
  const std::uint32_t one = numbers.index_called_from(code.facts(0).index, barrier);
  const std::uint32_t other = numbers.index_called_from(code.facts(1).index, barrier);
  EXPECT_NE(one, other);
  EXPECT_NE(one, barrier);
  EXPECT_EQ(numbers.index_called_from(code.facts(0).index, barrier), one);
  const std::uint64_t base = code.program().base();
  EXPECT_EQ(numbers.addresses_of_index(one), (std::vector<std::uint64_t>{base + 12, base}));
  EXPECT_EQ(numbers.addresses_of_index(other), (std::vector<std::uint64_t>{base + 12, base + 4}));
  EXPECT_TRUE(numbers.addresses_of_index(0).empty());
}

TEST(Calls, CodeLeadsFromOneCallsInstructionsToThoseOfALaterCall) {
  const Translated code({call(2), call(1), kEnd, kBarrier, kReturn}, true);
  const Program& program = code.program();
  const std::uint32_t barrier = code.facts(3).index;
  const auto called_from = [&](std::size_t caller) {
    return program.family().numbers.index_called_from(code.facts(caller).index, barrier);
  };
  EXPECT_TRUE(program.leads(called_from(0), called_from(1)));
  EXPECT_FALSE(program.leads(called_from(1), called_from(0)));
  EXPECT_FALSE(program.leads(called_from(0), called_from(0))) << "there is no loop";
}

TEST(Calls, ALoopLeadsFromACallToItself) {
  const Translated code({call(2), branch(-2), kEnd, kBarrier, kReturn}, true);
  const std::uint32_t called =
      code.program().family().numbers.index_called_from(code.facts(0).index, code.facts(3).index);
  EXPECT_TRUE(code.program().leads(called, called));
}

}  // namespace
}  // namespace wavetank::execute
