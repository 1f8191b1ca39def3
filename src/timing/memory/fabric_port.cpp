#include "timing/memory/fabric_port.hpp"

namespace wavetank::timing {

FabricPort::FabricPort(const TimingSpec& spec, const HostLink& host) : spec_(spec), host_(host) {
  // The latencies are those of whole loads.
  const std::uint32_t whole = spec.mall.bytes != 0 ? spec.mall.hit_latency : spec.hbm.latency;
  to_far_ = (whole - spec.l2.hit_latency) / 2;
  from_far_ = whole - spec.l2.hit_latency - to_far_;
}

void FabricPort::start_launch() {
  cycles_.start_launch();
  bytes_read_ = bytes_written_ = 0;
}

void FabricPort::send(FabricRequest& request) {
  using Kind = FabricRequest::Kind;
  constexpr double kReplyBytes = 64;
  request.to_host = request.kind == Kind::kRead && host_.leads_to(request.address);
  request.sent = request.time;
  if (request.to_host) return;
  if (request.kind == Kind::kAtomic) {
    bytes_read_ += kReplyBytes;
    return;
  }
  const bool writes = request.kind == Kind::kWrite;
  const double rate =
      writes ? spec_.fabric_write_bytes_per_cycle : spec_.fabric_read_bytes_per_cycle;
  request.sent = cycles_.reserve(request.time, request.amount / rate);
  request.time = request.sent + to_far_;
  (writes ? bytes_written_ : bytes_read_) += request.amount;
}

std::uint64_t FabricPort::back(const FabricRequest& request) const {
  switch (request.kind) {
    case FabricRequest::Kind::kRead:
      return request.to_host ? request.done : request.done + from_far_;
    case FabricRequest::Kind::kWrite: break;
    case FabricRequest::Kind::kAtomic: return request.done + spec_.atomic.memory_side_latency;
  }
  return request.done;
}

}  // namespace wavetank::timing
