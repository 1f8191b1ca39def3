// Host threads that run workgroups. Threads start on first need and live as long as the pool.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/spin.hpp"

namespace wavetank::dispatch {

class Team;

/// Idle threads that help others with what they do (Team).
class WorkerPool {
 public:
  /// `threads` counts the one that asks for help.
  explicit WorkerPool(unsigned threads) : threads_(threads == 0 ? 1 : threads) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return threads_; }

 private:
  friend class Team;
  void open(Team& team);
  void close(Team& team);
  void serve();
  /// The next team that wants a helper, which the caller now is; nullptr when the pool ends.
  Team* join_next();
  void leave(Team& team);

  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Team*> open_;           ///< want more helpers
  std::atomic<bool> wanted_{false};  ///< `open_` has one, for who looks without the mutex
  std::atomic<bool> stopping_{false};
  std::atomic_flag looking_;  ///< one idle thread looks for work, the others sleep
  Spin look_, wait_;
  std::vector<std::thread> helpers_;
};

/// A task that its maker works at, and helpers if it calls any. Helpers that do not come in time
/// cost nothing: nobody waits for one that has not begun.
class Team {
 public:
  /// `task` is run by each helper, at most `helpers` of them, at the same time.
  Team(WorkerPool& pool, unsigned helpers, const std::function<void()>& task)
      : pool_(pool), task_(task), helpers_(helpers) {}
  ~Team() { finish(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Wakes helpers; does nothing at a second call.
  void call_helpers();
  /// Lets no helper begin any more and waits for those that have; gives how many did.
  unsigned finish();

 private:
  friend class WorkerPool;

  WorkerPool& pool_;
  const std::function<void()>& task_;
  bool called_ = false;               ///< the maker's
  const unsigned helpers_;            ///< at most
  unsigned begun_ = 0;                ///< guarded by the pool's mutex
  std::atomic<unsigned> at_work_{0};  ///< changed with the pool's mutex held
  std::condition_variable left_;
};

}  // namespace wavetank::dispatch
