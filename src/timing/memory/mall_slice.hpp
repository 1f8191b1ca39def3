// One slice of the MALL, the cache before a channel of HBM that all XCDs share: tags, and a port
// that takes one request after the other. Atomics of agent scope are done here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "timing/bandwidth.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/fabric_request.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class MallSlice {
 public:
  MallSlice(const TimingSpec& spec, const AddressMap& map)
      : spec_(spec),
        map_(map),
        to_hbm_(spec.hbm.latency - spec.mall.hit_latency),
        tags_(static_cast<std::uint32_t>(spec.mall.bytes / spec.mall.slices / spec.l2.line_bytes),
              spec.mall.ways),
        port_(spec.mall.bytes_per_cycle) {}

  /// Forgets when things happened, not what the slice holds.
  void start_launch() {
    port_.start_launch();
    queues_.fill({});
    longest_queue_ = 0;
    reads_ = hits_ = 0;
  }
  /// Serves a request; unless it is answered then, it goes on to HBM.
  void serve(FabricRequest& request) {
    switch (request.kind) {
      case FabricRequest::Kind::kRead: read(request); break;
      case FabricRequest::Kind::kWrite:
        request.time = port_.reserve(request.time, request.amount);
        find(request.address);
        break;
      case FabricRequest::Kind::kAtomic: atomic(request); break;
    }
  }
  /// True if it holds the line.
  bool holds(std::uint64_t address) const {
    return tags_.contains(map_.mall_set(address), map_.line(address));
  }
  /// Holds nothing any more.
  void invalidate() { tags_.invalidate(); }
  /// Holds what another one held, if it fits.
  void take(MallSlice&& other) { tags_.take(std::move(other.tags_)); }
  /// A request of this address will come: lets the host bring what looking it up begins with ...
  void prefetch(std::uint64_t address) const { tags_.prefetch(map_.mall_set(address)); }
  /// ... and, when that is there, the line.
  void prefetch_line(std::uint64_t address) const {
    tags_.prefetch_line(map_.mall_set(address), map_.line(address));
  }

  /// Since start_launch().
  double reads() const { return static_cast<double>(reads_); }
  double hits() const { return static_cast<double>(hits_); }
  /// Of its port, or of the atomics on the same bytes if those take longer.
  double busy_cycles() const { return std::max(port_.busy_cycles(), longest_queue_); }

 private:
  void read(FabricRequest& request) {
    ++reads_;
    const std::uint64_t served = port_.reserve(request.time, request.amount);
    request.answered = find(request.address);
    request.done = served;
    request.time = served + to_hbm_;
    if (request.answered) ++hits_;
  }
  void atomic(FabricRequest& request) {
    // One request is a few cycles of the slice; those on one address queue beside it.
    const double cycles = spec_.atomic.memory_side_request_cycles;
    const std::uint64_t served = port_.reserve(request.time, cycles * spec_.mall.bytes_per_cycle);
    const auto each = spec_.atomic.memory_side_cycles_per_operation;
    const std::uint64_t block = request.address / kHalfLineBytes;
    Queue& queue = queues_[block % queues_.size()];
    if (queue.block != block) queue = {block, 0, 0};
    const double begin = std::max(static_cast<double>(served), queue.free);
    queue.free = begin + request.amount * each;
    queue.busy += request.amount * each;
    longest_queue_ = std::max(longest_queue_, queue.busy);
    request.done = static_cast<std::uint64_t>(queue.free - each);
    request.answered = true;
  }
  /// Looks for a line; takes it in if it is not there.
  bool find(std::uint64_t address) {
    const std::uint64_t set = map_.mall_set(address), tag = map_.line(address);
    if (tags_.find(set, tag) != nullptr) return true;
    tags_.replace(set, tag);
    return false;
  }

  const TimingSpec& spec_;
  const AddressMap& map_;
  std::uint32_t to_hbm_;  ///< cycles from the MALL to HBM and back
  TagArray<BareLine> tags_;
  Bandwidth port_;
  /// What atomics wait for that want the same 64 bytes; of other bytes those that came last are
  /// remembered.
  struct Queue {
    std::uint64_t block = ~std::uint64_t{0};
    double free = 0;  ///< when the next one can begin
    double busy = 0;  ///< cycles
  };
  static constexpr std::size_t kQueues = 64;
  std::array<Queue, kQueues> queues_;
  double longest_queue_ = 0;  ///< cycles of the busiest
  std::uint64_t reads_ = 0, hits_ = 0;
};

}  // namespace wavetank::timing
