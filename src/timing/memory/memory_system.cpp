#include "timing/memory/memory_system.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::timing {
MemorySystem::MemorySystem(const TimingSpec& spec)
    : spec_(spec), map_(spec), far_(spec_, map_), host_(spec_) {
  for (unsigned i = 0; i < spec.xcds; ++i) {
    xcds_.push_back(std::make_unique<Xcd>(spec_, map_, far_, host_));
    for (L2Channel& channel : xcds_.back()->channels) channels_.push_back(&channel);
  }
}

void MemorySystem::ask(std::size_t number, unsigned xcd, MemoryRequest& request) {
  turns_[number] = request.time << kAskedBits | number;
  asked_[number] = {&request, map_.line(request.address), map_.l2_set(request.address),
                    static_cast<std::uint32_t>(channel_of(xcd, request.address))};
}

void MemorySystem::make_room(std::size_t requests) {
  turns_.resize(requests);
  if (asked_.size() < requests) asked_.resize(requests);
}

std::uint64_t MemorySystem::serve(unsigned xcd, const MemoryRequest& request) {
  WindowCrew alone;
  MemoryRequest copy = request;
  make_room(1);
  ask(0, xcd, copy);
  serve_asked(alone);
  return copy.back;
}

void MemorySystem::collect(std::span<MemoryPort* const> ports, WindowCrew& crew) {
  first_of_port_.assign(1, 0);
  for (const MemoryPort* const port : ports) {
    first_of_port_.push_back(first_of_port_.back() + port->requests().size());
  }
  make_room(first_of_port_.back());
  constexpr std::size_t kPortsOfPiece = 8;
  const WindowCrew::Work of_piece = [&](std::uint32_t piece, std::uint32_t) {
    const std::size_t end = std::min(ports.size(), (piece + 1) * kPortsOfPiece);
    for (std::size_t i = piece * kPortsOfPiece; i < end; ++i) {
      std::size_t number = first_of_port_[i];
      for (MemoryRequest& request : ports[i]->requests()) ask(number++, ports[i]->xcd(), request);
    }
  };
  const auto pieces =
      static_cast<std::uint32_t>((ports.size() + kPortsOfPiece - 1) / kPortsOfPiece);
  if (turns_.size() >= kFewestToShare) {
    crew.share(pieces, of_piece);
  } else {
    for (std::uint32_t piece = 0; piece < pieces; ++piece) of_piece(piece, 0);
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

void MemorySystem::look_up(L2Channel& channel, std::span<const std::uint32_t> turns) {
  const L2Tags& tags = channel.tags();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i + kSetAhead < turns.size()) {
      const Asked& later = at(turns[i + kSetAhead]);
      __builtin_prefetch(later.request);
      tags.prefetch(later.set);
    }
    if (i + kLineAhead < turns.size()) {
      const Asked& later = at(turns[i + kLineAhead]);
      tags.prefetch_line(later.set, later.line);
    }
    const Asked& asked = at(turns[i]);
    found_[turns[i]] = channel.look_up(*asked.request, {asked.set, asked.line}, turns[i]);
  }
}

void MemorySystem::look_up_shared(std::size_t begin, std::size_t end, WindowCrew& crew) {
  ends_.assign(channels_.size() + 1, 0);
  for (std::size_t turn = begin; turn < end; ++turn) ++ends_[at(turn).number + 1];
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  turns_of_channels_.resize(end - begin);
  // Where a channel's turns begin becomes where they end.
  for (std::size_t turn = begin; turn < end; ++turn) {
    turns_of_channels_[ends_[at(turn).number]++] = static_cast<std::uint32_t>(turn);
  }
  constexpr std::uint32_t kChannelsOfPiece = 4;
  const auto count = static_cast<std::uint32_t>(channels_.size());
  crew.share(
      (count + kChannelsOfPiece - 1) / kChannelsOfPiece, [&](std::uint32_t piece, std::uint32_t) {
        const std::uint32_t last = std::min(count, (piece + 1) * kChannelsOfPiece);
        for (std::uint32_t i = piece * kChannelsOfPiece; i < last; ++i) {
          if (!brought_before_.empty()) channels_[i]->tags().settle(found_before_);
          const std::uint32_t first = i == 0 ? 0 : ends_[i - 1];
          look_up(*channels_[i], std::span(turns_of_channels_).subspan(first, ends_[i] - first));
        }
      });
}

void MemorySystem::look_up(std::size_t begin, std::size_t end, WindowCrew& crew) {
  if (end - begin >= kFewestToShare) {
    look_up_shared(begin, end, crew);
  } else {
    for (const std::uint32_t channel : brought_before_) {
      channels_[channel]->tags().settle(found_before_);
    }
    for (std::size_t turn = begin; turn < end; ++turn) {
      const auto number = static_cast<std::uint32_t>(turn);
      const Asked& asked = at(turn);
      found_[turn] =
          channels_[asked.number]->look_up(*asked.request, {asked.set, asked.line}, number);
    }
  }
  brought_before_.clear();
}

void MemorySystem::look_ahead(std::size_t turn) const {
  const auto for_far = [&](std::size_t later, auto visit) {
    if (later >= turns_.size()) return;
    if (found_[later].missing != 0) visit(at(later).line * spec_.l2.line_bytes);
    if (found_[later].victim_dirty != 0) visit(found_[later].victim * spec_.l2.line_bytes);
  };
  if (turn + kSetAhead < turns_.size()) __builtin_prefetch(at(turn + kSetAhead).request);
  for_far(turn + kLineAhead, [&](std::uint64_t address) { far_.prefetch(address); });
  for_far(turn + kFarAhead, [&](std::uint64_t address) { far_.prefetch_line(address); });
}

void MemorySystem::answer(std::size_t turn) {
  look_ahead(turn);
  const Asked& asked = at(turn);
  const auto number = static_cast<std::uint32_t>(turn);
  asked.request->back = channels_[asked.number]->serve(*asked.request, number, found_);
  if (!found_[turn].hit) brought_.push_back(asked.number);
}

void MemorySystem::serve_asked(WindowCrew& crew) {
  const auto writes_back = [&](std::size_t turn) {
    return at(turn).request->kind == MemoryRequest::Kind::kWriteBack;
  };
  if (turns_.empty()) return;
  found_.swap(found_before_);
  brought_.swap(brought_before_);
  found_.resize(turns_.size());
  // So many at a time that what is looked at twice stays in the host's caches. What an XCD writes
  // back is no longer dirty for those behind.
  for (std::size_t turn = 0; turn < turns_.size();) {
    const std::size_t most = std::min(turns_.size(), turn + kMostAtOnce);
    std::size_t end = turn;
    while (end < most && !writes_back(end)) ++end;
    look_up(turn, end, crew);
    const bool is_write_back = end < most;
    for (; turn < end; ++turn) answer(turn);
    if (!is_write_back) continue;
    const unsigned xcd = at(turn).number / spec_.l2.channels;
    at(turn).request->back = write_back(xcd, at(turn).request->time);
    ++turn;
  }
}

void MemorySystem::serve(std::span<MemoryPort* const> ports, WindowCrew& crew) {
  collect(ports, crew);
  look_if_due();
  serve_asked(crew);
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

void MemorySystem::take_contents(const MemorySystem& other) {
  far_.take_contents(other.far_);
  for (std::size_t i = 0; i < std::min(xcds_.size(), other.xcds_.size()); ++i) {
    std::vector<L2Channel>& own = xcds_[i]->channels;
    const std::vector<L2Channel>& others = other.xcds_[i]->channels;
    if (own.size() != others.size()) continue;
    for (std::size_t channel = 0; channel < own.size(); ++channel) {
      own[channel].tags().take(others[channel].tags());
    }
  }
}

void MemorySystem::start_launch(AddressRange arguments, const std::vector<AddressRange>& arrays) {
  busy_ = {};
  host_.start_launch(arguments);
  brought_.clear();
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
  std::vector<ArrayTally::Bytes> sum(hbm_arrays().size());
  for (const L2Channel* channel : channels_) {
    const std::vector<ArrayTally::Bytes>& bytes = channel->arrays().bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      sum[i].read += bytes[i].read;
      sum[i].written += bytes[i].written;
    }
  }
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
  if (l2_moments_.is_due(time)) look(time);
}

void MemorySystem::look(std::uint64_t time) {
  far_.look(time);
  const BusyCycles busy = count_busy();
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
  look(time);
  busy_ = count_busy();
  std::uint64_t end = time;
  for (auto& xcd : xcds_) {
    for (L2Channel& channel : xcd->channels) {
      end = std::max(end, channel.hand_over(time));
      // The next kernel reads everything anew (rocprofiler-compute vcopy workload: as many reads of
      // the fabric in every run).
      if (spec_.l2.write_back_at_end) channel.tags().invalidate();
    }
  }
  return end;
}

}  // namespace wavetank::timing
