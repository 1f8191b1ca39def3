// Turns host page faults of a running wave into device memory faults.
#pragma once

#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Runs a wave until it stops, from wave.next. Memory violations, whether the executor found them or
/// the host's page tables did, stop it with Stop::kFault. Installs the process's SIGSEGV and SIGBUS
/// handler on first use; faults that no wave caused go to whatever handler was there before.
void run_until_stop(machine::Wave& wave);

}  // namespace wavetank::dispatch
