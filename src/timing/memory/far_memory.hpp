// What lies behind the fabric: the slices of the MALL, where there is one, and the channels of HBM.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/memory/address_map.hpp"
#include "timing/memory/array_tally.hpp"
#include "timing/memory/fabric_request.hpp"
#include "timing/memory/hbm_channel.hpp"
#include "timing/memory/mall_slice.hpp"
#include "timing/spec.hpp"
#include "timing/window_parts.hpp"

namespace wavetank::timing {

class FarMemory {
 public:
  FarMemory(const TimingSpec& spec, const AddressMap& map);

  /// Forgets when things happened, not what the MALL holds.
  void start_launch(const std::vector<AddressRange>& arrays);
  /// Holds what another one held, as far as it fits.
  void take_contents(FarMemory&& other);
  /// serve() will serve this request, in this turn; it must live until then. Atomics are for those
  /// that have a MALL.
  void take(FabricRequest& request);
  /// Serves what it has taken: all slices, then all channels, beside each other.
  void serve(WindowCrew& crew);
  /// True if the MALL holds the line.
  bool is_in_mall(std::uint64_t address) const {
    return has_mall() && slices_[map_.mall_slice(address)].holds(address);
  }
  /// A launch moved so many bytes between the MALL and memory, most of them unseen.
  void pass_unseen(double bytes);

  /// Sees which banks of HBM opened rows since the last look.
  void look(std::uint64_t time);

  struct Traffic {
    double mall_requests = 0, mall_hits = 0;
    double hbm_read = 0, hbm_written = 0;  ///< bytes
  };
  Traffic traffic() const;
  /// What each channel of HBM moved, by array.
  const std::vector<HbmChannel>& channels() const { return hbm_; }
  /// Cycles since start_launch() in which each slice, or each channel, worked.
  std::vector<double> mall_busy_cycles() const;
  std::vector<double> hbm_busy_cycles() const;
  /// What the banks and buses of HBM did since then; cycles are means over the channels.
  struct Rows {
    double opened = 0;
    double bank_cycles = 0;  ///< in which the busiest bank of a channel, at each look, opened them
    double bus_cycles = 0;   ///< in which the bus moved data or turned
  };
  Rows rows() const;

 private:
  bool has_mall() const { return spec_.mall.bytes != 0; }
  void serve_slice(MallSlice& slice, std::span<FabricRequest* const> requests) const;
  void serve_channel(HbmChannel& channel, std::span<FabricRequest* const> requests) const;

  const TimingSpec& spec_;
  const AddressMap& map_;
  std::vector<MallSlice> slices_;
  std::vector<HbmChannel> hbm_;
  std::vector<FabricRequest*> taken_;
  WindowParts<FabricRequest*> of_slices_, of_channels_;
};

}  // namespace wavetank::timing
