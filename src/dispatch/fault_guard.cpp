#include "dispatch/fault_guard.hpp"

#include <atomic>
#include <csetjmp>
#include <csignal>

#include "dispatch/signal_chain.hpp"
#include "execute/op.hpp"

namespace wavetank::dispatch {
namespace {

using machine::Stop;
using machine::Wave;

/// The wave that this thread runs, if it runs one.
[[gnu::tls_model("initial-exec")]] thread_local Wave* t_wave = nullptr;

/// A copy or fill under way.
struct GuardedAccess {
  std::jmp_buf exit;
  machine::Fault fault;
};
/// The one of this thread, if it makes one.
[[gnu::tls_model("initial-exec")]] thread_local GuardedAccess* t_access = nullptr;

std::atomic<FaultClaim> fault_claim{nullptr};

/// Bit 1 of the x86 page-fault error code is set for writes.
bool is_write(const void* context) {
#if defined(__x86_64__)
  const auto* machine_context = static_cast<const ucontext_t*>(context);
  return (machine_context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}

/// A fault in compiled code that may leave its access to the handlers: goes on where they are
/// called. They come to the same fault, with the lane and the instruction.
bool land(const Wave& wave, void* context) {
#if defined(__x86_64__)
  auto& at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const auto address = static_cast<std::uint64_t>(at);
  if (wave.guard == nullptr) return false;
  for (const machine::AccessGuard::Range& range : wave.guard->ranges) {
    if (address < range.begin || address >= range.end) continue;
    at = static_cast<greg_t>(range.landing);
    return true;
  }
#else
  (void)wave, (void)context;
#endif
  return false;
}

void on_fault(int number, siginfo_t* info, void* context);

SignalChain& chain_of(int number) {
  static SignalChain& segv = *new SignalChain(SIGSEGV, on_fault);
  static SignalChain& bus = *new SignalChain(SIGBUS, on_fault);
  return number == SIGSEGV ? segv : bus;
}

void on_fault(int number, siginfo_t* info, void* context) {
  const machine::Fault fault = {reinterpret_cast<std::uint64_t>(info->si_addr), machine::kLanes,
                                is_write(context)};
  if (const FaultClaim claim = fault_claim.load(std::memory_order_acquire)) {
    const bool in_engine = t_wave != nullptr || t_access != nullptr;
    if (claim({fault.address, fault.write, in_engine, context})) return;
  }
  if (Wave* const wave = t_wave) {
    if (land(*wave, context)) return;
    wave->fault = fault;
    std::longjmp(*wave->fault_exit, 1);
  }
  if (GuardedAccess* const access = t_access) {
    access->fault = fault;
    std::longjmp(access->exit, 1);
  }
  chain_of(number).pass_on(info, context);
}

/// The executor's loop: each op runs and names the next.
void run_ops(Wave& wave) {
  for (const execute::Op* op = execute::next_op(wave); op != nullptr;) op = op->run(wave, op);
}

}  // namespace

void take_faults() {
  chain_of(SIGSEGV).take();
  chain_of(SIGBUS).take();
}

void set_fault_claim(FaultClaim claim) {
  fault_claim.store(claim, std::memory_order_release);
  take_faults();
}

const execute::Op* run_guarded(Wave& wave, const execute::Op* op) {
  std::jmp_buf exit;
  const execute::Op* next = nullptr;
  if (setjmp(exit) == 0) {
    t_wave = &wave;
    wave.fault_exit = &exit;
    next = op->run(wave, op);
  } else {
    wave.stop = Stop::kFault;
    next = nullptr;
  }
  t_wave = nullptr;
  return next;
}

std::optional<machine::Fault> run_guarded(const std::function<void()>& access) {
  take_faults();
  GuardedAccess guarded;
  std::optional<machine::Fault> fault;
  if (setjmp(guarded.exit) == 0) {
    t_access = &guarded;
    access();
  } else {
    fault = guarded.fault;
  }
  t_access = nullptr;
  return fault;
}

void run_until_stop(std::span<Wave> waves) {
  // One guard for all: setting it up costs as much as several instructions.
  std::jmp_buf exit;
  Wave* volatile running = nullptr;
  if (setjmp(exit) == 0) {
    for (Wave& wave : waves) {
      wave.fault_exit = &exit;
      if (!machine::is_over_or_held(wave.stop)) wave.stop = Stop::kTurn;
    }
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (Wave& wave : waves) {
        if (wave.stop != Stop::kTurn) continue;
        running = &wave;
        t_wave = &wave;
        run_ops(wave);
        goes_on = goes_on || wave.stop == Stop::kTurn;
      }
    }
  } else {
    running->stop = Stop::kFault;
  }
  t_wave = nullptr;
}

}  // namespace wavetank::dispatch
