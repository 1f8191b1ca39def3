// Turns host page faults of what devices do into device memory faults.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "execute/op.hpp"
#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Makes this library the first to hear of the process's SIGSEGV and SIGBUS. Faults that no device
/// caused go to whatever handler was there before. Called before each launch, since programs
/// install handlers too; one that does so while a launch runs gets that launch's faults.
void take_faults();

/// A fault of this process's memory.
struct HostFault {
  std::uint64_t address = 0;
  bool write = false;
  bool in_engine = false;   ///< a wave, a copy or a fill came to it
  void* context = nullptr;  ///< ucontext_t of the thread
};
/// Asked first of all whether a fault is its own: true lets the thread repeat the access, or go on
/// as the context then says.
using FaultClaim = bool (*)(const HostFault& fault);
void set_fault_claim(FaultClaim claim);

/// Runs a workgroup's waves that are neither over nor held, one after the other, each from
/// wave.next until it stops; those that give their turn (Stop::kTurn) go on, in the same order,
/// after the others. Memory violations, whether the executor found them or the host's page tables
/// did, stop the wave with Stop::kFault; then no other runs any more. After take_faults().
void run_until_stop(std::span<machine::Wave> waves);

/// Runs one op under the same guard and gives the next; nullptr if the wave stopped.
const execute::Op* run_guarded(machine::Wave& wave, const execute::Op* op);

/// Runs a copy or fill that a device makes, under the same guard; where it faulted, if it did. A
/// fault leaves `access` without running destructors.
std::optional<machine::Fault> run_guarded(const std::function<void()>& access);

}  // namespace wavetank::dispatch
