// Matrix rows: small integers against an exact matrix product for every shape and modifier, and
// arbitrary bits against the rules of number/fused_dot.hpp.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "matrix_machine.hpp"
#include "matrix_rule.hpp"
#include "number/convert.hpp"
#include "number/fp8.hpp"

namespace wavetank::execute::testing {
namespace {

using isa::MatrixElement;
using number::f32;

/// The bits of a small integer, and back.
std::uint64_t from_integer(MatrixElement element, int value) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  switch (element) {
    case MatrixElement::kF64: return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case MatrixElement::kF16: return number::f32_to_f16(f32{single}, {}, {}).bits;
    case MatrixElement::kBf16: return single >> 16;
    case MatrixElement::kFp8: return number::f32_to_fp8(f32{single}, false).bits;
    case MatrixElement::kBf8: return number::f32_to_bf8(f32{single}, false).bits;
    case MatrixElement::kI8:
    case MatrixElement::kI32: return static_cast<std::uint32_t>(value);
    default: return single;
  }
}

struct Modifiers {
  unsigned cbsz = 0, abid = 0, blgp = 0;
};

/// All that a row may have: every one once, the others 0.
std::vector<Modifiers> modifiers_of(const isa::MatrixShape& shape) {
  std::vector<Modifiers> all = {{}};
  if (shape.swizzles_b || shape.negates) {
    for (unsigned blgp = 1; blgp < 8; ++blgp) all.push_back({0, 0, blgp});
  }
  if (shape.sparse) {
    for (unsigned abid = 1; abid < 16 / shape.a_per_lane(); ++abid) all.push_back({0, abid, 0});
    all.push_back({1, 1, 0});
  } else if (shape.broadcasts_a) {
    for (unsigned cbsz = 1; 1u << cbsz <= shape.blocks; ++cbsz) {
      for (unsigned abid = 0; abid >> cbsz == 0; ++abid) all.push_back({cbsz, abid, 0});
    }
  }
  return all;
}

class MatrixRow : public ::testing::TestWithParam<const isa::Row*> {
 protected:
  void fill_noise() {
    for (std::uint32_t& dword : machine_.registers->at) {
      dword = static_cast<std::uint32_t>(random_());
    }
  }
  /// Small integers everywhere; B's bf8 has only 3 significant bits.
  void fill_integers() {
    const isa::MatrixShape& s = machine_.shape;
    fill_noise();
    std::uniform_int_distribution<int> small(-4, 4), large(-100, 100);
    for (unsigned block = 0; block < s.blocks; ++block) {
      for (unsigned k = 0; k < s.k; ++k) {
        for (unsigned i = 0; i < s.m && k < s.stored_k(); ++i) {
          const std::uint64_t bits = from_integer(s.a, small(random_));
          machine_.set(kA, isa::bits_of(s.a), machine_.a_place(i, k, block), bits);
        }
        for (unsigned j = 0; j < s.n; ++j) {
          const std::uint64_t bits = from_integer(s.b, small(random_));
          machine_.set(kB, isa::bits_of(s.b), machine_.b_place(k, j, block), bits);
        }
      }
    }
    machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
      machine_.set(kC, isa::bits_of(s.c), isa::output_place(s, i, j, block),
                   from_integer(s.c, large(random_)));
    });
  }
  std::mt19937 random_{7};
  MatrixMachine machine_{*GetParam()};
};

/// The exact product of the elements, as integers.
int exact_product(const MatrixMachine& machine, unsigned i, unsigned j, unsigned block) {
  const auto value = [](MatrixElement element, std::uint64_t bits) {
    switch (element) {
      case MatrixElement::kF64: return static_cast<int>(std::bit_cast<double>(bits));
      case MatrixElement::kI8: return static_cast<int>(static_cast<std::int8_t>(bits));
      case MatrixElement::kI32: return static_cast<int>(bits);
      default: break;
    }
    const auto low = static_cast<std::uint32_t>(bits);
    f32 single{low};
    if (element == MatrixElement::kF16)
      single = number::f16_to_f32(number::f16{static_cast<std::uint16_t>(low)});
    if (element == MatrixElement::kBf16) single = f32{low << 16};
    if (element == MatrixElement::kFp8)
      single = number::fp8_to_f32(number::fp8{static_cast<std::uint8_t>(low)});
    if (element == MatrixElement::kBf8)
      single = number::bf8_to_f32(number::bf8{static_cast<std::uint8_t>(low)});
    return static_cast<int>(std::bit_cast<float>(single.bits));
  };
  const unsigned negate = machine.shape.negates ? machine.op.blgp : 0;
  const int sign = (negate & 1) == (negate >> 1 & 1) ? 1 : -1;
  int sum = value(machine.shape.c, machine.c(i, j, block)) * ((negate & 4) != 0 ? -1 : 1);
  for (unsigned k = 0; k < machine.shape.stored_k(); ++k) {
    sum += sign * value(machine.shape.a, machine.a_factor(i, k, block)) *
           value(machine.shape.b, machine.b_factor(i, k, j, block));
  }
  return sum;
}

TEST_P(MatrixRow, MultipliesSmallIntegersExactlyUnderEveryModifier) {
  for (const Modifiers& m : modifiers_of(machine_.shape)) {
    machine_.set_modifiers(m.cbsz, m.abid, m.blgp);
    fill_integers();
    std::vector<std::uint64_t> expected;
    machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
      const int sum = exact_product(machine_, i, j, block);
      expected.push_back(from_integer(machine_.shape.c, sum));
    });
    ASSERT_EQ(machine_.run(), &machine_.op + 2);
    std::size_t at = 0, wrong = 0;
    machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
      wrong += machine_.d(i, j, block) != expected[at++];
    });
    EXPECT_EQ(wrong, 0u) << "cbsz " << m.cbsz << " abid " << m.abid << " blgp " << m.blgp;
  }
}

TEST_P(MatrixRow, FollowsItsRuleOnArbitraryBits) {
  // Round 0 has every bit pattern; later rounds keep exponents low, so that no infinity hides sums.
  for (unsigned round = 0; round < 4; ++round) {
    fill_noise();
    if (round != 0) machine_.limit_exponents(round, random_);
    if (round == 3 && !machine_.shape.sparse) {  // -1.0, or what those bits are as an integer
      machine_.op.kind[2] = Source::kConstant;
      machine_.op.constant[2] =
          machine_.shape.c == MatrixElement::kF64 ? 0xbff0000000000000 : 0xbf800000;
      machine_.fill_c(machine_.op.constant[2]);
    }
    std::vector<std::uint64_t> expected;
    const ScalarRule rule(machine_);
    machine_.for_each(
        [&](unsigned i, unsigned j, unsigned block) { expected.push_back(rule(i, j, block)); });
    machine_.run();
    std::size_t at = 0, wrong = 0;
    machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
      wrong += machine_.d(i, j, block) != expected[at++];
    });
    EXPECT_EQ(wrong, 0u) << "round " << round;
  }
}

TEST_P(MatrixRow, IgnoresExec) {
  fill_integers();
  machine_.wave.set_exec(0);
  const ScalarRule rule(machine_);
  const std::uint64_t expected = rule(1, 2, 0);
  machine_.run();
  EXPECT_EQ(machine_.d(1, 2, 0), expected);
}

TEST_P(MatrixRow, WritesNoRegisterBesideD) {
  fill_noise();
  const auto before = std::make_unique<MatrixMachine::Registers>(*machine_.registers);
  machine_.run();
  const unsigned first = machine_.result_register() * 64;
  const unsigned last = first + machine_.shape.c_dwords() * 64;
  for (unsigned at = 0; at < kMatrixRegisters * 64; ++at) {
    if (at >= first && at < last) continue;
    ASSERT_EQ(machine_.registers->at[at], before->at[at]) << "register " << at / 64;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MatrixRow, ::testing::ValuesIn(matrix_rows()),
                         [](const auto& parameter) { return std::string(parameter.param->name); });

}  // namespace
}  // namespace wavetank::execute::testing
