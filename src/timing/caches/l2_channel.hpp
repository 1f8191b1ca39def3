// One channel of an L2: tags, a port that takes one request after the other, its way to the fabric.
// Lines that come are written by the same port, and dirty ones that go are read by it.
//
//   CU --request--> port --tags--hit--> CU
//                    ^      |
//                    |      +--miss--> fabric port --> MALL or HBM
//                    +-----line------------'
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/bandwidth.hpp"
#include "timing/caches/l2_counting.hpp"
#include "timing/caches/tag_cache.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/fabric_port.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// Times of requests are those at which they leave the CU, and those given when the CU has the
/// answer, unless something else is said.
class L2Channel {
 public:
  L2Channel(const TimingSpec& spec, const AddressMap& map, FabricPort& fabric);

  /// Forgets when things happened, not what the channel holds.
  void start_launch();
  /// Serves a request of this channel; gives when the answer is back. Not for kWriteBack.
  std::uint64_t serve(const MemoryRequest& request);
  /// A request of this address will come: lets the host bring what looking it up begins with ...
  void prefetch(std::uint64_t address) const { tags_.prefetch(map_.l2_set(address)); }
  /// ... and, when that is there, the line; false if it seems not to be in the L2.
  bool prefetch_line(std::uint64_t address) const {
    return tags_.prefetch_line(map_.l2_set(address), map_.line(address));
  }
  /// Reads `bytes`, within a line.
  std::uint64_t read(std::uint64_t address, unsigned bytes, std::uint64_t time, AccessScope scope);
  /// Writes the bytes of `sectors` (bit i: 32 bytes at address + 32 i, within a line).
  std::uint64_t write(std::uint64_t address, std::uint8_t sectors, std::uint64_t time,
                      AccessScope scope);
  /// Read-modify-writes of one line, the most on one address being `deepest`.
  std::uint64_t atomic(std::uint64_t address, unsigned deepest, std::uint64_t time);
  /// A request of the scalar or instruction caches: both times are those at the channel.
  std::uint64_t read_through(std::uint64_t address, unsigned bytes, std::uint64_t time);
  /// Sends all dirty lines to memory; gives the end.
  std::uint64_t write_back(std::uint64_t time);
  /// A kernel has ended: sends all dirty lines on their way to memory, which takes them while the
  /// next kernel starts; gives when the last one has left.
  std::uint64_t hand_over(std::uint64_t time);
  /// Holds nothing of the line of an address any more.
  void forget(std::uint64_t address) {
    CacheLine* const line = tags_.find(map_.l2_set(address), map_.line(address));
    if (line != nullptr) line->valid = 0;
  }
  /// Forgets all lines, dirty ones too.
  void invalidate();
  /// Holds the lines that another channel holds, if they fit.
  void take_lines(const L2Channel& other) {
    if (tags_.take(other.tags_)) dirty_lines_ = other.dirty_lines_;
  }

  const L2Counting& counting() const { return counting_; }
  double bytes_read() const { return bytes_read_; }
  double bytes_written() const { return bytes_written_; }
  double busy_cycles() const { return cycles_.busy_cycles(); }
  /// Those of them that requests of lanes took, without the scalar and instruction caches'.
  double cycles_of_lanes() const { return cycles_.busy_cycles() - small_cache_cycles_; }

 private:
  /// Cycles that the channel needs to give `bytes`.
  double read_cycles(unsigned bytes) const {
    constexpr unsigned kFewest = 64;
    return std::max(bytes, kFewest) / (spec_.l2.read_bytes_per_cycle * spec_.l2.read_efficiency);
  }
  /// False for what the host keeps, where the L2 does not.
  bool keeps(std::uint64_t address) const {
    return fabric_.host().l2_keeps() || !fabric_.host().leads_to(address);
  }
  CacheLine& line_for(std::uint64_t address, bool& hit, std::uint64_t time);
  /// What a miss brings. Of lanes' data the whole line (rocprofiler-compute vcopy workload on
  /// MI210: as many misses as lines); of the small caches' 64 bytes those only (the same on MI300X:
  /// no request of 128 bytes but the lanes').
  enum class Fill : std::uint8_t { kWholeLine, kAskedFor };
  /// Counts a hit if the line has the halves that [address, address + bytes) lies in; if not,
  /// brings what it lacks.
  void fill(CacheLine& line, std::uint64_t address, unsigned bytes, Fill what, std::uint64_t time);
  /// Fetches halves of a line; gives when the last one is at the L2.
  std::uint64_t fetch(std::uint64_t line_address, std::uint8_t halves, std::uint64_t time);
  /// Sends what is dirty of a line to memory; gives the end.
  std::uint64_t send(const CacheLine& line, std::uint64_t time, bool with_whole_cache);
  /// Sends all dirty lines from `time` on, which becomes the time when the last one has left; gives
  /// the end.
  std::uint64_t send_all(std::uint64_t& time, bool with_whole_cache);
  void mark_dirty(CacheLine& line, std::uint8_t sectors);

  const TimingSpec& spec_;
  const AddressMap& map_;
  FabricPort& fabric_;
  std::uint32_t to_l2_, from_l2_;  ///< cycles from the CU to the channel, and back
  TagCache tags_;
  Bandwidth cycles_{1.0};  ///< what CUs and the fabric read and write
  std::uint64_t dirty_lines_ = 0;
  L2Counting counting_;
  double bytes_read_ = 0, bytes_written_ = 0, small_cache_cycles_ = 0;
};

}  // namespace wavetank::timing
