// One HBM channel: a bandwidth that reads and writes share, each at the share of the peak that
// streaming measurements reach, and a loss when they mix.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/bandwidth.hpp"

namespace wavetank::timing {

class HbmChannel {
 public:
  struct Spec {
    double peak_bytes_per_cycle, read_efficiency, write_efficiency;
    std::uint32_t turnaround_cycles;
    std::uint32_t banks, page_bytes, page_miss_cycles;
  };
  explicit HbmChannel(const Spec& spec)
      : spec_(spec),
        open_pages_(spec.banks, ~std::uint64_t{0}),
        bus_(spec.peak_bytes_per_cycle, 6, 512) {}

  /// Moves `bytes` at or after `time`; gives the end. `place` is the address within the channel.
  std::uint64_t read(std::uint64_t time, unsigned bytes, std::uint64_t place) {
    return bus_.reserve(time, bytes / spec_.read_efficiency + open(place) + turn(time, false));
  }
  std::uint64_t write(std::uint64_t time, unsigned bytes, std::uint64_t place) {
    return bus_.reserve(time, bytes / spec_.write_efficiency + open(place) + turn(time, true));
  }
  void start_launch() {
    bus_ = Bandwidth(spec_.peak_bytes_per_cycle, 6, 512);
    epoch_ = 0;
    has_read_ = has_written_ = false;
  }
  double busy_bytes() const { return bus_.passed(); }

 private:
  /// What opening another page of a bank costs the bus, in bytes that could have passed.
  double open(std::uint64_t place) {
    const std::uint64_t page = place / spec_.page_bytes;
    // Neighbouring pages lie in different banks; the fold keeps powers of two from meeting in one.
    std::uint64_t& open_page = open_pages_[(page ^ page / spec_.banks) % spec_.banks];
    if (open_page == page) return 0;
    open_page = page;
    return spec_.page_miss_cycles * spec_.peak_bytes_per_cycle;
  }

  /// A controller gathers requests of one direction; what it pays is one turn in each epoch in
  /// which both directions are asked for.
  double turn(std::uint64_t time, bool write) {
    const std::uint64_t epoch = time / kEpochCycles;
    if (epoch != epoch_) {
      epoch_ = epoch;
      has_read_ = has_written_ = false;
    }
    bool& own = write ? has_written_ : has_read_;
    const bool other = write ? has_read_ : has_written_;
    const bool turns = other && !own;
    own = true;
    return turns ? spec_.turnaround_cycles * spec_.peak_bytes_per_cycle : 0;
  }

  static constexpr std::uint64_t kEpochCycles = 256;
  Spec spec_;
  std::vector<std::uint64_t> open_pages_;
  Bandwidth bus_;
  std::uint64_t epoch_ = 0;
  bool has_read_ = false, has_written_ = false;
};

}  // namespace wavetank::timing
