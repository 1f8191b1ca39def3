#include "check/wave_order.hpp"

namespace wavetank::check {

void WaveOrder::begin(GroupClock& clock, unsigned wave) {
  *this = WaveOrder(l2_is_shared_);
  wave_ = wave;
  actor_ = clock.actor();
}

void WaveOrder::issue(bool stores, bool remembered) {
  ++issued_;
  if (stores) last_store_ = issued_;
  if (stores && !did_something_ && !stretches_.empty()) stretches_.back().begins_with_store = true;
  did_something_ = did_something_ || remembered;
}

void WaveOrder::acquire(std::shared_ptr<const Release> release) {
  pending_.push_back({issued_, std::move(release)});
}

void WaveOrder::wait(unsigned vmcnt, GroupClock& clock) {
  const std::uint64_t done = issued_ - std::min<std::uint64_t>(vmcnt, issued_);
  std::erase_if(pending_, [&](const Pending& pending) {
    if (pending.issue > done) return false;
    arrived_.learn(pending.acquires->device);
    // The workgroup's L1 is one: what its own waves did needs no invalidation.
    const Knowledge own = pending.acquires->workgroup.of(actor_);
    arrived_.learn(own);
    known_.learn(own);
    handed_on_ = nullptr;
    return true;
  });
  if (last_store_ <= done) release(clock);
}

/// All that the wave did and knows is complete. A wave that only polls has nothing new to hand on.
void WaveOrder::release(GroupClock& clock) {
  if (!did_something_ && handed_on_ != nullptr && !wrote_back_) return;
  did_something_ = false;
  if (handed_on_ == nullptr) {
    auto all = std::make_shared<Knowledge>(arrived_);
    all->learn(actor_, clock.known(wave_));
    handed_on_ = std::move(all);
  }
  Stretch stretch{clock.advance(wave_), 0, false, handed_on_, nullptr};
  if (l2_is_shared_ || wrote_back_) {
    stretch.device_time = stretch.begin;
    stretch.device = handed_on_;
  } else if (!stretches_.empty()) {
    stretch.device_time = stretches_.back().device_time;
    stretch.device = stretches_.back().device;
  }
  wrote_back_ = false;
  stretches_.push_back(std::move(stretch));
}

void WaveOrder::add_release(std::uint32_t time, Release& to) const {
  const auto next = std::upper_bound(
      stretches_.begin(), stretches_.end(), time,
      [](std::uint32_t wanted, const Stretch& stretch) { return wanted < stretch.begin; });
  if (next == stretches_.begin()) return;
  const Stretch& stretch = *std::prev(next);
  // The word itself, if it is the first that was stored then.
  const std::uint32_t word = stretch.begins_with_store && time == stretch.begin ? 1 : 0;
  const bool all_is_done = stretch.device_time == stretch.begin;
  // Where the L2 is the device's, both are one and need to be learnt once.
  if (stretch.device == stretch.workgroup && all_is_done && to.device.is_same(to.workgroup)) {
    to.device.learn(*stretch.device);
    to.device.learn(actor_, wave_, stretch.device_time + word);
    to.workgroup = to.device;
    return;
  }
  to.workgroup.learn(*stretch.workgroup);
  to.workgroup.learn(actor_, wave_, stretch.begin + word);
  if (stretch.device == nullptr) return;
  to.device.learn(*stretch.device);
  to.device.learn(actor_, wave_, stretch.device_time + (all_is_done ? word : 0));
}

}  // namespace wavetank::check
