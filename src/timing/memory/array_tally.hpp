// Bytes by the array that their addresses lie in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/memory/address_range.hpp"

namespace wavetank::timing {

class ArrayTally {
 public:
  struct Bytes {
    double read = 0, written = 0;
  };

  /// Counts anew, for ranges in the order of their addresses that do not overlap.
  void start_launch(const std::vector<AddressRange>& ranges) {
    ranges_ = ranges;
    bytes_.assign(ranges.size(), {});
    last_ = 0;
  }
  void read(std::uint64_t address, unsigned bytes) {
    if (is_known(address)) bytes_[last_].read += bytes;
  }
  void wrote(std::uint64_t address, unsigned bytes) {
    if (is_known(address)) bytes_[last_].written += bytes;
  }
  /// One for each range.
  const std::vector<Bytes>& bytes() const { return bytes_; }
  /// Adds them to those of other tallies of the same ranges.
  void add_to(std::vector<Bytes>& sum) const {
    sum.resize(bytes_.size());
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      sum[i].read += bytes_[i].read;
      sum[i].written += bytes_[i].written;
    }
  }

 private:
  /// True if an address lies in a range, which is the last one then. Requests that follow each
  /// other mostly are to the same array.
  bool is_known(std::uint64_t address) {
    if (ranges_.empty()) return false;
    if (ranges_[last_].has(address)) return true;
    const auto behind = std::ranges::upper_bound(ranges_, address, {}, &AddressRange::begin);
    if (behind == ranges_.begin()) return false;
    const auto at = static_cast<std::size_t>(behind - ranges_.begin()) - 1;
    if (!ranges_[at].has(address)) return false;
    last_ = at;
    return true;
  }

  std::vector<AddressRange> ranges_;
  std::vector<Bytes> bytes_;
  std::size_t last_ = 0;
};

}  // namespace wavetank::timing
