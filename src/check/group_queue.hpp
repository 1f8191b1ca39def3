// Workgroups that ended on several threads, one after the other in dispatch order.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "check/group.hpp"

namespace wavetank::check {

class GroupQueue {
 public:
  /// True for the workgroup before which all others are replayed. Until it is added, the thread
  /// that runs it is the only one to replay anything, and may do so with what it has so far.
  bool is_turn_of(std::uint64_t index) const {
    return turn_.load(std::memory_order_acquire) == index;
  }
  /// A record to fill, without contents.
  std::unique_ptr<GroupRecord> fresh() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<GroupRecord>();
    std::unique_ptr<GroupRecord> record = std::move(idle_.back());
    idle_.pop_back();
    return record;
  }
  /// Takes what is known of a workgroup that is over, and calls replay(record) for all workgroups
  /// that are next: for one at a time, on whichever thread.
  template <class Replay>
  void add(std::unique_ptr<GroupRecord> record, Replay&& replay) {
    std::unique_lock lock(mutex_);
    const std::uint64_t index = record->index;
    if (is_replaying_ || index != next_) {
      waiting_bytes_ += record->log.bytes();
      waiting_.emplace(index, std::move(record));
      // Whoever runs the next one may have lost its core for long; it may be this thread, though.
      if (waiting_bytes_ > kMostWaitingBytes) fewer_wait_.wait_for(lock, kLongestWait);
      return;
    }
    is_replaying_ = true;
    turn_.store(kNobody, std::memory_order_relaxed);
    while (record != nullptr) {
      ++next_;
      lock.unlock();
      replay(*record);
      record->clear();
      lock.lock();
      if (idle_.size() < kMostIdle) idle_.push_back(std::move(record));
      record = take_next();
    }
    is_replaying_ = false;
    turn_.store(next_, std::memory_order_release);
    fewer_wait_.notify_all();
  }
  /// The workgroup whose turn it is.
  std::uint64_t next() const { return next_; }

 private:
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  static constexpr std::size_t kMostWaitingBytes = std::size_t{16} << 20, kMostIdle = 64;
  static constexpr std::chrono::milliseconds kLongestWait{2};

  std::unique_ptr<GroupRecord> take_next() {
    if (waiting_.empty() || waiting_.begin()->first != next_) return nullptr;
    std::unique_ptr<GroupRecord> record = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    waiting_bytes_ -= record->log.bytes();
    return record;
  }

  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<GroupRecord>> waiting_;
  std::size_t waiting_bytes_ = 0;  ///< of their logs
  std::condition_variable fewer_wait_;
  std::vector<std::unique_ptr<GroupRecord>> idle_;
  std::uint64_t next_ = 0;
  std::atomic<std::uint64_t> turn_ = 0;  ///< `next_`, or kNobody while somebody replays
  bool is_replaying_ = false;
};

}  // namespace wavetank::check
