// Where a program called the runtime: return addresses first, lines of its source when somebody
// asks.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "check/diagnosis.hpp"

namespace wavetank::hip {

/// A call of the API on the calling thread.
struct CallSite {
  const char* function = "";  ///< "hipMemcpyAsync"; empty if the call came from no program
  /// Return addresses in the program, innermost first; zeros at the end.
  std::array<std::uint64_t, 6> returns = {};
};

/// The call under way, as the stack has it: takes microseconds.
CallSite current_call_site();
/// The same in a handler of a fault, which the instruction at `address` made.
CallSite current_fault_site(std::uint64_t address);

/// The first return address that the program's line tables know, but for the functions that
/// compilers make to launch kernels, and for the C library; without such tables the object and an
/// offset ("app + 0x1234"). Starts a process the first time: for reports only.
check::Spot place_of(const CallSite& site);

/// The same in every run of the program: "app + 0x1234, app + 0x1300".
std::string name_of(const CallSite& site);

}  // namespace wavetank::hip
