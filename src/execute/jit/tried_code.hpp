// Code that is tried before other code, and serves some waves only. Each wave that it does not
// serve costs as much as nine that it does; code that meets too many others takes itself out: its
// op gets the handler that it had without it. Only speed depends on the count.
#pragma once

#include <cstdint>

#include "execute/jit/host_code.hpp"
#include "execute/op.hpp"

namespace wavetank::execute::jit {

/// Where a wave goes that such code does not serve: code, or a handler.
struct Otherwise {
  const std::uint8_t* code = nullptr;
  Handler handler = nullptr;  ///< nullptr: there is code
};

/// A wave is served. Spoils rax.
void emit_served(HostCode& code, machine::AccessGuard& guard);
/// Counts a wave that is not, of the op that rsi points to. Spoils rax.
void emit_not_served(HostCode& code, machine::AccessGuard& guard, const Otherwise& otherwise);
/// Goes there.
void emit_otherwise(HostCode& code, const Otherwise& otherwise);

}  // namespace wavetank::execute::jit
