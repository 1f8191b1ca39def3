#include "timing/memory/memory_system.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace wavetank::timing {
MemorySystem::MemorySystem(const TimingSpec& spec)
    : spec_(spec),
      map_(spec),
      far_(spec_, map_),
      host_(spec_),
      requests_(spec_, map_),
      of_channels_(std::size_t{spec.xcds} * spec.l2.channels) {
  for (unsigned i = 0; i < spec.xcds; ++i) {
    xcds_.push_back(std::make_unique<Xcd>(spec_, map_, host_));
    for (L2Channel& channel : xcds_.back()->channels) channels_.push_back(&channel);
  }
}

std::uint64_t MemorySystem::serve(unsigned xcd, const MemoryRequest& request) {
  WindowCrew alone;
  MemoryRequest copy = request;
  requests_.take(xcd, copy);
  serve_requests(alone);
  return copy.back;
}

void MemorySystem::serve(std::span<MemoryPort* const> ports, WindowCrew& crew) {
  requests_.collect(ports, crew);
  look_if_due();
  serve_requests(crew);
}

void MemorySystem::serve_requests(WindowCrew& crew) {
  // What an XCD writes back is no longer dirty for those behind.
  for (std::size_t turn = 0; turn < requests_.size();) {
    const std::size_t most = std::min(requests_.size(), turn + kMostAtOnce);
    std::size_t end = turn;
    while (end < most && requests_.at(end).request->kind != MemoryRequest::Kind::kWriteBack) ++end;
    if (end != turn) serve_turns(turn, end, crew);
    turn = end;
    if (end == most) continue;
    const WindowRequests::Asked& asked = requests_.at(turn++);
    asked.request->back = write_back(asked.channel / spec_.l2.channels, asked.request->time, crew);
  }
}

void MemorySystem::serve_turns(std::size_t first, std::size_t end, WindowCrew& crew) {
  first_ = first;
  const auto turns = static_cast<std::uint32_t>(end - first);
  for (std::uint32_t turn = 0; turn < turns; ++turn) of_channels_.add(at(turn).channel, turn);
  of_channels_.for_each(crew, [&](std::uint32_t channel, std::span<const std::uint32_t> own) {
    begin(*channels_[channel], own);
  });
  pass_fabric(turns);
  far_.serve(crew);
  of_channels_.for_each(crew, [&](std::uint32_t channel, std::span<const std::uint32_t> own) {
    this->end(*channels_[channel], own);
  });
  of_channels_.clear();
}

void MemorySystem::begin(L2Channel& channel, std::span<const std::uint32_t> turns) {
  // Turns from which on things are brought: a look-up takes about as long as the host's memory.
  constexpr std::size_t kSetAhead = 12, kLineAhead = 8;
  const L2Tags& tags = channel.tags();
  const auto is_at_hand = [&](std::uint64_t address) {
    return spec_.l2.dies_share && far_.is_in_mall(address);
  };
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i + kSetAhead < turns.size()) {
      const WindowRequests::Asked& later = at(turns[i + kSetAhead]);
      __builtin_prefetch(later.request);
      tags.prefetch(later.set);
    }
    if (i + kLineAhead < turns.size()) {
      const WindowRequests::Asked& later = at(turns[i + kLineAhead]);
      tags.prefetch_line(later.set, later.line);
    }
    const WindowRequests::Asked& asked = at(turns[i]);
    channel.begin(*asked.request, {asked.set, asked.line}, is_at_hand);
  }
}

void MemorySystem::pass(L2Channel& channel, std::span<FabricRequest> asked) {
  for (FabricRequest& request : asked) {
    channel.fabric().send(request);
    if (request.to_host) {
      host_.serve(request);
    } else {
      far_.take(request);
    }
  }
}

void MemorySystem::pass_fabric(std::uint32_t turns) {
  passed_.assign(channels_.size(), 0);
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    const std::uint32_t number = at(turn).channel;
    L2Channel& channel = *channels_[number];
    pass(channel, channel.asked(passed_[number]++));
  }
}

void MemorySystem::end(L2Channel& channel, std::span<const std::uint32_t> turns) {
  constexpr std::size_t kAhead = 8;
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    if (i + kAhead < turns.size()) __builtin_prefetch(at(turns[i + kAhead]).request);
    MemoryRequest& request = *at(turns[i]).request;
    request.back = channel.end(i, request);
  }
  channel.end_window();
}

void MemorySystem::pass_unseen(const Traffic& whole) {
  const double l2_bytes = static_cast<double>(spec_.l2.bytes) * spec_.xcds;
  if (whole.fabric_read + whole.fabric_written > l2_bytes) {
    for (auto& xcd : xcds_) {
      for (L2Channel& channel : xcd->channels) channel.tags().invalidate();
    }
  }
  far_.pass_unseen(whole.hbm_read + whole.hbm_written);
}

void MemorySystem::take_contents(MemorySystem&& other) {
  far_.take_contents(std::move(other.far_));
  for (std::size_t i = 0; i < std::min(xcds_.size(), other.xcds_.size()); ++i) {
    std::vector<L2Channel>& own = xcds_[i]->channels;
    std::vector<L2Channel>& others = other.xcds_[i]->channels;
    if (own.size() != others.size()) continue;
    for (std::size_t channel = 0; channel < own.size(); ++channel) {
      own[channel].tags().take(std::move(others[channel].tags()));
    }
  }
}

void MemorySystem::start_launch(AddressRange arguments, const std::vector<AddressRange>& arrays) {
  busy_ = {};
  host_.start_launch(arguments);
  for (ChannelMoments* moments : {&l2_moments_, &mall_moments_, &hbm_moments_}) {
    moments->start_launch();
  }
  far_.start_launch(arrays);
  for (auto& xcd : xcds_) {
    xcd->fabric.start_launch();
    for (L2Channel& channel : xcd->channels) channel.start_launch(arrays);
  }
  forget(host_.host_range());
}

void MemorySystem::forget(AddressRange range) {
  for (std::uint64_t at = 0; at < range.bytes; at += spec_.l2.line_bytes) {
    const std::uint64_t address = range.begin + at;
    for (auto& xcd : xcds_) xcd->channels[map_.l2_channel(address)].tags().forget(address);
  }
}

std::vector<ArrayTally::Bytes> MemorySystem::l2_arrays() const {
  std::vector<ArrayTally::Bytes> sum;
  for (const L2Channel* channel : channels_) channel->arrays().add_to(sum);
  return sum;
}

std::vector<ArrayTally::Bytes> MemorySystem::hbm_arrays() const {
  std::vector<ArrayTally::Bytes> sum;
  for (const HbmChannel& channel : far_.channels()) channel.arrays().add_to(sum);
  return sum;
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
      sum.l2_read += static_cast<double>(channel.bytes_read());
      sum.l2_written += static_cast<double>(channel.bytes_written());
      sum.l2_requests += static_cast<double>(channel.counting().requests());
      sum.l2_hits += static_cast<double>(channel.counting().hits());
    }
    sum.fabric_read += xcd->fabric.bytes_read();
    sum.fabric_written += xcd->fabric.bytes_written();
  }
  const FarMemory::Traffic far = far_.traffic();
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
  if (requests_.empty()) return;
  const std::uint64_t time = requests_.time(0);
  if (l2_moments_.is_due(time)) look(time);
}

void MemorySystem::look(std::uint64_t time) {
  far_.look(time);
  const BusyCycles busy = count_busy();
  l2_moments_.look(time, busy.l2_lanes);
  mall_moments_.look(time, busy.mall);
  hbm_moments_.look(time, busy.hbm);
}

MemorySystem::Cleaned MemorySystem::clean(
    std::span<L2Channel* const> channels, WindowCrew& crew,
    const std::function<std::uint64_t(L2Channel&)>& ask_for_it) {
  // What so many ask stays in the host's caches until they have their answers.
  constexpr std::size_t kAtOnce = 8;
  Cleaned all;
  for (std::size_t first = 0; first < channels.size(); first += kAtOnce) {
    const auto some = channels.subspan(first, std::min(kAtOnce, channels.size() - first));
    const auto count = static_cast<std::uint32_t>(some.size());
    std::array<Cleaned, kAtOnce> each;
    crew.share(count, [&](std::uint32_t i, std::uint32_t) { each[i].left = ask_for_it(*some[i]); });
    for (L2Channel* const channel : some) pass(*channel, channel->asked());
    far_.serve(crew);
    crew.share(count, [&](std::uint32_t i, std::uint32_t) { each[i].taken = some[i]->cleaned(); });
    for (const Cleaned& one : std::span(each).first(some.size())) {
      all = {std::max(all.left, one.left), std::max(all.taken, one.taken)};
    }
  }
  return all;
}

std::uint64_t MemorySystem::write_back(unsigned xcd, std::uint64_t time, WindowCrew& crew) {
  const auto own =
      std::span(channels_).subspan(std::size_t{xcd} * spec_.l2.channels, spec_.l2.channels);
  const Cleaned cleaned =
      clean(own, crew, [&](L2Channel& channel) { return channel.write_back(time); });
  return std::max({time + spec_.fence.clean_cycles(), cleaned.left, cleaned.taken});
}

std::uint64_t MemorySystem::end_of_kernel(std::uint64_t time, WindowCrew& crew) {
  // What the caches hand over now keeps no wave waiting.
  look(time);
  busy_ = count_busy();
  return clean(channels_, crew,
               [&](L2Channel& channel) {
                 const std::uint64_t left = channel.hand_over(time);
                 // The next kernel reads everything anew (rocprofiler-compute vcopy workload: as
                 // many reads of the fabric in every run).
                 if (spec_.l2.write_back_at_end) channel.tags().invalidate();
                 return left;
               })
      .left;
}

}  // namespace wavetank::timing
