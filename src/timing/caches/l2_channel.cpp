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
  arrays_.start_launch(arrays);
  cycles_.start_launch();
  counting_ = {};
  bytes_read_ = bytes_written_ = 0;
  small_cache_cycles_ = 0;
}

L2Lookup L2Channel::look_up(const MemoryRequest& request, LinePlace place, std::uint32_t number) {
  const L2Lookup found = tags_.look_up(request, place, number);
  count(request, found);
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

std::uint64_t L2Channel::send(std::uint64_t tag, std::uint8_t dirty, std::uint64_t time,
                              bool with_whole_cache) {
  const std::uint64_t line_address = tag * spec_.l2.line_bytes;
  counting_.wrote_back(with_whole_cache);
  cycles_.reserve(time, read_cycles());
  std::uint64_t end = time;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned sectors = (dirty >> (2 * half)) & 3u;
    if (sectors == 0) continue;
    const unsigned bytes = sectors == 3 ? kHalfLineBytes : kSectorBytes;
    const auto passage = fabric_.write(line_address + kHalfLineBytes * half, bytes, time);
    counting_.sent(bytes, passage.done - passage.sent);
    end = std::max(end, passage.done);
  }
  return end;
}

std::uint64_t L2Channel::fetch(std::uint64_t line_address, std::uint8_t halves,
                               std::uint64_t time) {
  const bool from_host = fabric_.host().leads_to(line_address);
  const bool whole = halves == 3 && spec_.l2.request_read_bytes == 128;
  std::uint64_t arrived = 0;
  if (spec_.l2.dies_share && fabric_.is_in_mall(line_address)) return time;
  for (unsigned half = 0; half < 2; ++half) {
    if (((halves >> half) & 1) == 0 || (whole && half == 1)) continue;
    const unsigned bytes = whole ? 2 * kHalfLineBytes : kHalfLineBytes;
    const auto passage = fabric_.read(line_address + kHalfLineBytes * half, bytes, time);
    counting_.fetched(bytes, passage.done - passage.sent, from_host);
    // It is written by the port, as what CUs write.
    cycles_.reserve(passage.done, spec_.l2.fill_cycles * bytes / kHalfLineBytes);
    arrived = std::max(arrived, passage.done);
  }
  return arrived;
}

void L2Channel::bring(std::uint64_t address, std::uint64_t time, L2Lookup& found) {
  std::uint64_t ready = found.found ? found.ready.cycle() : 0;
  if (found.evicted && found.victim_dirty != 0) {
    const std::uint64_t sent = send(found.victim, found.victim_dirty, time, false);
    // Victims wait for memory in a queue of the channel; when it is full, so does the newcomer.
    const std::uint64_t queue = spec_.l2.write_queue_cycles;
    if (sent > time + queue) ready = sent - queue;
  }
  if (found.missing != 0) {
    ready = std::max(ready, fetch(map_.line_begin(address), found.missing, time));
  }
  found.ready = Due::at(ready);
}

std::uint64_t L2Channel::serve(const MemoryRequest& request, std::uint32_t number,
                               std::span<L2Lookup> window) {
  using Kind = MemoryRequest::Kind;
  L2Lookup& found = window[number];
  if (!found.ready.known()) found.ready = window[found.ready.request()].ready;
  switch (request.kind) {
    case Kind::kRead: return read(request, found);
    case Kind::kSmallRead: return read_through(request, found);
    case Kind::kWrite: return write(request, found);
    case Kind::kAtomic: return atomic(request, found);
    case Kind::kWriteBack: break;
  }
  return request.time;
}

std::uint64_t L2Channel::read(const MemoryRequest& request, L2Lookup& found) {
  const std::uint64_t served = cycles_.reserve(request.time + to_l2_, read_cycles());
  bring(request.address, served, found);
  std::uint64_t back = std::max(served, found.ready.cycle()) + from_l2_;
  if (request.scope.bypass_l2) back += spec_.l2.device_scope_latency - spec_.l2.hit_latency;
  return back;
}

std::uint64_t L2Channel::write(const MemoryRequest& request, L2Lookup& found) {
  const bool whole = request.scope.whole_sectors;
  const double cycles = whole ? spec_.l2.write_cycles : spec_.l2.partial_write_cycles;
  const std::uint64_t served = cycles_.reserve(request.time + to_l2_, cycles);
  bring(request.address, served, found);
  const std::uint64_t accepted = found.hit ? served : std::max(served, found.ready.cycle());
  return accepted + spec_.vmem.store_latency - std::min(spec_.vmem.store_latency, to_l2_);
}

std::uint64_t L2Channel::atomic(const MemoryRequest& request, L2Lookup& found) {
  const unsigned deepest = request.amount;
  const std::uint64_t cycles = std::uint64_t{deepest} * spec_.atomic.l2_cycles_per_operation;
  const std::uint64_t served = cycles_.reserve(
      request.time + to_l2_, static_cast<double>(std::max<std::uint64_t>(cycles, 1)));
  // Agent scope spans several L2s there: every atomic of a wave goes to the memory side.
  if (spec_.atomic.at_memory) {
    const auto passage = fabric_.atomic(request.address, deepest, served);
    counting_.sent_atomic(passage.done - passage.sent);
    return passage.done + from_l2_;
  }
  bring(request.address, served, found);
  return std::max(served, found.ready.cycle()) + from_l2_;
}

std::uint64_t L2Channel::read_through(const MemoryRequest& request, L2Lookup& found) {
  const std::uint64_t served = cycles_.reserve(request.time, read_cycles());
  bring(request.address, served, found);
  return std::max(served, found.ready.cycle());
}

std::uint64_t L2Channel::send_all(std::uint64_t& time, bool with_whole_cache) {
  // Lines from which on the host brings what memory will look at, in two steps.
  constexpr std::size_t kSetAhead = 8, kLineAhead = 4;
  const std::vector<L2Tags::Dirty> lines = tags_.clean();
  const auto address_of = [&](std::size_t i) { return lines[i].tag * spec_.l2.line_bytes; };
  std::uint64_t end = time;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + kSetAhead < lines.size()) fabric_.prefetch(address_of(i + kSetAhead));
    if (i + kLineAhead < lines.size()) fabric_.prefetch_line(address_of(i + kLineAhead));
    end = std::max(end, send(lines[i].tag, lines[i].sectors, time, with_whole_cache));
    time += spec_.fence.per_dirty_line;
  }
  return end;
}

std::uint64_t L2Channel::write_back(std::uint64_t time) {
  if (tags_.is_clean()) return time;
  std::uint64_t at = time + to_l2_;
  const std::uint64_t end = send_all(at, true);
  return std::max(end, at + spec_.fence.clean_cycles());
}

std::uint64_t L2Channel::hand_over(std::uint64_t time) {
  send_all(time, spec_.l2.write_back_at_end);
  return time;
}

}  // namespace wavetank::timing
