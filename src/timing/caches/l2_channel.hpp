// One channel of an L2: tags, a port that takes one request after the other, its way to the fabric.
// Lines that come are written by the same port, and dirty ones that go are read by it.
//
//   CU --request--> port --tags--hit--> CU
//                    ^      |
//                    |      +--miss--> fabric port --> MALL or HBM
//                    +-----line------------'
//
// The requests of a window pass in two steps, each of them all before the next step: begin() and
// end(). Between them what they asked() passes the fabric and memory. All of that is kept here, so
// that a thread that serves a channel writes to no line of the host's caches of another's.
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
/// answer, unless something else is said. None of this is for kWriteBack.
class L2Channel {
 public:
  L2Channel(const TimingSpec& spec, const AddressMap& map, FabricPort& fabric);

  /// Forgets when things happened, not what the channel holds. The traffic of `arrays`, which are
  /// in the order of their addresses, will be told apart.
  void start_launch(const std::vector<AddressRange>& arrays);
  /// The port that passes what it asks.
  FabricPort& fabric() { return fabric_; }
  /// What it holds, and what requests find.
  L2Tags& tags() { return tags_; }
  const L2Tags& tags() const { return tags_; }
  /// The next request of the window passes the port; it is looked up there. The line it misses
  /// comes from memory, unless it `is_at_hand(address)`.
  template <class AtHand>
  void begin(const MemoryRequest& request, LinePlace place, AtHand is_at_hand) {
    L2Lookup& found = look_up(request, place);
    if (found.missing != 0 && is_at_hand(request.address)) found.missing = 0;
    if (found.missing != 0 || found.victim_dirty != 0 || goes_to_memory(request)) {
      ask(request, found);
    }
    asked_ends_.push_back(static_cast<std::uint32_t>(asked_.size()));
  }
  /// What request `number` of the window, counted from 0, asks of the fabric.
  std::span<FabricRequest> asked(std::uint32_t number) {
    const std::uint32_t first = number == 0 ? 0 : asked_ends_[number - 1];
    return std::span(asked_).subspan(first, asked_ends_[number] - first);
  }
  /// Memory has served what all requests asked. Gives when the answer to request `number` is back;
  /// those before it have theirs.
  std::uint64_t end(std::uint32_t number, const MemoryRequest& request);
  /// All are answered.
  void end_window();

  /// Asks the fabric to take all dirty lines, from `time` on, for buffer_wbl2. Gives when the last
  /// one has left and the channel knows it.
  std::uint64_t write_back(std::uint64_t time);
  /// A kernel has ended: the same for the lines that the next kernel must find in memory, which
  /// takes them while that one starts. Gives when the last one has left.
  std::uint64_t hand_over(std::uint64_t time);
  /// What those two asked.
  std::span<FabricRequest> asked() { return asked_; }
  /// That has been served: gives when memory has all.
  std::uint64_t cleaned();

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
  void forget_window();
  double cycles_of(const MemoryRequest& request) const;
  /// Agent scope spans several L2s there: every atomic of a wave goes to the memory side.
  bool goes_to_memory(const MemoryRequest& request) const {
    return request.kind == MemoryRequest::Kind::kAtomic && spec_.atomic.at_memory;
  }
  /// The request passes the port and finds what there is.
  L2Lookup& look_up(const MemoryRequest& request, LinePlace place);
  void count(const MemoryRequest& request, const L2Lookup& found);
  /// Asks for all that the request needs of memory.
  void ask(const MemoryRequest& request, const L2Lookup& found);
  void ask(FabricRequest::Kind kind, std::uint64_t address, unsigned amount, std::uint64_t time);
  /// Asks memory to take the dirty sectors of a line.
  void send(std::uint64_t tag, std::uint8_t dirty, std::uint64_t time);
  /// Asks for halves of a line.
  void fetch(std::uint64_t line_address, std::uint8_t halves, std::uint64_t time);
  /// When memory has what was written.
  std::uint64_t taken(std::span<const FabricRequest> writes);
  /// Writes what reads of the fabric brought; gives when the last one came.
  std::uint64_t fill(std::span<const FabricRequest> reads);
  /// When the requests for its victim and its line let a newcomer go on.
  std::uint64_t line_ready(const L2Lookup& found, std::span<const FabricRequest> asked);
  /// Asks memory to take all dirty lines from `time` on, which becomes the time when the last one
  /// has left.
  void send_all(std::uint64_t& time, bool with_whole_cache);

  const TimingSpec& spec_;
  const AddressMap& map_;
  FabricPort& fabric_;
  std::uint32_t to_l2_, from_l2_;  ///< cycles from the CU to the channel, and back
  L2Tags tags_;
  Bandwidth cycles_{1.0};         ///< what CUs and the fabric read and write
  std::vector<L2Lookup> window_;  ///< what its requests found
  std::vector<FabricRequest> asked_;
  std::vector<std::uint32_t> asked_ends_;  ///< of each request's, among those
  L2Counting counting_;
  ArrayTally arrays_;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
  double small_cache_cycles_ = 0;
};

}  // namespace wavetank::timing
