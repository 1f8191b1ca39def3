#include "hip/runtime/stream_order.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

namespace wavetank::hip {
namespace {

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

}  // namespace

void StreamOrder::add(const StreamPlace& stream) {
  const std::lock_guard lock(mutex_);
  if (stream.kind() == StreamKind::kNull) {
    null_stream_ = &stream;
  } else {
    others_.push_back(&stream);
  }
}

void StreamOrder::remove(const StreamPlace& stream) {
  const std::lock_guard lock(mutex_);
  std::erase(others_, &stream);
  const CompletionPtr& last = stream.last();
  if (last == nullptr || last->ordered() == nullptr) return;
  (stream.kind() == StreamKind::kBlocking ? ended_blocking_ : ended_other_).push_back(last);
}

void StreamOrder::synchronize() {
  Dependencies operations;
  {
    const std::lock_guard lock(mutex_);
    operations = std::exchange(ended_blocking_, {});
    operations.insert(operations.end(), ended_other_.begin(), ended_other_.end());
    ended_other_.clear();
    if (null_stream_->last() != nullptr) operations.push_back(null_stream_->last());
    for (const StreamPlace* stream : others_) {
      if (stream->last() != nullptr) operations.push_back(stream->last());
    }
  }
  for (const auto& completion : operations) wait_on_host(*completion);
}

StreamPlace::StreamPlace(StreamOrder& order, StreamKind kind)
    : order_(order), kind_(kind), id_(next_stream_id()) {}

CompletionPtr StreamPlace::enter(Dependencies& dependencies) {
  auto completion = std::make_shared<Completion>();
  completion->set_place(id_, ++submitted_);
  if (order_.checked() != nullptr) completion->set_ordered(enter_checked());
  if (last_ && !last_->done()) dependencies.push_back(last_);
  for (auto& wait : waits_) dependencies.push_back(std::move(wait));
  waits_.clear();
  order_.visit_implicit(*this, [&](const CompletionPtr& last) {
    if (!last->done()) dependencies.push_back(last);
  });
  last_ = completion;
  return completion;
}

/// The operations that all of this stream's next ones are behind, those that are done included.
Dependencies StreamPlace::all_before() const {
  Dependencies before(waits_);
  if (last_ != nullptr) before.push_back(last_);
  order_.visit_implicit(*this, [&](const CompletionPtr& last) { before.push_back(last); });
  return before;
}

/// Of the operations before, those that are done count as well.
OrderedPtr StreamPlace::enter_checked() {
  HostOrder& order = *order_.checked();
  GraphBranch* const branch = GraphBranch::current();
  OrderedPtr entered;
  if (branch != nullptr) {
    entered = order.enter(branch->line(), branch->next_number(), branch->behind());
    branch->behind() = {entered};
    entered->in_graph = true;
  } else {
    OrderedList behind = std::exchange(joined_, {});
    for (const CompletionPtr& earlier : all_before()) behind.push_back(earlier->ordered());
    entered = order.enter(id_, submitted_, std::move(behind));
  }
  entered->stream = kind_ == StreamKind::kNull ? "the null stream" : fmt::format("stream {}", id_);
  return entered;
}

Dependencies StreamPlace::awaited() const {
  if (kind_ == StreamKind::kNull) return all_before();
  Dependencies pending(waits_);
  if (last_ != nullptr) pending.push_back(last_);
  return pending;
}

void StreamPlace::wait_for(CompletionPtr completion) {
  const std::lock_guard lock(order_.mutex());
  std::uint64_t& passed = passed_[completion->stream_id()];
  passed = std::max(passed, completion->number());
  waits_.push_back(std::move(completion));
}

void StreamPlace::join(OrderedList operations) {
  const std::lock_guard lock(order_.mutex());
  joined_ = std::move(operations);
}

bool StreamPlace::is_behind(const Completion& operation) const {
  if (operation.stream_id() == id_) return true;
  const std::lock_guard lock(order_.mutex());
  const auto found = passed_.find(operation.stream_id());
  return found != passed_.end() && operation.number() <= found->second;
}

}  // namespace wavetank::hip
