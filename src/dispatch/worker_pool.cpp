#include "dispatch/worker_pool.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::dispatch {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::open(Team& team) {
  {
    const std::lock_guard lock(mutex_);
    open_.push_back(&team);
    wanted_.store(true, std::memory_order_release);
    const std::size_t enough = std::min<std::size_t>(threads_ - 1, team.helpers_);
    while (helpers_.size() < enough) helpers_.emplace_back([this] { serve(); });
  }
  // One helper: it wakes the next, so that the caller gets to its own share.
  work_.notify_one();
}

void WorkerPool::close(Team& team) {
  std::unique_lock lock(mutex_);
  std::erase(open_, &team);
  wanted_.store(!open_.empty(), std::memory_order_release);
  const auto all_left = [&] { return team.at_work_.load(std::memory_order_acquire) == 0; };
  if (all_left()) return;
  lock.unlock();
  wait_.until(all_left);
  // Also after a spin: a helper lets go of the mutex when it is done with the team.
  lock.lock();
  team.left_.wait(lock, all_left);
}

Team* WorkerPool::join_next() {
  if (!looking_.test_and_set(std::memory_order_acquire)) {
    look_.until([this] { return wanted_.load(std::memory_order_acquire) || stopping_.load(); });
    looking_.clear(std::memory_order_release);
  }
  std::unique_lock lock(mutex_);
  work_.wait(lock, [this] { return stopping_ || !open_.empty(); });
  if (stopping_) return nullptr;
  Team& team = *open_.front();
  team.at_work_.fetch_add(1, std::memory_order_relaxed);
  if (++team.begun_ == team.helpers_) open_.pop_front();
  const bool more = !open_.empty();
  wanted_.store(more, std::memory_order_release);
  lock.unlock();
  if (more) work_.notify_one();
  return &team;
}

void WorkerPool::leave(Team& team) {
  const std::lock_guard lock(mutex_);
  if (team.at_work_.fetch_sub(1, std::memory_order_release) == 1) team.left_.notify_one();
}

void WorkerPool::serve() {
  while (Team* const team = join_next()) {
    team->task_();
    leave(*team);
  }
}

void Team::call_helpers() {
  if (called_ || helpers_ == 0) return;
  called_ = true;
  pool_.open(*this);
}

unsigned Team::finish() {
  if (std::exchange(called_, false)) pool_.close(*this);
  return begun_;
}

}  // namespace wavetank::dispatch
