// What a channel of the L2 holds. It depends on the order of the channel's requests, not on their
// times: all requests of a window are looked up first, each channel's beside the others', and what
// they found says all that their times need (L2Channel).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timing/caches/tag_array.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/host_link.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// A line of the L2, and the set of its channel that it belongs to (AddressMap).
struct LinePlace {
  std::uint32_t set = 0;
  std::uint64_t line = 0;
};

/// What a request found in the tags.
struct L2Lookup {
  std::uint64_t victim = 0;  ///< the tag of the line that went, if `evicted`
  /// When the request's line is there: before the request, or, if it waits for one of this window,
  /// the number of that one; once the request is served, behind it.
  Due ready;
  std::uint64_t served = 0;       ///< when the channel's port has passed the request
  std::uint8_t victim_dirty = 0;  ///< sectors that memory does not have yet
  std::uint8_t missing = 0;       ///< halves that it brings
  bool found = false;             ///< the line is there
  bool hit = false;               ///< and has what is asked for
  bool evicted = false;
};

class L2Tags {
 public:
  L2Tags(const TimingSpec& spec, const AddressMap& map, const HostLink& host);

  /// Forgets when lines came, not which there are.
  void start_launch();
  /// Looks up request `number` of the window, a read, write or atomic of this channel.
  L2Lookup look_up(const MemoryRequest& request, LinePlace place, std::uint32_t number);
  /// All requests that were looked up are served: lines know when they came.
  void settle(std::span<const L2Lookup> window);
  /// A request of a line of this set will come: lets the host bring what looking it up begins with
  /// ...
  void prefetch(std::uint32_t set) const { tags_.prefetch(set); }
  /// ... and, when that is there, the line.
  void prefetch_line(std::uint32_t set, std::uint64_t line) const {
    tags_.prefetch_line(set, line);
  }
  /// A line that memory does not have.
  struct Dirty {
    std::uint64_t tag;
    std::uint8_t sectors;
  };
  /// All of them, in the order of their places; from now on none is.
  std::vector<Dirty> clean();
  bool is_clean() const { return dirty_lines_ == 0; }
  /// Holds nothing of the line of an address any more.
  void forget(std::uint64_t address);
  /// Forgets all lines, dirty ones too.
  void invalidate();
  /// Holds the lines that others held, if they fit.
  void take(L2Tags&& other);

 private:
  /// What a miss brings. Of lanes' data the whole line (rocprofiler-compute vcopy workload on
  /// MI210: as many misses as lines); of the small caches' 64 bytes those only (the same on MI300X:
  /// no request of 128 bytes but the lanes').
  enum class Fill : std::uint8_t { kWholeLine, kAskedFor };
  /// A line, in place of another if it is not there.
  CacheLine& line_for(LinePlace place, L2Lookup& found);
  /// Brings what the line lacks if it has not the halves that [address, address + bytes) lies in.
  void fill(CacheLine& line, std::uint64_t address, unsigned bytes, Fill what, L2Lookup& found);
  void mark_dirty(CacheLine& line, std::uint8_t sectors);
  /// False for what the host keeps, where the L2 does not.
  bool keeps(std::uint64_t address) const { return host_.l2_keeps() || !host_.leads_to(address); }

  const TimingSpec& spec_;
  const AddressMap& map_;
  const HostLink& host_;
  TagArray<CacheLine> tags_;
  std::uint64_t dirty_lines_ = 0;
  std::vector<CacheLine*> coming_;  ///< lines whose `ready` is a number
};

}  // namespace wavetank::timing
