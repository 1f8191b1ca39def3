#include "dispatch/worker_pool.hpp"

namespace wavetank::dispatch {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::start_missing() {
  while (helpers_.size() + 1 < threads_) helpers_.emplace_back([this] { serve(); });
}

void WorkerPool::run(unsigned copies, const std::function<void(unsigned)>& task) {
  if (copies <= 1) return task(0);
  Batch batch{&task, copies - 1};
  {
    const std::lock_guard lock(mutex_);
    start_missing();
    for (unsigned i = 1; i < copies; ++i) jobs_.push({&batch, i});
  }
  work_.notify_all();
  task(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return batch.unfinished == 0; });
}

void WorkerPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    const Job job = jobs_.front();
    jobs_.pop();
    lock.unlock();
    (*job.batch->task)(job.index);
    lock.lock();
    if (--job.batch->unfinished == 0) done_.notify_all();
  }
}

}  // namespace wavetank::dispatch
