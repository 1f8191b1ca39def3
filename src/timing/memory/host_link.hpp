// The link to the host, over which a device reads what lies in the host's memory: kernels'
// arguments, where the runtime leaves them there (ROCm/clr, rocclr/device/rocm/rocsettings.cpp: on
// gfx90a always, on gfx942 before ROCm 6.2 and where the host cannot reach device memory).
#pragma once

#include <cstdint>

#include "timing/bandwidth.hpp"
#include "timing/memory/address_range.hpp"
#include "timing/memory/fabric_request.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class HostLink {
 public:
  /// What PCIe 4.0 x16 carries.
  static constexpr double kBytesPerNs = 25.0;

  explicit HostLink(const TimingSpec& spec)
      : spec_(spec.kernarg), bus_(kBytesPerNs * 1e3 / spec.clock_mhz) {}

  /// A launch begins, whose arguments lie here.
  void start_launch(AddressRange arguments) {
    host_ = spec_.host_cycles > 0 ? arguments : AddressRange();
    bus_.start_launch();
  }
  /// What the host keeps of the launch that runs; empty where the device has all.
  AddressRange host_range() const { return host_; }
  bool leads_to(std::uint64_t address) const { return host_.has(address); }
  /// False for what a cache asks the host for anew each time.
  bool l2_keeps() const { return spec_.l2_keeps; }
  /// Serves a read of what the host keeps.
  void serve(FabricRequest& request) {
    request.done =
        bus_.reserve(request.time, request.amount) + static_cast<std::uint64_t>(spec_.host_cycles);
    request.answered = true;
  }

 private:
  const KernargSpec spec_;
  Bandwidth bus_;
  AddressRange host_;
};

}  // namespace wavetank::timing
