#include "timing/caches/l2_channel.hpp"

#include <algorithm>
#include <vector>

namespace wavetank::timing {

L2Channel::L2Channel(const TimingSpec& spec, const AddressMap& map, FabricPort& fabric)
    : spec_(spec),
      map_(map),
      fabric_(fabric),
      to_l2_((spec.l2.hit_latency - spec.vmem.hit_latency) / 2),
      from_l2_(spec.l2.hit_latency - to_l2_),
      tags_(spec, map, fabric.host()) {}

void L2Channel::start_launch(const std::vector<AddressRange>& arrays) {
  tags_.start_launch();
  forget_window();
  arrays_.start_launch(arrays);
  cycles_.start_launch();
  counting_ = {};
  bytes_read_ = bytes_written_ = 0;
  small_cache_cycles_ = 0;
}

double L2Channel::cycles_of(const MemoryRequest& request) const {
  using Kind = MemoryRequest::Kind;
  switch (request.kind) {
    case Kind::kRead:
    case Kind::kSmallRead: break;
    case Kind::kWrite:
      return request.scope.whole_sectors ? spec_.l2.write_cycles : spec_.l2.partial_write_cycles;
    case Kind::kAtomic:
      if (goes_to_memory(request)) return 1;
      return std::max<double>(1.0 * request.amount * spec_.atomic.l2_cycles_per_operation, 1);
    case Kind::kWriteBack: return 0;
  }
  return read_cycles();
}

L2Lookup& L2Channel::look_up(const MemoryRequest& request, LinePlace place) {
  const auto number = static_cast<std::uint32_t>(window_.size());
  L2Lookup& found = window_.emplace_back(tags_.look_up(request, place, number));
  count(request, found);
  const bool is_small = request.kind == MemoryRequest::Kind::kSmallRead;
  found.served = cycles_.reserve(request.time + (is_small ? 0 : to_l2_), cycles_of(request));
  if (found.victim_dirty != 0) {
    counting_.wrote_back(false);
    cycles_.reserve(found.served, read_cycles());
  }
  return found;
}

void L2Channel::count(const MemoryRequest& request, const L2Lookup& found) {
  using Kind = MemoryRequest::Kind;
  switch (request.kind) {
    case Kind::kRead:
      counting_.asked(L2Request::kRead, request.scope.streaming);
      bytes_read_ += request.amount;
      arrays_.read(request.address, request.amount);
      break;
    case Kind::kSmallRead:
      if (!fabric_.host().leads_to(request.address)) {
        counting_.asked_by_small_cache();
      } else {
        counting_.asked_for_arguments(fabric_.host().l2_keeps());
      }
      small_cache_cycles_ += read_cycles();
      bytes_read_ += request.amount;
      arrays_.read(request.address, request.amount);
      break;
    case Kind::kWrite:
      counting_.asked(L2Request::kWrite, request.scope.streaming);
      bytes_written_ += written_bytes(request.amount);
      arrays_.wrote(request.address, written_bytes(request.amount));
      break;
    case Kind::kAtomic:
      counting_.asked(L2Request::kAtomic, false);
      if (spec_.atomic.at_memory) return;
      break;
    case Kind::kWriteBack: return;
  }
  if (found.evicted) counting_.evicted();
  counting_.answered(found.hit);
}

void L2Channel::ask(FabricRequest::Kind kind, std::uint64_t address, unsigned amount,
                    std::uint64_t time) {
  FabricRequest& request = asked_.emplace_back();
  request.kind = kind;
  request.amount = static_cast<std::uint16_t>(amount);
  request.address = address;
  request.time = time;
}

void L2Channel::send(std::uint64_t tag, std::uint8_t dirty, std::uint64_t time) {
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned sectors = (dirty >> (2 * half)) & 3u;
    if (sectors == 0) continue;
    ask(FabricRequest::Kind::kWrite, tag * spec_.l2.line_bytes + kHalfLineBytes * half,
        sectors == 3 ? kHalfLineBytes : kSectorBytes, time);
  }
}

void L2Channel::fetch(std::uint64_t line_address, std::uint8_t halves, std::uint64_t time) {
  const bool whole = halves == 3 && spec_.l2.request_read_bytes == 128;
  for (unsigned half = 0; half < 2; ++half) {
    if (((halves >> half) & 1) == 0 || (whole && half == 1)) continue;
    ask(FabricRequest::Kind::kRead, line_address + kHalfLineBytes * half,
        whole ? 2 * kHalfLineBytes : kHalfLineBytes, time);
  }
}

void L2Channel::ask(const MemoryRequest& request, const L2Lookup& found) {
  if (goes_to_memory(request)) {
    ask(FabricRequest::Kind::kAtomic, request.address, request.amount, found.served);
  }
  send(found.victim, found.victim_dirty, found.served);
  fetch(map_.line_begin(request.address), found.missing, found.served);
}

std::uint64_t L2Channel::taken(std::span<const FabricRequest> writes) {
  std::uint64_t end = 0;
  for (const FabricRequest& request : writes) {
    const std::uint64_t back = fabric_.back(request);
    counting_.sent(request.amount, back - request.sent);
    end = std::max(end, back);
  }
  return end;
}

std::uint64_t L2Channel::cleaned() {
  const std::uint64_t end = taken(asked_);
  asked_.clear();
  return end;
}

std::uint64_t L2Channel::fill(std::span<const FabricRequest> reads) {
  std::uint64_t arrived = 0;
  for (const FabricRequest& request : reads) {
    const std::uint64_t back = fabric_.back(request);
    counting_.fetched(request.amount, back - request.sent, request.to_host);
    // It is written by the port, as what CUs write.
    cycles_.reserve(back, spec_.l2.fill_cycles * request.amount / kHalfLineBytes);
    arrived = std::max(arrived, back);
  }
  return arrived;
}

std::uint64_t L2Channel::line_ready(const L2Lookup& found, std::span<const FabricRequest> asked) {
  const std::uint64_t here = found.found ? found.ready.cycle() : 0;
  const auto reads = std::ranges::find(asked, FabricRequest::Kind::kRead, &FabricRequest::kind);
  const auto writes = static_cast<std::size_t>(reads - asked.begin());
  // Victims wait for memory in a queue of the channel; when it is full, so does the newcomer.
  const std::uint64_t queue = spec_.l2.write_queue_cycles;
  const std::uint64_t sent = taken(asked.first(writes));
  const std::uint64_t room = sent > found.served + queue ? sent - queue : 0;
  return std::max({here, room, fill(asked.subspan(writes))});
}

void L2Channel::forget_window() {
  window_.clear();
  asked_.clear();
  asked_ends_.clear();
}

void L2Channel::end_window() {
  tags_.settle(window_);
  forget_window();
}

std::uint64_t L2Channel::end(std::uint32_t number, const MemoryRequest& request) {
  using Kind = MemoryRequest::Kind;
  L2Lookup& found = window_[number];
  const std::span<const FabricRequest> own = asked(number);
  if (goes_to_memory(request)) {
    const std::uint64_t back = fabric_.back(own.front());
    counting_.sent_atomic(back - own.front().sent);
    return back + from_l2_;
  }
  if (!found.ready.known()) found.ready = window_[found.ready.request()].ready;
  const std::uint64_t ready = line_ready(found, own);
  found.ready = Due::at(ready);
  const std::uint64_t has_line = std::max(found.served, ready);
  switch (request.kind) {
    case Kind::kRead:
      return has_line + from_l2_ +
             (request.scope.bypass_l2 ? spec_.l2.device_scope_latency - spec_.l2.hit_latency : 0);
    case Kind::kSmallRead: return has_line;
    case Kind::kWrite:
      return (found.hit ? found.served : has_line) + spec_.vmem.store_latency -
             std::min(spec_.vmem.store_latency, to_l2_);
    case Kind::kAtomic: return has_line + from_l2_;
    case Kind::kWriteBack: break;
  }
  return request.time;
}

void L2Channel::send_all(std::uint64_t& time, bool with_whole_cache) {
  const std::vector<L2Tags::Dirty> dirty = tags_.clean();
  asked_.reserve(asked_.size() + 2 * dirty.size());
  for (const L2Tags::Dirty& line : dirty) {
    counting_.wrote_back(with_whole_cache);
    cycles_.reserve(time, read_cycles());
    send(line.tag, line.sectors, time);
    time += spec_.fence.per_dirty_line;
  }
}

std::uint64_t L2Channel::write_back(std::uint64_t time) {
  if (tags_.is_clean()) return time;
  std::uint64_t at = time + to_l2_;
  send_all(at, true);
  return at + spec_.fence.clean_cycles();
}

std::uint64_t L2Channel::hand_over(std::uint64_t time) {
  send_all(time, spec_.l2.write_back_at_end);
  return time;
}

}  // namespace wavetank::timing
