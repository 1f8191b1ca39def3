#include "check/group_order.hpp"

#include <algorithm>

namespace wavetank::check {

void GroupOrder::begin(const GroupClock& clock) {
  waves_ = clock.waves();
  for (auto& pending : pending_) pending.clear();
  issued_.fill(0);
  lds_.fill({});
  pass_barrier(clock);
}

void GroupOrder::issue(unsigned wave, bool to_lds, GroupClock& clock) {
  ++issued_[wave];
  if (to_lds) pending_[wave].push_back({issued_[wave], clock.advance(wave)});
}

void GroupOrder::wait(unsigned wave, unsigned lgkmcnt) {
  const std::uint64_t done = issued_[wave] - std::min<std::uint64_t>(lgkmcnt, issued_[wave]);
  std::erase_if(pending_[wave], [&](const Pending& pending) { return pending.issue <= done; });
}

void GroupOrder::pass_barrier(const GroupClock& clock) {
  Times all = {};
  for (unsigned i = 0; i < waves_; ++i) {
    join(all, lds_[i]);
    const std::uint32_t done = pending_[i].empty() ? clock.time(i) : pending_[i].front().time;
    all[i] = std::max(all[i], done);
  }
  for (unsigned i = 0; i < waves_; ++i) {
    lds_[i] = all;
    stretches_[i].assign(1, {clock.time(i), lds_[i], clock.known(i)});
  }
  words_.clear();
}

/// What was done before the last barrier is known to all.
Handed GroupOrder::handed_by(const Record& store) const {
  const std::vector<Stretch>& stretches = stretches_[store.wave()];
  const auto next = std::upper_bound(
      stretches.begin(), stretches.end(), store.time(),
      [](std::uint32_t wanted, const Stretch& stretch) { return wanted < stretch.begin; });
  if (next == stretches.begin()) return {};
  const Stretch& stretch = *std::prev(next);
  Handed handed{stretch.lds, stretch.memory, static_cast<std::uint16_t>(1u << store.wave())};
  handed.lds[store.wave()] = handed.memory[store.wave()] = store.time() + 1;
  return handed;
}

void GroupOrder::add_store(const Record& store, const Record& mine, Handed& to) const {
  if (store.actor != mine.actor || store.wave() == mine.wave()) return;
  to.join(handed_by(store));
}

void GroupOrder::change_word(std::uint64_t key, const Record& earlier, const Record& mine) {
  const bool meets_other = earlier.actor == mine.actor && earlier.wave() != mine.wave();
  const auto known = words_.find(key);
  if (!meets_other && known == words_.end()) return;
  Handed& word = known != words_.end() ? known->second : words_[key];
  if (meets_other) word.join(handed_by(earlier));
  word.join(handed_by(mine));
}

void GroupOrder::add_word(std::uint64_t key, Handed& to) const {
  if (const auto known = words_.find(key); known != words_.end()) to.join(known->second);
}

void GroupOrder::acquire(unsigned wave, const Handed& handed, GroupClock& clock) {
  if (handed.waves == 0) return;
  const Times before = lds_[wave];
  const Times memory_before = clock.known(wave);
  join(lds_[wave], handed.lds);
  clock.learn(wave, handed.memory);
  if (lds_[wave] == before && clock.known(wave) == memory_before) return;
  std::vector<Stretch>& stretches = stretches_[wave];
  const Stretch stretch{clock.time(wave), lds_[wave], clock.known(wave)};
  if (stretches.back().begin == stretch.begin)
    stretches.back() = stretch;
  else
    stretches.push_back(stretch);
}

}  // namespace wavetank::check
