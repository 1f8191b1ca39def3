// Every matrix row against its rule on data that a shortcut could get wrong: the kernels choose by
// exponents and by C how they compute.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "matrix_machine.hpp"
#include "matrix_rule.hpp"
#include "number/fp8.hpp"

namespace wavetank::execute::testing {
namespace {

using isa::MatrixElement;
using number::f32;
using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<>(low, high)(random);
}
double signed_power(Random& random, int low, int high) {
  const double power = std::ldexp(1.0, std::uniform_int_distribution<int>(low, high)(random));
  return random() % 2 == 0 ? power : -power;
}

/// The element nearest to a value.
std::uint64_t encode(MatrixElement element, double value) {
  const f32 single{std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  switch (element) {
    case MatrixElement::kF64: return std::bit_cast<std::uint64_t>(value);
    case MatrixElement::kF16: return number::f32_to_f16(single, {}, {}).bits;
    case MatrixElement::kBf16: return number::convert<number::bf16>(single, {}, {}).bits;
    case MatrixElement::kFp8: return number::f32_to_fp8(single, true).bits;
    case MatrixElement::kBf8: return number::f32_to_bf8(single, true).bits;
    case MatrixElement::kI8:
      return static_cast<std::uint8_t>(
          static_cast<int>(std::isinf(value) ? -128 : std::fmod(value, 128)));
    case MatrixElement::kI32:
      return static_cast<std::uint32_t>(
          static_cast<std::int32_t>(std::isinf(value) ? -0x1p31 : std::fmod(value, 0x1p31)));
    default: return single.bits;
  }
}

std::uint64_t quiet_nan(MatrixElement element) {
  switch (element) {
    case MatrixElement::kF64: return 0x7ff4000000000001;
    case MatrixElement::kF16: return 0xfe01;
    case MatrixElement::kBf16: return 0xffc1;
    case MatrixElement::kFp8:
    case MatrixElement::kBf8: return 0x80;
    default: return 0xffc00001;
  }
}

/// Gives the bits of an element.
using Source = std::function<std::uint64_t(MatrixElement, Random&)>;
Source numbers(double (*next)(Random&)) {
  return [next](MatrixElement element, Random& random) { return encode(element, next(random)); };
}
std::uint64_t any_bits(MatrixElement element, Random& random) {
  const unsigned bits = isa::bits_of(element);
  return bits == 64 ? random() : random() & ((std::uint64_t{1} << bits) - 1);
}

struct Kind {
  const char* name;
  Source next;
};

/// What A and B are made of.
std::vector<Kind> factor_kinds() {
  return {
      {"normal", numbers([](Random& r) { return std::normal_distribution<>()(r); })},
      {"small integers", numbers([](Random& r) { return std::floor(uniform(r, -9, 9)); })},
      {"integers of 12 bits",
       numbers([](Random& r) { return std::floor(uniform(r, -4095, 4096)); })},
      {"one binade", numbers([](Random& r) { return signed_power(r, 0, 0) * uniform(r, 1, 2); })},
      {"largest of a binade", numbers([](Random& r) { return signed_power(r, 0, 0) * 1.9999; })},
      {"all positive and large", numbers([](Random& r) { return uniform(r, 1.7, 2); })},
      {"powers of two", numbers([](Random& r) { return signed_power(r, -9, 9); })},
      {"a few bits over many binades",
       numbers([](Random& r) { return signed_power(r, -14, 5) * (1 + r() % 4 / 4.0); })},
      {"half of them zero",
       numbers([](Random& r) { return r() % 2 == 0 ? 0.0 : std::normal_distribution<>()(r); })},
      {"nearly all zero",
       numbers([](Random& r) { return r() % 16 != 0 ? 0.0 : uniform(r, -2, 2); })},
      {"zeros of both signs", numbers([](Random& r) { return r() % 2 == 0 ? 0.0 : -0.0; })},
      {"denormals among them",
       numbers([](Random& r) { return signed_power(r, r() % 4 == 0 ? -24 : -3, 3); })},
      {"wide", numbers([](Random& r) { return signed_power(r, -40, 40) * uniform(r, 1, 2); })},
      {"very wide",
       numbers([](Random& r) { return signed_power(r, -120, 110) * uniform(r, 1, 2); })},
      {"tiny", numbers([](Random& r) { return signed_power(r, -66, -55) * uniform(r, 1, 2); })},
      {"huge", numbers([](Random& r) { return signed_power(r, 55, 64) * uniform(r, 1, 2); })},
      {"with a NaN or an infinity",
       [](MatrixElement element, Random& r) {
         if (r() % 200 == 0) return quiet_nan(element);
         if (r() % 200 == 0) return encode(element, r() % 2 == 0 ? HUGE_VAL : -HUGE_VAL);
         return encode(element, std::normal_distribution<>()(r));
       }},
      {"any bits", any_bits},
  };
}

/// What C is made of; exponents reach from far below products of numbers near 1 to far above.
std::vector<Kind> addend_kinds() {
  return {
      {"zero", numbers([](Random& r) { return r() % 2 == 0 ? 0.0 : -0.0; })},
      {"near", numbers([](Random& r) { return std::normal_distribution<>()(r); })},
      {"any exponent near the sums'",
       numbers([](Random& r) { return signed_power(r, -40, 40) * uniform(r, 1, 2); })},
      {"around the bound of sums in i32",
       numbers([](Random& r) { return signed_power(r, 3, 14) * uniform(r, 0.999, 1.001); })},
      {"powers of two and their neighbours",
       [](MatrixElement element, Random& r) {
         const std::uint64_t bits = encode(element, signed_power(r, -30, 45));
         return bits + r() % 3 - (r() % 2 == 0 ? 1 : 0);
       }},
      {"integers", numbers([](Random& r) { return std::floor(uniform(r, -1e6, 1e6)); })},
      {"tiny", numbers([](Random& r) { return signed_power(r, -149, -60); })},
      {"huge", numbers([](Random& r) { return signed_power(r, 90, 127) * uniform(r, 1, 1.999); })},
      {"an infinity or a NaN among zeros",
       [](MatrixElement element, Random& r) {
         if (r() % 100 == 0) return quiet_nan(element);
         return encode(element, r() % 50 != 0 ? 0 : r() % 2 == 0 ? HUGE_VAL : -HUGE_VAL);
       }},
      {"any bits", any_bits},
  };
}

class HostileMatrixRow : public ::testing::TestWithParam<const isa::Row*> {
 protected:
  void fill(unsigned first, MatrixElement element, unsigned dwords, const Source& next) {
    const unsigned count = dwords * 32 / isa::bits_of(element);
    for (unsigned at = 0; at < count; ++at) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        machine_.set(first, isa::bits_of(element), {at, lane}, next(element, random_));
      }
    }
  }
  /// Calls check(names) with A, B and C of every kind.
  template <class Check>
  void for_each_kind(Check check) {
    const isa::MatrixShape& s = machine_.shape;
    for (const Kind& factors : factor_kinds()) {
      for (const Kind& addends : addend_kinds()) {
        fill(kA, s.a, s.a_dwords(), factors.next);
        fill(kB, s.b, s.b_dwords(), factors.next);
        fill(kC, s.c, s.c_dwords(), addends.next);
        check(std::string(factors.name) + ", C " + addends.name);
      }
    }
  }
  /// Every second column of A the one before with another sign, of B nearly the same: sums that
  /// cancel.
  void make_cancelling() {
    const isa::MatrixShape& s = machine_.shape;
    const unsigned a_bits = isa::bits_of(s.a), b_bits = isa::bits_of(s.b);
    for (unsigned block = 0; block < s.blocks; ++block) {
      for (unsigned k = 1; k < s.stored_k(); k += 2) {
        for (unsigned i = 0; i < s.m; ++i) {
          const std::uint64_t bits = machine_.get(kA, a_bits, machine_.a_place(i, k - 1, block));
          machine_.set(kA, a_bits, machine_.a_place(i, k, block),
                       bits ^ std::uint64_t{1} << (a_bits - 1));
        }
        for (unsigned j = 0; j < s.n; ++j) {
          const std::uint64_t bits = machine_.get(kB, b_bits, machine_.b_place(k - 1, j, block));
          machine_.set(kB, b_bits, machine_.b_place(k, j, block), bits ^ (random_() % 4 == 0));
        }
      }
    }
  }
  /// Elements of D that differ from the rule.
  unsigned wrong() {
    std::vector<std::uint64_t> expected;
    const ScalarRule rule(machine_);
    machine_.for_each(
        [&](unsigned i, unsigned j, unsigned block) { expected.push_back(rule(i, j, block)); });
    machine_.run();
    std::size_t at = 0;
    unsigned count = 0;
    machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
      count += machine_.d(i, j, block) != expected[at++];
    });
    return count;
  }
  Random random_{11};
  MatrixMachine machine_{*GetParam()};
};

TEST_P(HostileMatrixRow, FollowsItsRuleOnEveryKindOfFactorsAndAddends) {
  for_each_kind([&](const std::string& kinds) { EXPECT_EQ(wrong(), 0u) << kinds; });
}

TEST_P(HostileMatrixRow, FollowsItsRuleWhereSumsCancel) {
  for_each_kind([&](const std::string& kinds) {
    make_cancelling();
    EXPECT_EQ(wrong(), 0u) << kinds;
  });
}

TEST_P(HostileMatrixRow, FollowsItsRuleAlongAChain) {
  // As a loop over K: D is the C of the next, from zero on.
  const isa::MatrixShape& s = machine_.shape;
  for (const Kind& factors : factor_kinds()) {
    machine_.fill_c(0);
    for (unsigned step = 0; step < 12; ++step) {
      fill(kA, s.a, s.a_dwords(), factors.next);
      fill(kB, s.b, s.b_dwords(), factors.next);
      ASSERT_EQ(wrong(), 0u) << factors.name << ", step " << step;
      machine_.for_each([&](unsigned i, unsigned j, unsigned block) {
        machine_.set(kC, isa::bits_of(s.c), isa::output_place(s, i, j, block),
                     machine_.d(i, j, block));
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileMatrixRow, ::testing::ValuesIn(matrix_rows()),
                         [](const auto& parameter) { return std::string(parameter.param->name); });

}  // namespace
}  // namespace wavetank::execute::testing
