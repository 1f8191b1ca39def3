// Host threads that share the work of a window: numbered pieces, in any order, on whichever thread
// is free. A thread begins with those that it had in the last window, of which its caches hold
// something. Windows last some microseconds, so nobody sleeps between two that follow each other.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "base/spin.hpp"

namespace wavetank::timing {

class WindowCrew {
 public:
  /// `work(piece, worker)` does a piece; it is called by several threads at the same time, once for
  /// each piece. Workers are numbered from 0, which is the one that shares.
  using Work = std::function<void(std::uint32_t piece, std::uint32_t worker)>;

  /// Does pieces [0, pieces), with whoever is in help(). Returns when all are done.
  void share(std::uint32_t pieces, const Work& work);
  /// Does pieces until dismiss(). At most `kMostWorkers` - 1 threads help, others return at once.
  void help();
  static constexpr std::uint32_t kMostWorkers = 64;
  void dismiss();

 private:
  /// Neighbouring pieces, which one worker takes first, and others when they have no more.
  struct alignas(64) Share {
    /// The round in the upper half, the next piece in the lower: a piece is taken by counting up,
    /// which fails for who missed the end of a round.
    std::atomic<std::uint64_t> ticket{~std::uint64_t{0}};
    std::atomic<std::uint32_t> end{0};
  };
  /// Does what is left of the round, its own share first.
  void work(std::uint32_t worker);
  void work_on(Share& share, std::uint32_t worker);

  std::array<Share, kMostWorkers> shares_;
  std::uint32_t round_ = 0;
  std::atomic<std::uint32_t> parts_{1};  ///< shares that there are in the round
  std::atomic<const Work*> work_{nullptr};
  std::atomic<std::uint32_t> done_{0};
  std::atomic<std::uint32_t> rounds_{0};  ///< that began: a futex word
  std::atomic<std::uint32_t> sleeping_{0};
  std::atomic<std::uint32_t> workers_{1};
  std::atomic<bool> dismissed_{false};
  /// Who helps waits as long as one thread takes for what lies between two rounds.
  Spin look_{std::chrono::microseconds(400)};
  Spin wait_;
};

}  // namespace wavetank::timing
