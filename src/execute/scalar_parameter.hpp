// What the parameters of a scalar row's body stand for.
#pragma once

#include "isa/define.hpp"

namespace wavetank::execute {

/// A parameter's value, and whether the encoding names its source: an accumulated one is the
/// destination before.
template <class P>
struct ScalarParameter {
  using Value = isa::ValueOf<P>;
  static constexpr bool encoded = isa::is_encoded(isa::OperandOf<P>::value.role);
};

using isa::source_of_parameter;

}  // namespace wavetank::execute
