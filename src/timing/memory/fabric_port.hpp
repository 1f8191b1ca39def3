// The port of an XCD's L2 to the fabric: reads and writes share it, each at its rate. What the host
// keeps comes over the fabric too, but at the rate of the host's link.
#pragma once

#include <cstdint>

#include "timing/bandwidth.hpp"
#include "timing/memory/fabric_request.hpp"
#include "timing/memory/host_link.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class FabricPort {
 public:
  FabricPort(const TimingSpec& spec, const HostLink& host);

  void start_launch();
  /// Sends a request at or after its time.
  void send(FabricRequest& request);
  /// When the L2 has the answer of a request that is done, or memory the bytes.
  std::uint64_t back(const FabricRequest& request) const;

  const HostLink& host() const { return host_; }

  /// Bytes to and from the device's memory since start_launch().
  double bytes_read() const { return bytes_read_; }
  double bytes_written() const { return bytes_written_; }
  double busy_cycles() const { return cycles_.busy_cycles(); }

 private:
  const TimingSpec& spec_;
  const HostLink& host_;
  std::uint32_t to_far_, from_far_;  ///< cycles from the L2 to the MALL or HBM, and back
  Bandwidth cycles_{1.0};
  double bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace wavetank::timing
