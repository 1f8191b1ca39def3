#include "timing/memory_system.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {
namespace {

constexpr unsigned kSectorBytes = 32;
/// Fragment that one entry of the translation cache covers (amdgpu driver: 2 MiB fragments).

/// Spreads the upper address bits over the channel number, as the hardware's undocumented hash
/// does.
std::uint64_t fold(std::uint64_t block, unsigned bits) {
  if (bits == 0) return 0;
  std::uint64_t folded = block & ((std::uint64_t{1} << 40) - 1);
  for (unsigned width = 40; width > bits; width = (width + 1) / 2) {
    const unsigned half = std::max((width + 1) / 2, bits);
    folded ^= folded >> half;
    folded &= (std::uint64_t{1} << half) - 1;
    if (half == bits) break;
  }
  return folded;
}

unsigned bits_of(std::uint32_t power_of_two) {
  return static_cast<unsigned>(std::bit_width(power_of_two) - 1);
}

}  // namespace

MemorySystem::MemorySystem(const TimingSpec& spec)
    : spec_(spec), counters_(std::size_t{spec.xcds} * spec.l2.channels) {
  to_l2_ = (spec.l2.hit_latency - spec.vmem.hit_latency) / 2;
  from_l2_ = spec.l2.hit_latency - to_l2_;
  const std::uint32_t first_far = spec.mall.bytes != 0 ? spec.mall.hit_latency : spec.hbm.latency;
  to_far_ = (first_far - spec.l2.hit_latency) / 2;
  from_far_ = first_far - spec.l2.hit_latency - to_far_;
  mall_extra_ = spec.mall.bytes != 0 ? spec.hbm.latency - spec.mall.hit_latency : 0;
  xcds_.reserve(spec.xcds);
  const std::uint32_t lines = spec.l2.bytes / spec.l2.channels / spec.l2.line_bytes;
  for (unsigned i = 0; i < spec.xcds; ++i) {
    // Which line the L2 replaces is not published. A 7-point stencil of 512^3 doubles reads 2.01 GB
    // on an MI250X die (amd-lab-notes, finite difference): the least recently used would leave
    // 1.43 GB, any line at random 2.18 GB.
    Xcd xcd{std::vector<TagCache>(spec.l2.channels,
                                  TagCache(lines, spec.l2.ways, Replacement::kRandom)),
            {},
            {},
            Bandwidth(1.0),
            std::vector<std::uint64_t>(spec.l2.channels),
            std::vector<std::uint64_t>(spec.hbm.tlb_reach_bytes / kTlbPageBytes, ~std::uint64_t{0}),
            std::vector<std::uint32_t>(spec.hbm.tlb_reach_bytes / kTlbPageBytes),
            0};
    xcds_.push_back(std::move(xcd));
  }
  if (spec.mall.bytes != 0) {
    const auto slice_lines =
        static_cast<std::uint32_t>(spec.mall.bytes / spec.mall.slices / spec.l2.line_bytes);
    mall_tags_.assign(spec.mall.slices, TagCache(slice_lines, spec.mall.ways));
  }
  const HbmChannel::Spec channel{spec.hbm.peak_bytes_per_cycle / spec.hbm.channels,
                                 spec.hbm.read_efficiency,
                                 spec.hbm.write_efficiency,
                                 spec.hbm.turnaround,
                                 spec.hbm.banks,
                                 spec.hbm.gathered_pages,
                                 spec.hbm.page_bytes,
                                 spec.hbm.page_miss_cycles};
  hbm_.assign(spec.hbm.channels, HbmChannel(channel));
  reset_ports();
}

void MemorySystem::reset_ports() {
  for (Xcd& xcd : xcds_) {
    xcd.read_port.assign(spec_.l2.channels,
                         Bandwidth(spec_.l2.read_bytes_per_cycle * spec_.l2.read_efficiency));
    xcd.write_port.assign(spec_.l2.channels, Bandwidth(spec_.l2.write_bytes_per_cycle));
    xcd.fabric = Bandwidth(1.0);
  }
  if (spec_.mall.bytes != 0) {
    mall_ports_.assign(spec_.mall.slices, Bandwidth(spec_.mall.bytes_per_cycle));
  }
  for (HbmChannel& channel : hbm_) channel.start_launch();
}

void MemorySystem::pass_unseen(double l2_fill_bytes, double far_bytes) {
  if (l2_fill_bytes > static_cast<double>(spec_.l2.bytes) * spec_.xcds) {
    for (Xcd& xcd : xcds_) {
      for (TagCache& channel : xcd.channels) channel.invalidate();
      std::fill(xcd.dirty_lines.begin(), xcd.dirty_lines.end(), 0);
    }
  }
  if (far_bytes > static_cast<double>(spec_.mall.bytes)) {
    for (TagCache& slice : mall_tags_) slice.invalidate();
  }
}

void MemorySystem::start_launch() {
  reset_ports();
  for (Xcd& xcd : xcds_) {
    for (TagCache& channel : xcd.channels) {
      channel.for_each([](std::uint64_t, CacheLine& line) { line.ready = 0; });
    }
  }
  for (ChannelCounters& bank : counters_) bank.clear();
  traffic_ = {};
}

MemorySystem::BusyCycles MemorySystem::busy_cycles() const {
  const auto cycles_of = [](const Bandwidth& port) {
    return port.passed() / port.units_per_cycle();
  };
  BusyCycles busy;
  double reading = 0, writing = 0;
  for (const Xcd& xcd : xcds_) {
    for (const Bandwidth& port : xcd.read_port) reading += cycles_of(port);
    for (const Bandwidth& port : xcd.write_port) writing += cycles_of(port);
    busy.fabric += cycles_of(xcd.fabric) / spec_.xcds;
  }
  busy.l2 = std::max(reading, writing) / (1.0 * spec_.l2.channels * spec_.xcds);
  for (const Bandwidth& port : mall_ports_) busy.mall += cycles_of(port) / spec_.mall.slices;
  for (const HbmChannel& channel : hbm_) busy.hbm += channel.busy_cycles() / spec_.hbm.channels;
  return busy;
}

unsigned MemorySystem::channel_of(std::uint64_t address) const {
  const std::uint64_t block = address / spec_.l2.interleave_bytes;
  return static_cast<unsigned>(fold(block, bits_of(spec_.l2.channels)) % spec_.l2.channels);
}

std::uint64_t MemorySystem::place_in_channel(std::uint64_t address) const {
  const std::uint64_t block = address / spec_.l2.interleave_bytes;
  return block / spec_.hbm.channels * spec_.l2.interleave_bytes +
         address % spec_.l2.interleave_bytes;
}

std::uint64_t MemorySystem::set_of(std::uint64_t address) const {
  const std::uint64_t block = address / spec_.l2.interleave_bytes;
  const std::uint64_t lines = spec_.l2.interleave_bytes / spec_.l2.line_bytes;
  const std::uint64_t line = address / spec_.l2.line_bytes % lines;
  // Workgroups go round the XCDs, so that the low bits are the same for all that one XCD touches:
  // the upper ones are folded in.
  std::uint64_t row = block / spec_.l2.channels;
  row ^= row >> 2;
  row ^= row >> 5;
  return row * lines + line;
}

std::uint64_t MemorySystem::translation_delay(Xcd& xcd, std::uint64_t address) {
  if (xcd.translations.empty()) return 0;
  const std::uint64_t page = address / kTlbPageBytes;
  std::size_t victim = 0;
  for (std::size_t i = 0; i < xcd.translations.size(); ++i) {
    if (xcd.translations[i] == page) {
      xcd.translation_use[i] = ++xcd.translation_clock;
      return 0;
    }
    if (xcd.translation_use[i] < xcd.translation_use[victim]) victim = i;
  }
  xcd.translations[victim] = page;
  xcd.translation_use[victim] = ++xcd.translation_clock;
  return spec_.hbm.far_latency - spec_.hbm.latency;
}

std::uint64_t MemorySystem::beyond_read(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  const std::uint64_t block = address / spec_.l2.interleave_bytes;
  if (spec_.mall.bytes != 0) {
    const auto slice =
        static_cast<unsigned>(fold(block, bits_of(spec_.mall.slices)) % spec_.mall.slices);
    ++traffic_.mall_requests;
    const std::uint64_t served = mall_ports_[slice].reserve(time, bytes);
    const std::uint64_t tag = address / spec_.l2.line_bytes;
    TagCache& tags = mall_tags_[slice];
    const std::uint64_t set = block / spec_.mall.slices * 2 + tag % 2;
    if (tags.find(set, tag) != nullptr) {
      ++traffic_.mall_hits;
      return served;
    }
    std::uint64_t evicted_tag;
    CacheLine evicted;
    tags.replace(set, tag, evicted_tag, evicted);
    time = served + mall_extra_;
  }
  traffic_.hbm_read += bytes;
  const auto channel =
      static_cast<unsigned>(fold(block, bits_of(spec_.hbm.channels)) % spec_.hbm.channels);
  return hbm_[channel].read(time, bytes, place_in_channel(address));
}

std::uint64_t MemorySystem::beyond_write(std::uint64_t address, unsigned bytes,
                                         std::uint64_t time) {
  const std::uint64_t block = address / spec_.l2.interleave_bytes;
  if (spec_.mall.bytes != 0) {
    const auto slice =
        static_cast<unsigned>(fold(block, bits_of(spec_.mall.slices)) % spec_.mall.slices);
    time = mall_ports_[slice].reserve(time, bytes);
    const std::uint64_t tag = address / spec_.l2.line_bytes;
    const std::uint64_t set = block / spec_.mall.slices * 2 + tag % 2;
    if (mall_tags_[slice].find(set, tag) == nullptr) {
      std::uint64_t evicted_tag;
      CacheLine evicted;
      mall_tags_[slice].replace(set, tag, evicted_tag, evicted);
    }
  }
  traffic_.hbm_written += bytes;
  const auto channel =
      static_cast<unsigned>(fold(block, bits_of(spec_.hbm.channels)) % spec_.hbm.channels);
  return hbm_[channel].write(time, bytes);
}

std::uint64_t MemorySystem::evict(unsigned xcd, unsigned channel, std::uint64_t tag,
                                  const CacheLine& line, std::uint64_t time, bool by_write_back) {
  ChannelCounters& bank = counters(xcd, channel);
  if (line.dirty == 0) return time;
  std::uint64_t end = time;
  --xcds_[xcd].dirty_lines[channel];
  bank.add(ChannelCounter::kWriteback);
  bank.add(by_write_back ? ChannelCounter::kAllTcOpWbWriteback : ChannelCounter::kNormalWriteback);
  const std::uint64_t address = tag * spec_.l2.line_bytes;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned sectors = (line.dirty >> (2 * half)) & 3u;
    if (sectors == 0) continue;
    const unsigned bytes = sectors == 3 ? 2 * kSectorBytes : kSectorBytes;
    bank.add(ChannelCounter::kEaWrreq);
    bank.add(ChannelCounter::kEaWrreqDram);
    if (sectors == 3) bank.add(ChannelCounter::kEaWrreq64B);
    const std::uint64_t sent =
        xcds_[xcd].fabric.reserve(time, bytes / spec_.fabric_write_bytes_per_cycle);
    const std::uint64_t done = beyond_write(address + 64 * half, bytes, sent + to_far_);
    bank.add(ChannelCounter::kEaWrreqLevel, done - sent);
    traffic_.fabric_written += bytes;
    end = std::max(end, done);
  }
  return end;
}

CacheLine& MemorySystem::line_for(unsigned xcd, unsigned channel, std::uint64_t line_address,
                                  bool& hit, std::uint64_t time) {
  TagCache& tags = xcds_[xcd].channels[channel];
  const std::uint64_t tag = line_address / spec_.l2.line_bytes;
  const std::uint64_t set = set_of(line_address);
  CacheLine* const found = tags.find(set, tag);
  hit = found != nullptr;
  if (found != nullptr) return *found;
  std::uint64_t evicted_tag;
  CacheLine evicted;
  CacheLine& line = tags.replace(set, tag, evicted_tag, evicted);
  if (evicted_tag != TagCache::kNone) {
    counters(xcd, channel).add(ChannelCounter::kNormalEvict);
    const std::uint64_t sent = evict(xcd, channel, evicted_tag, evicted, time, false);
    // Victims wait for memory in a queue of the channel; when it is full, so does the newcomer.
    const std::uint64_t queue = spec_.l2.write_queue_cycles;
    if (evicted.dirty != 0 && sent > time + queue) line.ready = sent - queue;
  }
  return line;
}

std::uint64_t MemorySystem::fetch(unsigned xcd, unsigned channel, std::uint64_t line_address,
                                  std::uint8_t halves, std::uint64_t time) {
  ChannelCounters& bank = counters(xcd, channel);
  const std::uint64_t translated = time + translation_delay(xcds_[xcd], line_address);
  const bool whole = halves == 3 && spec_.l2.request_read_bytes == 128;
  std::uint64_t arrived = 0;
  for (unsigned half = 0; half < 2; ++half) {
    if (((halves >> half) & 1) == 0 || (whole && half == 1)) continue;
    const unsigned bytes = whole ? 128 : 64;
    bank.add(ChannelCounter::kEaRdreq);
    bank.add(ChannelCounter::kEaRdreqDram);
    if (whole) bank.add(ChannelCounter::kBubble);
    const std::uint64_t sent =
        xcds_[xcd].fabric.reserve(translated, bytes / spec_.fabric_read_bytes_per_cycle);
    const std::uint64_t done =
        beyond_read(line_address + 64 * half, bytes, sent + to_far_) + from_far_;
    bank.add(ChannelCounter::kEaRdreqLevel, done - sent);
    traffic_.fabric_read += bytes;
    arrived = std::max(arrived, done);
  }
  return arrived;
}

std::uint64_t MemorySystem::read(unsigned xcd, std::uint64_t address, unsigned bytes,
                                 std::uint64_t time, AccessScope scope) {
  const unsigned channel = channel_of(address);
  const std::uint64_t line_address = address / spec_.l2.line_bytes * spec_.l2.line_bytes;
  ChannelCounters& bank = counters(xcd, channel);
  const std::uint64_t served =
      xcds_[xcd].read_port[channel].reserve(time + to_l2_, std::max(bytes, 64u));
  bank.add(ChannelCounter::kReq);
  bank.add(ChannelCounter::kRead);
  bank.add(scope.streaming ? ChannelCounter::kStreamingReq : ChannelCounter::kRwReq);
  traffic_.l2_read += bytes;
  ++traffic_.l2_requests;
  bool hit = false;
  CacheLine& line = line_for(xcd, channel, line_address, hit, served);
  // gfx942 reads whole lines from memory, gfx90a the half that was asked for.
  std::uint8_t wanted = spec_.l2.request_read_bytes == 128 ? 3 : 0;
  if (wanted == 0) {
    wanted = static_cast<std::uint8_t>(1u << (address / 64 % 2));
    if (bytes > 64) wanted = 3;
  }
  const auto missing = static_cast<std::uint8_t>(wanted & ~line.valid);
  if (missing == 0) {
    bank.add(ChannelCounter::kHit);
    ++traffic_.l2_hits;
  } else {
    bank.add(ChannelCounter::kMiss);
    line.ready = std::max(line.ready, fetch(xcd, channel, line_address, missing, served));
    line.valid |= missing;
  }
  if (scope.streaming) line.last_use = 0;
  std::uint64_t back = std::max(served, line.ready) + from_l2_;
  if (scope.bypass_l2) back += spec_.l2.device_scope_latency - spec_.l2.hit_latency;
  return back;
}

std::uint64_t MemorySystem::write(unsigned xcd, std::uint64_t address, std::uint8_t sectors,
                                  std::uint64_t time, AccessScope scope) {
  const unsigned channel = channel_of(address);
  const std::uint64_t line_address = address / spec_.l2.line_bytes * spec_.l2.line_bytes;
  ChannelCounters& bank = counters(xcd, channel);
  const unsigned bytes = kSectorBytes * static_cast<unsigned>(std::popcount(sectors));
  const double passes = scope.whole_sectors ? 1 : spec_.l2.partial_write_cycles;
  const std::uint64_t served = xcds_[xcd].write_port[channel].reserve(
      time + to_l2_, passes * spec_.l2.write_bytes_per_cycle);
  bank.add(ChannelCounter::kReq);
  bank.add(ChannelCounter::kWrite);
  bank.add(scope.streaming ? ChannelCounter::kStreamingReq : ChannelCounter::kRwReq);
  traffic_.l2_written += bytes;
  ++traffic_.l2_requests;
  bool hit = false;
  CacheLine& line = line_for(xcd, channel, line_address, hit, served);
  bank.add(hit ? ChannelCounter::kHit : ChannelCounter::kMiss);
  if (hit) ++traffic_.l2_hits;
  const std::uint64_t accepted = hit ? served : std::max(served, line.ready);
  if (line.dirty == 0) ++xcds_[xcd].dirty_lines[channel];
  const auto first = static_cast<unsigned>(address / kSectorBytes % 4);
  line.dirty |= static_cast<std::uint8_t>(sectors << first);
  for (unsigned half = 0; half < 2; ++half) {
    if (((line.dirty >> (2 * half)) & 3) == 3) {
      line.valid |= static_cast<std::uint8_t>(1u << half);
    }
  }
  if (scope.streaming) line.last_use = 0;
  return accepted + spec_.vmem.store_latency - std::min(spec_.vmem.store_latency, to_l2_);
}

std::uint64_t MemorySystem::atomic(unsigned xcd, std::uint64_t address, unsigned operations,
                                   unsigned deepest, bool device_scope, std::uint64_t time) {
  const unsigned channel = channel_of(address);
  ChannelCounters& bank = counters(xcd, channel);
  bank.add(ChannelCounter::kReq);
  bank.add(ChannelCounter::kAtomic);
  ++traffic_.l2_requests;
  const std::uint64_t cycles = std::uint64_t{deepest} * spec_.atomic.l2_cycles_per_operation;
  const auto service =
      static_cast<double>(std::max<std::uint64_t>(cycles, 1) * spec_.l2.read_bytes_per_cycle);
  const std::uint64_t served = xcds_[xcd].read_port[channel].reserve(time + to_l2_, service);
  if (device_scope && spec_.atomic.at_memory) {
    bank.add(ChannelCounter::kEaAtomic);
    const std::uint64_t block = address / spec_.l2.interleave_bytes;
    const auto slice =
        static_cast<unsigned>(fold(block, bits_of(spec_.hbm.channels)) % spec_.hbm.channels);
    // One request is a few cycles of the slice; lanes that want the same address queue behind it.
    const double cycles_at_slice =
        spec_.atomic.memory_side_request_cycles +
        static_cast<double>(deepest - 1) * spec_.atomic.memory_side_cycles_per_operation;
    const std::uint64_t done = mall_ports_[slice % spec_.mall.slices].reserve(
        served, cycles_at_slice * spec_.mall.bytes_per_cycle);
    bank.add(ChannelCounter::kEaAtomicLevel, done + spec_.atomic.memory_side_latency - served);
    traffic_.fabric_read += 64;
    return done + spec_.atomic.memory_side_latency + from_l2_;
  }
  bool hit = false;
  const std::uint64_t line_address = address / spec_.l2.line_bytes * spec_.l2.line_bytes;
  CacheLine& line = line_for(xcd, channel, line_address, hit, served);
  const auto half = static_cast<std::uint8_t>(1u << (address / 64 % 2));
  if ((line.valid & half) == 0) {
    bank.add(ChannelCounter::kMiss);
    line.ready = std::max(line.ready, fetch(xcd, channel, line_address, half, served));
    line.valid |= half;
  } else {
    bank.add(ChannelCounter::kHit);
    ++traffic_.l2_hits;
  }
  if (line.dirty == 0) ++xcds_[xcd].dirty_lines[channel];
  line.dirty |= static_cast<std::uint8_t>(1u << (address / kSectorBytes % 4));
  return std::max(served, line.ready) + from_l2_;
}

std::uint64_t MemorySystem::read_through(unsigned xcd, std::uint64_t address, unsigned bytes,
                                         std::uint64_t time) {
  const unsigned channel = channel_of(address);
  const std::uint64_t line_address = address / spec_.l2.line_bytes * spec_.l2.line_bytes;
  ChannelCounters& bank = counters(xcd, channel);
  const std::uint64_t served = xcds_[xcd].read_port[channel].reserve(time, std::max(bytes, 64u));
  bank.add(ChannelCounter::kReq);
  bank.add(ChannelCounter::kRead);
  ++traffic_.l2_requests;
  traffic_.l2_read += bytes;
  bool hit = false;
  CacheLine& line = line_for(xcd, channel, line_address, hit, served);
  const auto half = static_cast<std::uint8_t>(1u << (address / 64 % 2));
  if ((line.valid & half) != 0) {
    bank.add(ChannelCounter::kHit);
    ++traffic_.l2_hits;
  } else {
    bank.add(ChannelCounter::kMiss);
    line.ready = std::max(line.ready, fetch(xcd, channel, line_address, half, served));
    line.valid |= half;
  }
  return std::max(served, line.ready);
}

std::uint64_t MemorySystem::write_back(unsigned xcd_index, std::uint64_t time) {
  Xcd& xcd = xcds_[xcd_index];
  std::uint64_t end = time + spec_.fence.clean_cycles();
  for (unsigned channel = 0; channel < spec_.l2.channels; ++channel) {
    const std::uint64_t dirty = xcd.dirty_lines[channel];
    if (dirty == 0) continue;
    std::uint64_t at = time + to_l2_;
    xcd.channels[channel].for_each([&](std::uint64_t tag, CacheLine& line) {
      if (line.dirty == 0) return;
      end = std::max(end, evict(xcd_index, channel, tag, line, at, true));
      line.dirty = 0;
      at += spec_.fence.per_dirty_line;
    });
    end = std::max(end, at + spec_.fence.clean_cycles());
  }
  return end;
}

std::uint64_t MemorySystem::end_of_kernel(std::uint64_t time) {
  if (!spec_.l2.write_back_at_end) return time;
  std::uint64_t end = time;
  for (unsigned xcd = 0; xcd < spec_.xcds; ++xcd) {
    end = std::max(end, write_back(xcd, time));
    // The next kernel reads everything anew (rocprofiler-compute vcopy workload: as many reads of
    // the fabric in every run).
    for (TagCache& channel : xcds_[xcd].channels) channel.invalidate();
  }
  return end;
}

}  // namespace wavetank::timing
