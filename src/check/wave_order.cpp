#include "check/wave_order.hpp"

namespace wavetank::check {

void WaveOrder::begin(GroupClock& clock, unsigned wave) {
  *this = WaveOrder(l2_is_shared_);
  wave_ = wave;
  actor_ = clock.actor();
  fences_.begin(actor_, wave_);
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
  if (vmcnt == 0) unwaited_write_back_ = 0;
  if (last_store_ > done) return;
  stores_done_ = last_store_;
  release(clock);
}

void WaveOrder::write_back_l2(GroupClock& clock, std::uint32_t site) {
  wrote_back_ = true;
  if (l2_is_shared_ || last_store_ > stores_done_) return;
  const bool has_new = stretches_.empty() || did_something_ || handed_on_ == nullptr ||
                       stretches_.back().device != handed_on_;
  if (!has_new) return;
  unwaited_write_back_ = site;
  release(clock);
  wrote_back_ = true;  // by a wait that comes after all, too
}

void WaveOrder::wait_for_grid(bool l1_is_new) {
  if (meeting_ == nullptr) return;
  arrived_.learn(meeting_->device);
  if (l1_is_new) known_.learn(meeting_->device);
  handed_on_ = nullptr;
  meeting_ = nullptr;
}

bool WaveOrder::invalidate_l1() {
  const Knowledge before = known_;
  known_.learn(arrived_);
  return !known_.is_same(before);
}

/// On gfx90a a fence ends behind the wait that begins a stretch.
void WaveOrder::change_fences() {
  if (!did_something_ && !stretches_.empty()) stretches_.back().fences = fences_.passed();
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
  Stretch stretch{clock.advance(wave_), 0, false, handed_on_, nullptr, fences_.passed()};
  if (l2_is_shared_ || wrote_back_) {
    stretch.device_time = stretch.begin;
    stretch.device = handed_on_;
  } else if (!stretches_.empty()) {
    stretch.device_time = stretches_.back().device_time;
    stretch.device = stretches_.back().device;
  }
  wrote_back_ = false;
  completed_more_ = true;
  stretches_.push_back(std::move(stretch));
}

void WaveOrder::add_complete(Release& to) const {
  if (stretches_.empty()) return;
  const Stretch& last = stretches_.back();
  to.workgroup.learn(*last.workgroup);
  to.workgroup.learn(actor_, wave_, last.begin);
  if (last.device == nullptr) return;
  to.device.learn(*last.device);
  to.device.learn(actor_, wave_, last.device_time);
}

/// What the wave itself has under way at the barrier is not handed on to the device.
void WaveOrder::meet(const std::shared_ptr<const Knowledge>& workgroup,
                     const std::shared_ptr<const Knowledge>& device, const GroupClock& clock) {
  completed_more_ = false;
  Stretch stretch{clock.time(wave_), 0, false, workgroup, device, fences_.passed()};
  if (!stretches_.empty()) {
    const Stretch& last = stretches_.back();
    const bool all_is_done = !did_something_ && last.device_time == last.begin;
    stretch.device_time = all_is_done ? stretch.begin : last.device_time;
  }
  stretches_.push_back(std::move(stretch));
}

const WaveOrder::Stretch* WaveOrder::stretch_at(std::uint32_t time) const {
  const auto next = std::upper_bound(
      stretches_.begin(), stretches_.end(), time,
      [](std::uint32_t wanted, const Stretch& stretch) { return wanted < stretch.begin; });
  return next == stretches_.begin() ? nullptr : &*std::prev(next);
}

std::shared_ptr<const PassedFences> WaveOrder::fences_at(std::uint32_t time) const {
  const Stretch* const stretch = stretch_at(time);
  return stretch == nullptr ? nullptr : stretch->fences;
}

void WaveOrder::add_release(std::uint32_t time, Release& to) const {
  const Stretch* const found = stretch_at(time);
  if (found == nullptr) return;
  const Stretch& stretch = *found;
  if (stretch.fences != nullptr) to.fences.add(*stretch.fences);
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
