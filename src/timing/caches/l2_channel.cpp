#include "timing/caches/l2_channel.hpp"

#include <algorithm>
#include <vector>

namespace wavetank::timing {
namespace {

constexpr unsigned kSectorBytes = 32, kHalfBytes = 64;

}  // namespace

L2Channel::L2Channel(const TimingSpec& spec, const AddressMap& map, FabricPort& fabric)
    : spec_(spec),
      map_(map),
      fabric_(fabric),
      to_l2_((spec.l2.hit_latency - spec.vmem.hit_latency) / 2),
      from_l2_(spec.l2.hit_latency - to_l2_),
      tags_(spec.l2.bytes / spec.l2.channels / spec.l2.line_bytes, spec.l2.ways) {}

void L2Channel::start_launch() {
  tags_.for_each([](CacheLine& line) { line.ready = {}; });
  cycles_.start_launch();
  counting_ = {};
  bytes_read_ = bytes_written_ = small_cache_cycles_ = 0;
}

void L2Channel::invalidate() {
  tags_.invalidate();
  dirty_lines_ = 0;
}

std::uint64_t L2Channel::send(const CacheLine& line, std::uint64_t time, bool with_whole_cache) {
  if (line.dirty == 0) return time;
  const std::uint64_t line_address = line.tag * spec_.l2.line_bytes;
  --dirty_lines_;
  counting_.wrote_back(with_whole_cache);
  std::uint64_t end = time;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned sectors = (line.dirty >> (2 * half)) & 3u;
    if (sectors == 0) continue;
    const unsigned bytes = sectors == 3 ? kHalfBytes : kSectorBytes;
    cycles_.reserve(time, read_cycles(bytes));
    const auto passage = fabric_.write(line_address + kHalfBytes * half, bytes, time);
    counting_.sent(bytes, passage.done - passage.sent);
    end = std::max(end, passage.done);
  }
  return end;
}

CacheLine& L2Channel::line_for(std::uint64_t address, bool& hit, std::uint64_t time) {
  const std::uint64_t tag = map_.line(address), set = map_.l2_set(address);
  CacheLine* const found = tags_.find(set, tag);
  hit = found != nullptr;
  if (found != nullptr) return *found;
  CacheLine evicted;
  CacheLine& line = tags_.replace(set, tag, evicted);
  if (evicted.tag != CacheLine::kNone) {
    counting_.evicted();
    const std::uint64_t sent = send(evicted, time, false);
    // Victims wait for memory in a queue of the channel; when it is full, so does the newcomer.
    const std::uint64_t queue = spec_.l2.write_queue_cycles;
    if (evicted.dirty != 0 && sent > time + queue) line.ready = Due::at(sent - queue);
  }
  return line;
}

std::uint64_t L2Channel::fetch(std::uint64_t line_address, std::uint8_t halves,
                               std::uint64_t time) {
  const bool from_host = fabric_.host().leads_to(line_address);
  const bool whole = halves == 3 && spec_.l2.request_read_bytes == 128;
  std::uint64_t arrived = 0;
  if (spec_.l2.dies_share && fabric_.is_in_mall(line_address)) return time;
  for (unsigned half = 0; half < 2; ++half) {
    if (((halves >> half) & 1) == 0 || (whole && half == 1)) continue;
    const unsigned bytes = whole ? 2 * kHalfBytes : kHalfBytes;
    const auto passage = fabric_.read(line_address + kHalfBytes * half, bytes, time);
    counting_.fetched(bytes, passage.done - passage.sent, from_host);
    // It is written by the port, as what CUs write.
    cycles_.reserve(passage.done, spec_.l2.write_cycles * bytes / kHalfBytes);
    arrived = std::max(arrived, passage.done);
  }
  return arrived;
}

void L2Channel::fill(CacheLine& line, std::uint64_t address, unsigned bytes, Fill what,
                     std::uint64_t time) {
  constexpr unsigned kBoth = 3;
  const unsigned wanted = bytes > kHalfBytes ? kBoth : 1u << (address / kHalfBytes % 2);
  const bool hit = (wanted & ~line.valid) == 0;
  counting_.answered(hit);
  if (hit) return;
  const unsigned brought = what == Fill::kWholeLine ? kBoth : wanted;
  const auto missing = static_cast<std::uint8_t>(brought & ~line.valid);
  line.ready =
      Due::at(std::max(line.ready.cycle(), fetch(map_.line_begin(address), missing, time)));
  if (keeps(address)) line.valid |= missing;
}

void L2Channel::mark_dirty(CacheLine& line, std::uint8_t sectors) {
  if (line.dirty == 0) ++dirty_lines_;
  line.dirty |= sectors;
}

std::uint64_t L2Channel::serve(const MemoryRequest& request) {
  using Kind = MemoryRequest::Kind;
  const auto& [kind, amount, scope, address, time, back] = request;
  switch (kind) {
    case Kind::kRead: return read(address, amount, time, scope);
    case Kind::kSmallRead: return read_through(address, amount, time);
    case Kind::kWrite: return write(address, static_cast<std::uint8_t>(amount), time, scope);
    case Kind::kAtomic: return atomic(address, amount, time);
    case Kind::kWriteBack: break;
  }
  return time;
}

std::uint64_t L2Channel::read(std::uint64_t address, unsigned bytes, std::uint64_t time,
                              AccessScope scope) {
  const std::uint64_t served = cycles_.reserve(time + to_l2_, read_cycles(bytes));
  counting_.asked(L2Request::kRead, scope.streaming);
  bytes_read_ += bytes;
  bool hit = false;
  CacheLine& line = line_for(address, hit, served);
  fill(line, address, bytes, Fill::kWholeLine, served);
  if (scope.streaming) tags_.let_go(line);
  std::uint64_t back = std::max(served, line.ready.cycle()) + from_l2_;
  if (scope.bypass_l2) back += spec_.l2.device_scope_latency - spec_.l2.hit_latency;
  return back;
}

std::uint64_t L2Channel::write(std::uint64_t address, std::uint8_t sectors, std::uint64_t time,
                               AccessScope scope) {
  const double cycles = scope.whole_sectors ? spec_.l2.write_cycles : spec_.l2.partial_write_cycles;
  const std::uint64_t served = cycles_.reserve(time + to_l2_, cycles);
  counting_.asked(L2Request::kWrite, scope.streaming);
  bytes_written_ += written_bytes(sectors);
  bool hit = false;
  CacheLine& line = line_for(address, hit, served);
  counting_.answered(hit);
  const std::uint64_t accepted = hit ? served : std::max(served, line.ready.cycle());
  mark_dirty(line, static_cast<std::uint8_t>(sectors << (address / kSectorBytes % 4)));
  for (unsigned half = 0; half < 2; ++half) {
    if (((line.dirty >> (2 * half)) & 3) == 3) {
      line.valid |= static_cast<std::uint8_t>(1u << half);
    }
  }
  if (scope.streaming) tags_.let_go(line);
  return accepted + spec_.vmem.store_latency - std::min(spec_.vmem.store_latency, to_l2_);
}

std::uint64_t L2Channel::atomic(std::uint64_t address, unsigned deepest, std::uint64_t time) {
  counting_.asked(L2Request::kAtomic, false);
  const std::uint64_t cycles = std::uint64_t{deepest} * spec_.atomic.l2_cycles_per_operation;
  const std::uint64_t served =
      cycles_.reserve(time + to_l2_, static_cast<double>(std::max<std::uint64_t>(cycles, 1)));
  // Agent scope spans several L2s there: every atomic of a wave goes to the memory side.
  if (spec_.atomic.at_memory) {
    const auto passage = fabric_.atomic(address, deepest, served);
    counting_.sent_atomic(passage.done - passage.sent);
    return passage.done + from_l2_;
  }
  bool hit = false;
  CacheLine& line = line_for(address, hit, served);
  fill(line, address, kHalfBytes, Fill::kWholeLine, served);
  mark_dirty(line, static_cast<std::uint8_t>(1u << (address / kSectorBytes % 4)));
  return std::max(served, line.ready.cycle()) + from_l2_;
}

std::uint64_t L2Channel::read_through(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  const std::uint64_t served = cycles_.reserve(time, read_cycles(bytes));
  if (!fabric_.host().leads_to(address)) {
    counting_.asked_by_small_cache();
  } else {
    counting_.asked_for_arguments(fabric_.host().l2_keeps());
  }
  small_cache_cycles_ += read_cycles(bytes);
  bytes_read_ += bytes;
  bool hit = false;
  CacheLine& line = line_for(address, hit, served);
  fill(line, address, bytes, Fill::kAskedFor, served);
  return std::max(served, line.ready.cycle());
}

std::uint64_t L2Channel::send_all(std::uint64_t& time, bool with_whole_cache) {
  // Lines from which on the host brings what memory will look at, in two steps.
  constexpr std::size_t kSetAhead = 8, kLineAhead = 4;
  std::uint64_t end = time;
  if (dirty_lines_ == 0) return end;
  std::vector<CacheLine*> dirty;
  dirty.reserve(dirty_lines_);
  tags_.for_each([&](CacheLine& line) {
    if (line.dirty != 0) dirty.push_back(&line);
  });
  const auto address_of = [&](std::size_t i) { return dirty[i]->tag * spec_.l2.line_bytes; };
  for (std::size_t i = 0; i < dirty.size(); ++i) {
    if (i + kSetAhead < dirty.size()) fabric_.prefetch(address_of(i + kSetAhead));
    if (i + kLineAhead < dirty.size()) fabric_.prefetch_line(address_of(i + kLineAhead));
    end = std::max(end, send(*dirty[i], time, with_whole_cache));
    dirty[i]->dirty = 0;
    time += spec_.fence.per_dirty_line;
  }
  return end;
}

std::uint64_t L2Channel::write_back(std::uint64_t time) {
  if (dirty_lines_ == 0) return time;
  std::uint64_t at = time + to_l2_;
  const std::uint64_t end = send_all(at, true);
  return std::max(end, at + spec_.fence.clean_cycles());
}

std::uint64_t L2Channel::hand_over(std::uint64_t time) {
  send_all(time, spec_.l2.write_back_at_end);
  return time;
}

}  // namespace wavetank::timing
