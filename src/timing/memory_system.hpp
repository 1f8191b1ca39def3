// All that lies beyond the vector L1: the L2 of each XCD, the fabric, the MALL and HBM. It belongs
// to a device and keeps its contents from launch to launch.
//
//   CU --request--> L2 channel --miss--> fabric port of the XCD --> MALL slice --miss--> HBM
//   channel
//
// A request is followed at once from end to end; every stage is a Bandwidth that may be asked out
// of order. Latencies are those that published pointer chases measured, split between the stages.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timing/bandwidth.hpp"
#include "timing/counter_bank.hpp"
#include "timing/hbm.hpp"
#include "timing/spec.hpp"
#include "timing/tag_cache.hpp"

namespace wavetank::timing {

/// What the L2 does with a request.
struct AccessScope {
  bool bypass_l2 = false;     ///< device scope where several L2s exist: goes on to memory
  bool streaming = false;     ///< non-temporal: the line is the next to go
  bool whole_sectors = true;  ///< a write of whole 32-byte sectors; others are merged in the L2
};

class MemorySystem {
 public:
  explicit MemorySystem(const TimingSpec& spec);

  /// Reads `bytes` (one L1 request, within a line) that leave the CU of `xcd` at `time`. Gives the
  /// cycle in which the data is back at the CU.
  std::uint64_t read(unsigned xcd, std::uint64_t address, unsigned bytes, std::uint64_t time,
                     AccessScope scope = {});
  /// Writes the bytes of `sectors` (bit i: 32 bytes at address + 32 i, within a line; `full`
  /// sectors are written whole). Gives the cycle in which the CU knows.
  std::uint64_t write(unsigned xcd, std::uint64_t address, std::uint8_t sectors, std::uint64_t time,
                      AccessScope scope = {});
  /// `operations` read-modify-writes of one line, the most on one address being `deepest`.
  std::uint64_t atomic(unsigned xcd, std::uint64_t address, unsigned operations, unsigned deepest,
                       bool device_scope, std::uint64_t time);
  /// A request of the scalar or instruction caches.
  std::uint64_t read_through(unsigned xcd, std::uint64_t address, unsigned bytes,
                             std::uint64_t time);
  /// Writes back an XCD's dirty lines (buffer_wbl2) and gives the end.
  std::uint64_t write_back(unsigned xcd, std::uint64_t time);
  /// What the device does when a kernel ends: MI300 writes its L2s back.
  std::uint64_t end_of_kernel(std::uint64_t time);
  /// What a part of the launch that was not simulated would have moved through the L2 and the MALL:
  /// a cache that is smaller than that holds nothing of the simulated part any more.
  void pass_unseen(double l2_fill_bytes, double far_bytes);
  /// Forgets when things happened, not what the caches hold: the next launch starts at cycle 0.
  void start_launch();

  const std::vector<ChannelCounters>& channel_counters() const { return counters_; }
  /// Bytes that crossed each level since start_launch().
  struct Traffic {
    double l2_read = 0, l2_written = 0, l2_requests = 0, l2_hits = 0;
    double fabric_read = 0, fabric_written = 0;
    double mall_requests = 0, mall_hits = 0;
    double hbm_read = 0, hbm_written = 0;
  };
  const Traffic& traffic() const { return traffic_; }
  /// Cycles since start_launch() in which an instance of each level worked, on average: what bytes
  /// do not show, such as parts of lines, turnarounds and pages.
  struct BusyCycles {
    double l2 = 0, fabric = 0, mall = 0, hbm = 0;
  };
  BusyCycles busy_cycles() const;

 private:
  struct Xcd {
    std::vector<TagCache> channels;
    std::vector<Bandwidth> read_port, write_port;
    Bandwidth fabric;                         ///< in cycles: reads and writes share the port
    std::vector<std::uint64_t> dirty_lines;   ///< by channel
    std::vector<std::uint64_t> translations;  ///< pages that the XCD's translation cache holds
    std::vector<std::uint32_t> translation_use;
    std::uint32_t translation_clock = 0;
  };

  unsigned channel_of(std::uint64_t address) const;
  /// Address within the HBM channel that serves it.
  std::uint64_t place_in_channel(std::uint64_t address) const;
  std::uint64_t set_of(std::uint64_t address) const;
  ChannelCounters& counters(unsigned xcd, unsigned channel) {
    return counters_[std::size_t{xcd} * spec_.l2.channels + channel];
  }
  /// Fills parts of a line from beyond the L2; gives the arrival at the L2.
  std::uint64_t fetch(unsigned xcd, unsigned channel, std::uint64_t line_address,
                      std::uint8_t halves, std::uint64_t time);
  /// Sends what is dirty to memory; gives the end.
  std::uint64_t evict(unsigned xcd, unsigned channel, std::uint64_t tag, const CacheLine& line,
                      std::uint64_t time, bool by_write_back);
  CacheLine& line_for(unsigned xcd, unsigned channel, std::uint64_t line_address, bool& hit,
                      std::uint64_t time);
  std::uint64_t beyond_read(std::uint64_t address, unsigned bytes, std::uint64_t time);
  std::uint64_t beyond_write(std::uint64_t address, unsigned bytes, std::uint64_t time);
  std::uint64_t translation_delay(Xcd& xcd, std::uint64_t address);
  void reset_ports();

  TimingSpec spec_;
  std::uint32_t to_l2_, from_l2_;    ///< cycles from the CU to an L2 channel, and back
  std::uint32_t to_far_, from_far_;  ///< from the L2 to the MALL or HBM, and back
  std::uint32_t mall_extra_;         ///< from the MALL to HBM and back
  std::vector<Xcd> xcds_;
  std::vector<TagCache> mall_tags_;
  std::vector<Bandwidth> mall_ports_;
  std::vector<HbmChannel> hbm_;
  std::vector<ChannelCounters> counters_;
  Traffic traffic_;
};

}  // namespace wavetank::timing
