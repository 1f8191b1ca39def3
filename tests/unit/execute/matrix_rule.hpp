// What a matrix row must give, element by element and bit by bit (number/fused_dot.hpp).
#pragma once

#include <vector>

#include "matrix_machine.hpp"
#include "number/convert.hpp"
#include "number/fused_dot.hpp"

namespace wavetank::execute::testing {

/// D[i][j] by the rule of number/fused_dot.hpp, from the factors in the registers.
class ScalarRule {
 public:
  explicit ScalarRule(const MatrixMachine& machine) : m_(machine) {}
  std::uint64_t operator()(unsigned i, unsigned j, unsigned block) const {
    const unsigned count = m_.shape.stored_k();
    std::vector<std::uint64_t> a, b;
    for (unsigned k = 0; k < count; ++k) {
      a.push_back(m_.a_factor(i, k, block));
      b.push_back(m_.b_factor(i, k, j, block));
    }
    const std::uint64_t c = m_.c(i, j, block);
    switch (m_.shape.rule) {
      case isa::MatrixRule::kFmaChain: return chain(a, b, c);
      case isa::MatrixRule::kPairwise: return pairwise(a, b, c);
      case isa::MatrixRule::kInteger: return integer(a, b, c);
      default: return fused(a, b, c);
    }
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  std::uint64_t chain(const Bits& a, const Bits& b, std::uint64_t c) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      c = m_.shape.c == isa::MatrixElement::kF64
              ? number::chain_step(number::f64{a[k]}, number::f64{b[k]}, number::f64{c}).bits
              : number::chain_step(single(a[k]), single(b[k]), single(c)).bits;
    }
    return c;
  }
  std::uint64_t pairwise(const Bits& a, const Bits& b, std::uint64_t c) const {
    const auto widen = [&](std::uint64_t bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      if (m_.shape.a == isa::MatrixElement::kBf16)
        return number::f32{std::uint32_t{number::without_denormal(number::bf16{half}).bits} << 16};
      return number::f16_to_f32(number::without_denormal(number::f16{half}));
    };
    number::f32 sum = number::without_denormal(single(c));
    for (std::size_t k = 0; k < a.size(); k += m_.shape.group) {
      number::f32 x[4], y[4];
      for (unsigned g = 0; g < m_.shape.group; ++g) x[g] = widen(a[k + g]), y[g] = widen(b[k + g]);
      sum = number::pairwise_dot_add(x, y, m_.shape.group, sum);
    }
    return sum.bits;
  }
  std::uint64_t integer(const Bits& a, const Bits& b, std::uint64_t c) const {
    auto sum = static_cast<std::uint32_t>(c);
    for (std::size_t k = 0; k < a.size(); ++k) {
      sum += static_cast<std::uint32_t>(static_cast<std::int8_t>(a[k]) *
                                        static_cast<std::int8_t>(b[k]));
    }
    return sum;
  }
  std::uint64_t fused(const Bits& a, const Bits& b, std::uint64_t c) const {
    number::f32 sum = single(c);
    for (std::size_t k = 0; k < a.size(); k += m_.shape.group) {
      number::MatrixFactor x[16], y[16];
      for (unsigned g = 0; g < m_.shape.group; ++g) {
        x[g] = number::matrix_factor(static_cast<std::uint32_t>(a[k + g]), format(m_.shape.a));
        y[g] = number::matrix_factor(static_cast<std::uint32_t>(b[k + g]), format(m_.shape.b));
      }
      sum = number::fused_dot_add(x, y, m_.shape.group, sum,
                                  m_.shape.rule == isa::MatrixRule::kFusedDotEvenOdd);
    }
    return sum.bits;
  }
  static number::f32 single(std::uint64_t bits) {
    return number::f32{static_cast<std::uint32_t>(bits)};
  }
  static const number::FactorFormat& format(isa::MatrixElement element) {
    switch (element) {
      case isa::MatrixElement::kF16: return number::kFactorF16;
      case isa::MatrixElement::kBf16: return number::kFactorBf16;
      case isa::MatrixElement::kXf32: return number::kFactorXf32;
      case isa::MatrixElement::kFp8: return number::kFactorFp8;
      default: return number::kFactorBf8;
    }
  }
  const MatrixMachine& m_;
};

}  // namespace wavetank::execute::testing
