#include "timing/memory/fabric_port.hpp"

namespace wavetank::timing {

FabricPort::FabricPort(const TimingSpec& spec, FarMemory& far, HostLink& host)
    : spec_(spec), far_(far), host_(host) {
  // The latencies are those of whole loads.
  const std::uint32_t whole = spec.mall.bytes != 0 ? spec.mall.hit_latency : spec.hbm.latency;
  to_far_ = (whole - spec.l2.hit_latency) / 2;
  from_far_ = whole - spec.l2.hit_latency - to_far_;
}

void FabricPort::start_launch() {
  cycles_.start_launch();
  bytes_read_ = bytes_written_ = 0;
}

FabricPort::Passage FabricPort::read(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  if (host_.leads_to(address)) return {time, host_.read(bytes, time)};
  const std::uint64_t sent = cycles_.reserve(time, bytes / spec_.fabric_read_bytes_per_cycle);
  bytes_read_ += bytes;
  return {sent, far_.read(address, bytes, sent + to_far_) + from_far_};
}

FabricPort::Passage FabricPort::write(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  const std::uint64_t sent = cycles_.reserve(time, bytes / spec_.fabric_write_bytes_per_cycle);
  bytes_written_ += bytes;
  return {sent, far_.write(address, bytes, sent + to_far_)};
}

FabricPort::Passage FabricPort::atomic(std::uint64_t address, unsigned deepest,
                                       std::uint64_t time) {
  constexpr double kReplyBytes = 64;
  bytes_read_ += kReplyBytes;
  return {time, far_.atomic(address, deepest, time) + spec_.atomic.memory_side_latency};
}

}  // namespace wavetank::timing
