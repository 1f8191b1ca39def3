// The way from a CU, or from the small caches beside it, to the L2. Time passes in windows: what is
// asked in one is answered when it ends, by each channel in the order of the times of its requests
// (decision 8).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace wavetank::timing {

/// What the L2 does with a request.
struct AccessScope {
  bool bypass_l2 = false;     ///< device scope where several L2s exist: goes on to memory
  bool streaming = false;     ///< non-temporal: the line is the next to go
  bool whole_sectors = true;  ///< a write of whole 32-byte sectors; others are merged in the L2
};

/// What the L2 and memory count by: a write's parts, and what is read of a line.
inline constexpr unsigned kSectorBytes = 32, kHalfLineBytes = 64;

/// Bytes of a write whose sectors are the bits of `sectors`.
constexpr unsigned written_bytes(unsigned sectors) {
  return kSectorBytes * static_cast<unsigned>(std::popcount(sectors));
}

struct MemoryRequest {
  enum class Kind : std::uint8_t {
    kRead,       ///< `amount` bytes, within a line
    kSmallRead,  ///< the same for a scalar or instruction cache: times are those at the channel
    kWrite,      ///< bit i of `amount`: 32 bytes at address + 32 i, within a line
    kAtomic,     ///< read-modify-writes within 64 bytes, on average `amount` on an address
    kWriteBack   ///< of all dirty lines of the XCD (buffer_wbl2)
  };
  Kind kind = Kind::kRead;
  std::uint16_t amount = 0;  ///< a line has at most 16384 bytes (target/parameter_table.hpp)
  AccessScope scope;
  std::uint64_t address = 0;
  std::uint64_t time = 0;  ///< when it leaves
  std::uint64_t back = 0;  ///< the answer: when the CU has its data, or knows that it is done
  std::uint64_t latency() const { return back - time; }
};

/// A cycle that is known now, or with the answer to a request of this window.
class Due {
 public:
  Due() = default;
  static Due at(std::uint64_t cycle) { return Due(cycle); }
  static Due with(std::uint32_t request) { return Due(kUnknown | request); }
  bool known() const { return (bits_ & kUnknown) == 0; }
  /// It must be known.
  std::uint64_t cycle() const { return bits_; }
  /// It must not.
  std::uint32_t request() const { return static_cast<std::uint32_t>(bits_); }
  bool operator==(const Due&) const = default;

 private:
  static constexpr std::uint64_t kUnknown = std::uint64_t{1} << 63;
  explicit Due(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

class MemoryPort {
 public:
  explicit MemoryPort(unsigned xcd) : xcd_(xcd) {}
  unsigned xcd() const { return xcd_; }

  /// Gives the request's number.
  std::uint32_t send(const MemoryRequest& request) {
    // Made in place, part by part: a copy of what was just put together waits for its parts.
    requests_.emplace_back() = request;
    return static_cast<std::uint32_t>(requests_.size() - 1);
  }
  /// Requests since clear(), answered or not.
  const std::vector<MemoryRequest>& requests() const { return requests_; }
  std::vector<MemoryRequest>& requests() { return requests_; }
  std::uint64_t back(std::uint32_t request) const { return requests_[request].back; }
  /// The next window begins.
  void clear() { requests_.clear(); }

 private:
  const unsigned xcd_;
  std::vector<MemoryRequest> requests_;
};

}  // namespace wavetank::timing
