// How findings call the operation that a thread executes.
#pragma once

#include "hip/runtime/checked/host_order.hpp"

namespace wavetank::hip {

/// Gives the operation under way a name ("a copy", "hipFreeAsync"), where launches are checked.
inline void name_operation(const char* name) {
  if (const OrderedPtr& now = OrderScope::current()) now->site.function = name;
}

}  // namespace wavetank::hip
