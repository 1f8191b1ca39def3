// What the counters of an L2 channel and of its port to the fabric (TCC, EA) say of its requests.
#pragma once

#include <cstdint>

#include "timing/counter_bank.hpp"

namespace wavetank::timing {

enum class L2Request : std::uint8_t { kRead, kWrite, kAtomic };

class L2Counting {
 public:
  /// A request of a CU; `streaming`: non-temporal.
  void asked(L2Request request, bool streaming) {
    constexpr ChannelCounter kCounters[] = {ChannelCounter::kRead, ChannelCounter::kWrite,
                                            ChannelCounter::kAtomic};
    bank_.add(ChannelCounter::kReq);
    bank_.add(kCounters[static_cast<std::size_t>(request)]);
    if (request != L2Request::kAtomic) {
      bank_.add(streaming ? ChannelCounter::kStreamingReq : ChannelCounter::kRwReq);
    }
    ++requests_;
  }
  /// A request of the scalar or instruction caches.
  void asked_by_small_cache() {
    bank_.add(ChannelCounter::kReq);
    bank_.add(ChannelCounter::kRead);
    ++requests_;
  }
  /// The same for a kernel's arguments that the host has: memory that is not kept coherent, or not
  /// cached (rocprofiler-compute vcopy workload: TCC_NC_REQ is 56 on MI200, one of each scalar
  /// cache; on MI300X TCC_UC_REQ is).
  void asked_for_arguments(bool kept) {
    asked_by_small_cache();
    bank_.add(kept ? ChannelCounter::kNcReq : ChannelCounter::kUcReq);
  }
  void answered(bool hit) {
    bank_.add(hit ? ChannelCounter::kHit : ChannelCounter::kMiss);
    if (hit) ++hits_;
  }
  /// `bytes` came from beyond, `cycles` after they were asked for.
  void fetched(unsigned bytes, std::uint64_t cycles, bool from_host) {
    bank_.add(ChannelCounter::kEaRdreq);
    if (!from_host) bank_.add(ChannelCounter::kEaRdreqDram);
    if (bytes == 128) bank_.add(ChannelCounter::kBubble);
    bank_.add(ChannelCounter::kEaRdreqLevel, cycles);
  }
  void evicted() { bank_.add(ChannelCounter::kNormalEvict); }
  /// A dirty line goes to memory, because the whole L2 does or to make room.
  void wrote_back(bool with_whole_cache) {
    bank_.add(ChannelCounter::kWriteback);
    bank_.add(with_whole_cache ? ChannelCounter::kAllTcOpWbWriteback
                               : ChannelCounter::kNormalWriteback);
  }
  /// `bytes` of it went, and memory had them after `cycles`.
  void sent(unsigned bytes, std::uint64_t cycles) {
    bank_.add(ChannelCounter::kEaWrreq);
    bank_.add(ChannelCounter::kEaWrreqDram);
    if (bytes == 64) bank_.add(ChannelCounter::kEaWrreq64B);
    bank_.add(ChannelCounter::kEaWrreqLevel, cycles);
  }
  void sent_atomic(std::uint64_t cycles) {
    bank_.add(ChannelCounter::kEaAtomic);
    bank_.add(ChannelCounter::kEaAtomicLevel, cycles);
  }

  const ChannelCounters& bank() const { return bank_; }
  std::uint64_t requests() const { return requests_; }
  std::uint64_t hits() const { return hits_; }

 private:
  ChannelCounters bank_;
  std::uint64_t requests_ = 0, hits_ = 0;
};

}  // namespace wavetank::timing
