// The port of an XCD's L2 to the fabric: reads and writes share it, each at its rate. What the host
// keeps comes over the fabric too, but at the rate of the host's link.
#pragma once

#include <cstdint>

#include "timing/bandwidth.hpp"
#include "timing/memory/far_memory.hpp"
#include "timing/memory/host_link.hpp"

namespace wavetank::timing {

class FabricPort {
 public:
  FabricPort(const TimingSpec& spec, FarMemory& far, HostLink& host);

  void start_launch();
  struct Passage {
    std::uint64_t sent = 0;  ///< when it left the L2
    std::uint64_t done = 0;  ///< when the answer is back, or the memory has the bytes
  };
  /// From the device's memory, or over the host's link.
  Passage read(std::uint64_t address, unsigned bytes, std::uint64_t time);
  Passage write(std::uint64_t address, unsigned bytes, std::uint64_t time);
  /// True if a read would find the line in the MALL.
  bool is_in_mall(std::uint64_t address) const { return far_.is_in_mall(address); }
  /// Read-modify-writes at the memory side; `deepest` of them on one address.
  Passage atomic(std::uint64_t address, unsigned deepest, std::uint64_t time);

  /// A request of this address will come: lets the host bring what looking it up begins with ...
  void prefetch(std::uint64_t address) const { far_.prefetch(address); }
  /// ... and, when that is there, the rest.
  void prefetch_line(std::uint64_t address) const { far_.prefetch_line(address); }

  const HostLink& host() const { return host_; }

  /// Bytes to and from the device's memory since start_launch().
  double bytes_read() const { return bytes_read_; }
  double bytes_written() const { return bytes_written_; }
  double busy_cycles() const { return cycles_.busy_cycles(); }

 private:
  const TimingSpec& spec_;
  FarMemory& far_;
  HostLink& host_;
  std::uint32_t to_far_, from_far_;  ///< cycles from the L2 to the MALL or HBM, and back
  Bandwidth cycles_{1.0};
  double bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace wavetank::timing
