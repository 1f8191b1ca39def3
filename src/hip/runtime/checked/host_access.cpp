#include "hip/runtime/checked/host_access.hpp"

#include <array>
#include <csignal>
#include <cstdint>

#include <ucontext.h>

#include "dispatch/fault_guard.hpp"
#include "dispatch/signal_chain.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/host_order.hpp"

namespace wavetank::hip {
namespace {

Checker* watching = nullptr;

/// Pages that are open for the one instruction that this thread executes.
struct OneStep {
  std::array<std::uint64_t, 4> opened = {};
  unsigned count = 0;
};
thread_local OneStep t_step;

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;  ///< of RFLAGS: a trap after each instruction

greg_t& register_of(void* context, int number) {
  return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[number];
}

bool on_fault(const dispatch::HostFault& fault) {
  if (!watching->owns_fault(fault.address)) return false;
  const OrderedPtr& operation = OrderScope::current();
  const bool is_runtime = fault.in_engine || (operation != nullptr && !operation->runs_program);
  const auto instruction = static_cast<std::uint64_t>(register_of(fault.context, REG_RIP));
  if (is_runtime) {
    watching->open_page(fault.address);
    return true;
  }
  if (!watching->note_host_access(fault.address, fault.write, instruction)) return true;
  if (t_step.count < t_step.opened.size()) t_step.opened[t_step.count++] = fault.address;
  register_of(fault.context, REG_EFL) |= kTrapFlag;
  return true;
}

void on_trap(int number, siginfo_t* info, void* context);

dispatch::SignalChain& traps() {
  static auto* const chain = new dispatch::SignalChain(SIGTRAP, on_trap);
  return *chain;
}

void on_trap(int, siginfo_t* info, void* context) {
  if (t_step.count == 0) return traps().pass_on(info, context);
  register_of(context, REG_EFL) &= ~kTrapFlag;
  for (unsigned i = 0; i < t_step.count; ++i) watching->close_page_again(t_step.opened[i]);
  t_step.count = 0;
}
#endif

}  // namespace

void watch_host_accesses(Checker& checker) {
#if defined(__x86_64__)
  watching = &checker;
  traps().take();
  dispatch::set_fault_claim(on_fault);
#else
  (void)checker;
#endif
}

}  // namespace wavetank::hip
