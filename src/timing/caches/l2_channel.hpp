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
#include <span>
#include <vector>

#include "timing/bandwidth.hpp"
#include "timing/caches/l2_counting.hpp"
#include "timing/caches/l2_tags.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/array_tally.hpp"
#include "timing/memory/fabric_port.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// Times of requests are those at which they leave the CU, and those given when the CU has the
/// answer, unless something else is said.
class L2Channel {
 public:
  L2Channel(const TimingSpec& spec, const AddressMap& map, FabricPort& fabric);

  /// Forgets when things happened, not what the channel holds. The traffic of `arrays`, which are
  /// in the order of their addresses, will be told apart.
  void start_launch(const std::vector<AddressRange>& arrays);
  /// What it holds, and what requests find.
  L2Tags& tags() { return tags_; }
  const L2Tags& tags() const { return tags_; }
  /// Looks up request `number` of a window, and counts what does not depend on times. Not for
  /// kWriteBack.
  L2Lookup look_up(const MemoryRequest& request, LinePlace place, std::uint32_t number);
  /// Serves request `number` of a window, of which all up to it have been looked up; gives when the
  /// answer is back. Not for kWriteBack.
  std::uint64_t serve(const MemoryRequest& request, std::uint32_t number,
                      std::span<L2Lookup> window);
  /// Sends all dirty lines to memory; gives the end.
  std::uint64_t write_back(std::uint64_t time);
  /// A kernel has ended: sends all dirty lines on their way to memory, which takes them while the
  /// next kernel starts; gives when the last one has left.
  std::uint64_t hand_over(std::uint64_t time);

  const L2Counting& counting() const { return counting_; }
  /// What lanes and small caches read and wrote, by array.
  const ArrayTally& arrays() const { return arrays_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  double busy_cycles() const { return cycles_.busy_cycles(); }
  /// Those of them that requests of lanes took, without the scalar and instruction caches'.
  double cycles_of_lanes() const { return cycles_.busy_cycles() - small_cache_cycles_; }

 private:
  /// Cycles of the channel for a read. It looks at one line at a time, whatever part of it is asked
  /// for.
  double read_cycles() const {
    return spec_.l2.line_bytes / (spec_.l2.read_bytes_per_cycle * spec_.l2.read_efficiency);
  }
  void count(const MemoryRequest& request, const L2Lookup& found);
  /// Reads within a line.
  std::uint64_t read(const MemoryRequest& request, L2Lookup& found);
  std::uint64_t write(const MemoryRequest& request, L2Lookup& found);
  std::uint64_t atomic(const MemoryRequest& request, L2Lookup& found);
  /// A request of the scalar or instruction caches: both times are those at the channel.
  std::uint64_t read_through(const MemoryRequest& request, L2Lookup& found);
  /// The line that a request was looked up in at `time`: sends what went for it and fetches what it
  /// lacks. found.ready is when it has that.
  void bring(std::uint64_t address, std::uint64_t time, L2Lookup& found);
  /// Fetches halves of a line; gives when the last one is at the L2.
  std::uint64_t fetch(std::uint64_t line_address, std::uint8_t halves, std::uint64_t time);
  /// Sends the dirty sectors of a line to memory; gives the end.
  std::uint64_t send(std::uint64_t tag, std::uint8_t dirty, std::uint64_t time,
                     bool with_whole_cache);
  /// Sends all dirty lines from `time` on, which becomes the time when the last one has left; gives
  /// the end.
  std::uint64_t send_all(std::uint64_t& time, bool with_whole_cache);

  const TimingSpec& spec_;
  const AddressMap& map_;
  FabricPort& fabric_;
  std::uint32_t to_l2_, from_l2_;  ///< cycles from the CU to the channel, and back
  L2Tags tags_;
  Bandwidth cycles_{1.0};  ///< what CUs and the fabric read and write
  L2Counting counting_;
  ArrayTally arrays_;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
  double small_cache_cycles_ = 0;
};

}  // namespace wavetank::timing
