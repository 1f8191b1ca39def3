// What lies behind the fabric: the slices of the MALL, where there is one, and the channels of HBM.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/bandwidth.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/array_tally.hpp"
#include "timing/memory/hbm_channel.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class FarMemory {
 public:
  FarMemory(const TimingSpec& spec, const AddressMap& map);

  /// Forgets when things happened, not what the MALL holds.
  void start_launch(const std::vector<AddressRange>& arrays);
  /// Holds what another one holds, as far as it fits.
  void take_contents(const FarMemory& other);
  /// Reads `bytes` of a line that are asked for at `time`; gives when they leave.
  std::uint64_t read(std::uint64_t address, unsigned bytes, std::uint64_t time);
  /// True if the MALL holds the line.
  bool is_in_mall(std::uint64_t address) const {
    const std::uint64_t tag = map_.line(address), set = map_.mall_set(address);
    return has_mall() && mall_tags_[map_.mall_slice(address)].contains(set, tag);
  }
  /// Writes; gives when the memory has them.
  std::uint64_t write(std::uint64_t address, unsigned bytes, std::uint64_t time);
  /// Read-modify-writes at the MALL slice, `deepest` of them on one address; gives when the slice
  /// has done them. There must be a MALL.
  std::uint64_t atomic(std::uint64_t address, unsigned deepest, std::uint64_t time);
  /// A request of this address may come soon: lets the host bring what looking it up begins with.
  void prefetch(std::uint64_t address) const {
    if (has_mall()) mall_tags_[map_.mall_slice(address)].prefetch(map_.mall_set(address));
  }
  /// ... and, when that is there, the line, or the bank of HBM that has it.
  void prefetch_line(std::uint64_t address) const {
    const bool is_near = has_mall() && mall_tags_[map_.mall_slice(address)].prefetch_line(
                                           map_.mall_set(address), map_.line(address));
    if (is_near) return;
    hbm_[map_.hbm_channel(address)].prefetch(map_.place_in_hbm_channel(address));
  }
  /// A launch moved so many bytes between the MALL and memory, most of them unseen.
  void pass_unseen(double bytes);

  /// Sees which banks of HBM opened rows since the last look.
  void look(std::uint64_t time);

  struct Traffic {
    double mall_requests = 0, mall_hits = 0;
    double hbm_read = 0, hbm_written = 0;  ///< bytes
  };
  const Traffic& traffic() const { return traffic_; }
  /// Of HBM, by array.
  const ArrayTally& arrays() const { return arrays_; }
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
  /// Looks for a line; takes it in if it is not there.
  bool find_in_mall(unsigned slice, std::uint64_t address);

  const TimingSpec& spec_;
  const AddressMap& map_;
  std::uint32_t mall_extra_;  ///< cycles from the MALL to HBM and back
  std::vector<TagArray<BareLine>> mall_tags_;
  std::vector<Bandwidth> mall_ports_;
  std::vector<HbmChannel> hbm_;
  Traffic traffic_;
  ArrayTally arrays_;
};

}  // namespace wavetank::timing
