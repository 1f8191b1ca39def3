// Floats of a strip.
#include <algorithm>
#include <array>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator, Xbyak::Operand, Xbyak::Xmm;

}  // namespace

bool StripCode::emit_arithmetic(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  if (node.what == Do::kFDiv && emit_estimate(id, node)) return true;
  using ThreeFree = void (CodeGenerator::*)(const Xmm&, const Operand&, const Operand&);
  ThreeFree instruction = nullptr;
  switch (node.what) {
    case Do::kFAdd: instruction = wide ? &CodeGenerator::vaddpd : &CodeGenerator::vaddps; break;
    case Do::kFSub: instruction = wide ? &CodeGenerator::vsubpd : &CodeGenerator::vsubps; break;
    case Do::kFMul: instruction = wide ? &CodeGenerator::vmulpd : &CodeGenerator::vmulps; break;
    case Do::kFDiv: instruction = wide ? &CodeGenerator::vdivpd : &CodeGenerator::vdivps; break;
    case Do::kFMin:
    case Do::kFMax: break;
    default: return false;
  }
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Vector a = in_register(node.in[0], half);
    const Source b = source(node.in[1], half);
    release_all(node, half);
    const Vector to = take_for(id, half);
    if (instruction != nullptr) {
      (code.*instruction)(to, a, b.get());
    } else {
      emit_choice(to, node, a, b);
    }
  }
  return true;
}

/// The addend's register becomes the result's, or a factor's does.
void StripCode::emit_fma(Id id, const Node& node) {
  using Fused = void (CodeGenerator::*)(const Xmm&, const Xmm&, const Operand&);
  // By width, and by the node's variant.
  static constexpr Fused kAddendOver[2][4] = {
      {&CodeGenerator::vfmadd231ps, &CodeGenerator::vfnmadd231ps, &CodeGenerator::vfmsub231ps,
       &CodeGenerator::vfnmsub231ps},
      {&CodeGenerator::vfmadd231pd, &CodeGenerator::vfnmadd231pd, &CodeGenerator::vfmsub231pd,
       &CodeGenerator::vfnmsub231pd}};
  static constexpr Fused kFactorOver[2][4] = {
      {&CodeGenerator::vfmadd213ps, &CodeGenerator::vfnmadd213ps, &CodeGenerator::vfmsub213ps,
       &CodeGenerator::vfnmsub213ps},
      {&CodeGenerator::vfmadd213pd, &CodeGenerator::vfnmadd213pd, &CodeGenerator::vfmsub213pd,
       &CodeGenerator::vfnmsub213pd}};
  const unsigned wide = node.kind == Kind::kDouble ? 1 : 0;
  for (unsigned half = 0; half <= wide; ++half) {
    const auto [a, b, c] = node.in;
    const auto may_go = [&, operands = node.in](Id value) {
      return dies(value) && places_[value][half] >= 0 && !is_leaf(graph_[value]) &&
             std::count(operands.begin(), operands.end(), value) == 1;
    };
    // Which operand's register the result takes: one that nobody needs any more, if there is one.
    Id over = c;
    if (!may_go(c) && may_go(a)) over = a;
    if (!may_go(c) && !may_go(a) && may_go(b)) over = b;
    if (over == c) {
      const Vector to = result_over(id, c, half), factor = in_register(a, half);
      (code.*kAddendOver[wide][node.variant])(to, factor, source(b, half).get());
    } else {
      const Id other = over == a ? b : a;
      const Vector to = result_over(id, over, half), factor = in_register(other, half);
      (code.*kFactorOver[wide][node.variant])(to, factor, source(c, half).get());
    }
  }
}

void StripCode::emit_round(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  if (node.what == Do::kFSqrt && emit_estimate(id, node)) return;
  constexpr std::uint8_t kNoException = 8;
  const auto mode = static_cast<std::uint8_t>(kNoException | node.variant);
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Source a = source(node.in[0], half);
    release_all(node, half);
    const Vector to = take_for(id, half);
    if (node.what == Do::kFSqrt) {
      wide ? code.vsqrtpd(to, a.get()) : code.vsqrtps(to, a.get());
    } else {
      (code.*(wide ? unit_.round_doubles : unit_.round_words))(to, a.get(), mode);
    }
  }
}

}  // namespace wavetank::execute::jit
