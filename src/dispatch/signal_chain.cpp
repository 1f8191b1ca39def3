#include "dispatch/signal_chain.hpp"

namespace wavetank::dispatch {
namespace {

/// A signal that this thread hands on: where its context lies, and how deep the stack was then.
struct HandedOn {
  const void* context = nullptr;
  const void* frame = nullptr;
};
[[gnu::tls_model("initial-exec")]] thread_local HandedOn t_handed_on;

bool is_same(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags;
}

}  // namespace

void SignalChain::take() {
  struct sigaction now = {};
  if (sigaction(number_, nullptr, &now) != 0 || now.sa_sigaction == handler_) return;
  const std::lock_guard lock(mutex_);
  struct sigaction ours = {};
  ours.sa_sigaction = handler_;
  // SA_NODEFER: the handler may leave by longjmp, so the signal must not stay blocked.
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  // Set before ours can be called.
  if (first_.load() == nullptr) first_ = new struct sigaction(now);
  if (last_.load() == nullptr || !is_same(*last_.load(), now)) last_ = new struct sigaction(now);
  sigaction(number_, &ours, nullptr);
}

void SignalChain::pass_on(siginfo_t* info, void* context) {
  const void* const frame = __builtin_frame_address(0);
  // A handler that came after ours first took place may itself hand on to ours: that call comes
  // with the same context, from deeper in the stack. One that left by longjmp before is no deeper.
  const bool came_back = t_handed_on.context == context && frame < t_handed_on.frame;
  if (!came_back) t_handed_on = {context, frame};
  const struct sigaction& next = came_back ? *first_.load() : *last_.load();
  if ((next.sa_flags & SA_SIGINFO) != 0 && next.sa_sigaction != nullptr) {
    next.sa_sigaction(number_, info, context);
  } else if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) {
    next.sa_handler(number_);
  } else {
    // Returning with the default action repeats the access and ends the process as usual.
    sigaction(number_, &next, nullptr);
  }
  // Also keeps the calls above from becoming jumps, which would leave no frame between.
  t_handed_on = {};
}

}  // namespace wavetank::dispatch
