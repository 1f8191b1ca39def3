// A signal that this library handles beside others: frameworks for tests and reporters of crashes
// install their handlers at any time, some anew for each test.
#pragma once

#include <atomic>
#include <csignal>
#include <mutex>

namespace wavetank::dispatch {

/// The handlers of one signal, ours first. Lives as long as the process.
class SignalChain {
 public:
  using Handler = void (*)(int, siginfo_t*, void*);

  /// `handler` is called on the thread's alternate stack if it has one, and may leave by longjmp.
  SignalChain(int number, Handler handler) : number_(number), handler_(handler) {}
  SignalChain(const SignalChain&) = delete;
  SignalChain& operator=(const SignalChain&) = delete;

  /// Puts our handler first again, if it is not. Costs one call of the kernel then.
  void take();
  /// Hands a signal on to the handler that was there when ours was put first. Called by ours.
  void pass_on(siginfo_t* info, void* context);

 private:
  const int number_;
  const Handler handler_;
  std::mutex mutex_;
  /// Whom ours replaced, the first time and the last; each stays allocated, for handlers at work.
  std::atomic<const struct sigaction*> first_{nullptr}, last_{nullptr};
};

}  // namespace wavetank::dispatch
