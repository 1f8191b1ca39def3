#include "timing/memory/memory_system.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::timing {
MemorySystem::MemorySystem(const TimingSpec& spec)
    : spec_(spec), map_(spec), far_(spec_, map_), host_(spec_) {
  for (unsigned i = 0; i < spec.xcds; ++i) {
    xcds_.push_back(std::make_unique<Xcd>(spec_, map_, far_, host_));
  }
}

MemorySystem::Asked MemorySystem::asked_of(unsigned xcd, MemoryRequest& request) {
  L2Channel& channel = xcds_[xcd]->channels[map_.l2_channel(request.address)];
  return {&request, &channel, request.address, xcd};
}

std::uint64_t MemorySystem::serve(unsigned xcd, const MemoryRequest& request) {
  MemoryRequest copy = request;
  return serve(asked_of(xcd, copy));
}

void MemorySystem::count(const MemoryRequest& request) {
  switch (request.kind) {
    case MemoryRequest::Kind::kRead:
    case MemoryRequest::Kind::kSmallRead: arrays_.read(request.address, request.amount); break;
    case MemoryRequest::Kind::kWrite:
      arrays_.wrote(request.address, written_bytes(request.amount));
      break;
    case MemoryRequest::Kind::kAtomic:
    case MemoryRequest::Kind::kWriteBack: break;
  }
}

void MemorySystem::collect(std::span<MemoryPort* const> ports) {
  asked_.clear();
  turns_.clear();
  for (MemoryPort* const port : ports) {
    for (MemoryRequest& request : port->requests()) {
      turns_.push_back(request.time << kAskedBits | asked_.size());
      asked_.push_back(asked_of(port->xcd(), request));
    }
  }
  sort_turns();
}

void MemorySystem::sort_turns() {
  // Requests of a window lie in few cycles: each cycle's are put together, in the order of asked_.
  constexpr std::uint64_t kMostCycles = 4096;
  if (turns_.empty()) return;
  const auto [least, most] = std::ranges::minmax(turns_);
  const std::uint64_t first = least >> kAskedBits, cycles = (most >> kAskedBits) - first + 1;
  if (cycles > kMostCycles) {
    std::ranges::sort(turns_);
    return;
  }
  places_.assign(cycles + 1, 0);
  for (const std::uint64_t turn : turns_) ++places_[(turn >> kAskedBits) - first + 1];
  std::partial_sum(places_.begin(), places_.end(), places_.begin());
  sorted_.resize(turns_.size());
  for (const std::uint64_t turn : turns_) sorted_[places_[(turn >> kAskedBits) - first]++] = turn;
  turns_.swap(sorted_);
}

void MemorySystem::look_ahead(std::size_t turn) {
  if (turn + kSetAhead < turns_.size()) {
    const Asked& later = at(turn + kSetAhead);
    __builtin_prefetch(later.request);
    later.channel->prefetch(later.address);
  }
  if (turn + kLineAhead < turns_.size()) {
    const Asked& soon = at(turn + kLineAhead);
    const bool hits = soon.channel->prefetch_line(soon.address);
    in_l2_[(turn + kLineAhead) % in_l2_.size()] = hits;
    if (!hits) far_.prefetch(soon.address);
  }
  if (turn + kFarAhead < turns_.size() && !in_l2_[(turn + kFarAhead) % in_l2_.size()]) {
    far_.prefetch_line(at(turn + kFarAhead).address);
  }
}

void MemorySystem::serve(std::span<MemoryPort* const> ports) {
  collect(ports);
  look_if_due();
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    look_ahead(turn);
    const Asked& now = at(turn);
    now.request->back = serve(now);
  }
}

void MemorySystem::pass_unseen(double l2_fill_bytes, double far_bytes) {
  if (l2_fill_bytes > static_cast<double>(spec_.l2.bytes) * spec_.xcds) {
    for (auto& xcd : xcds_) {
      for (L2Channel& channel : xcd->channels) channel.invalidate();
    }
  }
  far_.pass_unseen(far_bytes);
}

void MemorySystem::take_contents(const MemorySystem& other) {
  far_.take_contents(other.far_);
  for (std::size_t i = 0; i < std::min(xcds_.size(), other.xcds_.size()); ++i) {
    std::vector<L2Channel>& own = xcds_[i]->channels;
    const std::vector<L2Channel>& others = other.xcds_[i]->channels;
    if (own.size() != others.size()) continue;
    for (std::size_t channel = 0; channel < own.size(); ++channel) {
      own[channel].take_lines(others[channel]);
    }
  }
}

void MemorySystem::start_launch(AddressRange arguments, const std::vector<AddressRange>& arrays) {
  busy_ = {};
  host_.start_launch(arguments);
  arrays_.start_launch(arrays);
  for (ChannelMoments* moments : {&l2_moments_, &mall_moments_, &hbm_moments_}) {
    moments->start_launch();
  }
  far_.start_launch(arrays);
  for (auto& xcd : xcds_) {
    xcd->fabric.start_launch();
    for (L2Channel& channel : xcd->channels) channel.start_launch();
  }
  forget(host_.host_range());
}

void MemorySystem::forget(AddressRange range) {
  for (std::uint64_t at = 0; at < range.bytes; at += spec_.l2.line_bytes) {
    const std::uint64_t address = range.begin + at;
    for (auto& xcd : xcds_) xcd->channels[map_.l2_channel(address)].forget(address);
  }
}

std::vector<ChannelCounters> MemorySystem::channel_counters() const {
  std::vector<ChannelCounters> all;
  for (const auto& xcd : xcds_) {
    for (const L2Channel& channel : xcd->channels) all.push_back(channel.counting().bank());
  }
  return all;
}

MemorySystem::Traffic MemorySystem::traffic() const {
  Traffic sum;
  for (const auto& xcd : xcds_) {
    for (const L2Channel& channel : xcd->channels) {
      sum.l2_read += channel.bytes_read();
      sum.l2_written += channel.bytes_written();
      sum.l2_requests += channel.counting().requests();
      sum.l2_hits += channel.counting().hits();
    }
    sum.fabric_read += xcd->fabric.bytes_read();
    sum.fabric_written += xcd->fabric.bytes_written();
  }
  const FarMemory::Traffic& far = far_.traffic();
  sum.mall_requests = far.mall_requests;
  sum.mall_hits = far.mall_hits;
  sum.hbm_read = far.hbm_read;
  sum.hbm_written = far.hbm_written;
  return sum;
}

MemorySystem::BusyCycles MemorySystem::count_busy() const {
  BusyCycles busy;
  for (const auto& xcd : xcds_) {
    for (const L2Channel& channel : xcd->channels) {
      busy.l2.push_back(channel.busy_cycles());
      busy.l2_lanes.push_back(channel.cycles_of_lanes());
    }
    busy.fabric.push_back(xcd->fabric.busy_cycles());
  }
  busy.mall = far_.mall_busy_cycles();
  busy.hbm = far_.hbm_busy_cycles();
  busy.rows = far_.rows();
  busy.l2_moments = l2_moments_.busiest_cycles();
  busy.mall_moments = mall_moments_.busiest_cycles();
  busy.hbm_moments = hbm_moments_.busiest_cycles();
  return busy;
}

void MemorySystem::look_if_due() {
  if (turns_.empty()) return;
  const std::uint64_t time = turns_.front() >> kAskedBits;
  if (l2_moments_.is_due(time)) look(time, count_busy());
}

void MemorySystem::look(std::uint64_t time, const BusyCycles& busy) {
  l2_moments_.look(time, busy.l2_lanes);
  mall_moments_.look(time, busy.mall);
  hbm_moments_.look(time, busy.hbm);
}

std::uint64_t MemorySystem::write_back(unsigned xcd, std::uint64_t time) {
  std::uint64_t end = time + spec_.fence.clean_cycles();
  for (L2Channel& channel : xcds_[xcd]->channels) end = std::max(end, channel.write_back(time));
  return end;
}

std::uint64_t MemorySystem::end_of_kernel(std::uint64_t time) {
  // What the caches hand over now keeps no wave waiting.
  look(time, count_busy());
  busy_ = count_busy();
  std::uint64_t end = time;
  for (auto& xcd : xcds_) {
    for (L2Channel& channel : xcd->channels) {
      end = std::max(end, channel.hand_over(time));
      // The next kernel reads everything anew (rocprofiler-compute vcopy workload: as many reads of
      // the fabric in every run).
      if (spec_.l2.write_back_at_end) channel.invalidate();
    }
  }
  return end;
}

}  // namespace wavetank::timing
