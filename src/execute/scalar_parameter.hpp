// What the parameters of a scalar row's body stand for.
#pragma once

#include "isa/type.hpp"

namespace wavetank::execute {

/// A parameter's value, and whether the encoding names its source: an accumulated one is the
/// destination before.
template <class P>
struct ScalarParameter {
  using Value = P;
  static constexpr bool encoded = true;
};
template <class T>
struct ScalarParameter<isa::Accumulate<T>> {
  using Value = T;
  static constexpr bool encoded = false;
};
template <auto Kind>
struct ScalarParameter<isa::Immediate<Kind>> : ScalarParameter<isa::I32> {};

/// The encoded source that `parameter` of a body with parameters P... is, or the next one.
template <class... P>
constexpr unsigned source_of_parameter(unsigned parameter) {
  constexpr bool encoded[] = {ScalarParameter<P>::encoded..., false};
  unsigned index = 0;
  for (unsigned i = 0; i < parameter; ++i) index += encoded[i] ? 1 : 0;
  return index;
}

}  // namespace wavetank::execute
