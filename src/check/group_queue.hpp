// Workgroups that ended on several threads, one after the other in dispatch order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "check/group.hpp"

namespace wavetank::check {

class GroupQueue {
 public:
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
    waiting_.emplace(index, std::move(record));
    while (!is_replaying_ && !waiting_.empty() && waiting_.begin()->first == next_) {
      std::unique_ptr<GroupRecord> first = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++next_;
      is_replaying_ = true;
      lock.unlock();
      replay(*first);
      first->log.clear();
      first->findings = {};
      lock.lock();
      is_replaying_ = false;
      idle_.push_back(std::move(first));
    }
  }
  /// The workgroup whose turn it is.
  std::uint64_t next() const { return next_; }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<GroupRecord>> waiting_;
  std::vector<std::unique_ptr<GroupRecord>> idle_;
  std::uint64_t next_ = 0;
  bool is_replaying_ = false;
};

}  // namespace wavetank::check
