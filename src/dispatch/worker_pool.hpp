// Host threads that run workgroups. Threads start on first need and live as long as the pool.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace wavetank::dispatch {

/// Runs a task on several threads at once, the caller's among them.
class WorkerPool {
 public:
  /// `threads` counts the caller of run().
  explicit WorkerPool(unsigned threads) : threads_(threads == 0 ? 1 : threads) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return threads_; }
  /// Calls task(i) for i below `copies` (at most threads()), concurrently, and waits for all.
  /// Safe from several threads: copies that find no idle thread wait for one.
  void run(unsigned copies, const std::function<void(unsigned)>& task);

 private:
  struct Batch {
    const std::function<void(unsigned)>* task;
    unsigned unfinished;
  };
  struct Job {
    Batch* batch;
    unsigned index;
  };
  void serve();
  void start_missing();

  unsigned threads_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::queue<Job> jobs_;
  std::vector<std::thread> helpers_;
  bool stopping_ = false;
};

}  // namespace wavetank::dispatch
