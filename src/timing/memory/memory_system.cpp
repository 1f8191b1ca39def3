#include "timing/memory/memory_system.hpp"

#include <algorithm>
#include <tuple>

namespace wavetank::timing {

MemorySystem::MemorySystem(const TimingSpec& spec) : spec_(spec), map_(spec), far_(spec_) {
  for (unsigned i = 0; i < spec.xcds; ++i) xcds_.push_back(std::make_unique<Xcd>(spec_, far_));
}

std::uint64_t MemorySystem::serve(unsigned xcd, const MemoryRequest& request) {
  if (request.kind == MemoryRequest::Kind::kWriteBack) return write_back(xcd, request.time);
  return xcds_[xcd]->channels[map_.l2_channel(request.address)].serve(request);
}

void MemorySystem::serve(std::span<MemoryPort* const> ports) {
  turns_.clear();
  for (std::uint32_t port = 0; port < ports.size(); ++port) {
    std::uint32_t number = 0;
    for (const MemoryRequest& request : ports[port]->requests()) {
      turns_.push_back({request.time, port, number++});
    }
  }
  std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.time, a.port, a.request) < std::tie(b.time, b.port, b.request);
  });
  for (const Turn& turn : turns_) {
    MemoryPort& port = *ports[turn.port];
    MemoryRequest& request = port.requests()[turn.request];
    request.back = serve(port.xcd(), request);
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

void MemorySystem::start_launch() {
  busy_ = {};
  far_.start_launch();
  for (auto& xcd : xcds_) {
    xcd->fabric.start_launch();
    for (L2Channel& channel : xcd->channels) channel.start_launch();
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
  return busy;
}

std::uint64_t MemorySystem::write_back(unsigned xcd, std::uint64_t time) {
  std::uint64_t end = time + spec_.fence.clean_cycles();
  for (L2Channel& channel : xcds_[xcd]->channels) end = std::max(end, channel.write_back(time));
  return end;
}

std::uint64_t MemorySystem::end_of_kernel(std::uint64_t time) {
  // What the caches hand over now keeps no wave waiting.
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
