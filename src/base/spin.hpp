// A short wait that does not sleep: waking a thread costs more than what it often waits for.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace wavetank {

/// Looks for something for a moment, where that has paid. Where the host's cores have other work,
/// whoever is waited for may need this thread's core: then it looks once, and longer only now and
/// then, to find out whether that has changed. Safe from several threads.
class Spin {
 public:
  /// About twice what the host takes to wake a thread.
  static constexpr std::chrono::microseconds kUsual{20};
  /// Looks for `longest` at a time.
  constexpr explicit Spin(std::chrono::microseconds longest = kUsual) : longest_(longest) {}

  /// Looks until done() holds or it is not worth to look on; whether it holds.
  template <class Done>
  bool until(Done done) {
    if (done()) return true;
    if (!is_worth_it()) return false;
    constexpr int kLooksBetweenClocks = 16;
    const auto end = std::chrono::steady_clock::now() + longest_;
    do {
      for (int i = 0; i < kLooksBetweenClocks; ++i) {
        if (done()) return learn(true);
        __builtin_ia32_pause();
      }
    } while (std::chrono::steady_clock::now() < end);
    return learn(false);
  }

 private:
  static constexpr int kMostCredit = 8;
  /// Waits without credit for each one that looks all the same.
  static constexpr std::uint32_t kProbe = 64;

  bool is_worth_it() {
    static const bool alone = std::thread::hardware_concurrency() == 1;
    if (alone) return false;
    return credit_.load(std::memory_order_relaxed) > 0 ||
           waits_.fetch_add(1, std::memory_order_relaxed) % kProbe == 0;
  }
  /// A look in vain costs more than a successful one gains.
  bool learn(bool success) {
    const int credit = credit_.load(std::memory_order_relaxed) + (success ? 1 : -2);
    credit_.store(std::clamp(credit, 0, kMostCredit), std::memory_order_relaxed);
    return success;
  }

  const std::chrono::microseconds longest_;
  std::atomic<int> credit_{1};
  std::atomic<std::uint32_t> waits_{0};
};

}  // namespace wavetank
