// Lane functions on strips. Who evaluates bodies includes all that strips do natively with this, or
// lanes would be taken one by one.
#pragma once

#include "execute/vector/strip.hpp"
#include "execute/vector/strip_convert.hpp"
#include "execute/vector/strip_divide.hpp"
#include "execute/vector/strip_float.hpp"
#include "execute/vector/strip_function.hpp"
#include "execute/vector/strip_integer.hpp"
#include "isa/lane_forms.hpp"

namespace wavetank::execute::WAVETANK_HOST {

template <class F, class... S>
concept HasNative = requires(F function, S... strips) { native(function, strips...); };

/// A lane function on strips: natively where the host can (an overload of `native`), by others if
/// it has such a form, else by lane.
template <class F, class... S>
HWY_INLINE auto each(isa::LaneFunction<F> function, S... strips) {
  if constexpr (HasNative<isa::LaneFunction<F>, S...>)
    return native(function, strips...);
  else if constexpr (isa::HasForm<isa::LaneFunction<F>, S...>)
    return form(function, strips...);
  else
    return each_lane(function, strips...);
}

}  // namespace wavetank::execute::WAVETANK_HOST
