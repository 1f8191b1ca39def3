// One HBM channel: a bandwidth that reads and writes share, each at the share of the peak that
// streaming measurements reach, a loss when they mix, and pages that reads open.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/bandwidth.hpp"

namespace wavetank::timing {

class HbmChannel {
 public:
  /// The controller gathers the requests of `gathered_pages` pages of a bank from its queue before
  /// it opens another.
  struct Spec {
    double peak_bytes_per_cycle, read_efficiency, write_efficiency;
    std::uint32_t turnaround_cycles;
    std::uint32_t banks, gathered_pages, page_bytes, page_miss_cycles;
  };
  explicit HbmChannel(const Spec& spec)
      : spec_(spec),
        open_pages_(spec.banks * spec.gathered_pages, ~std::uint64_t{0}),
        bus_(spec.peak_bytes_per_cycle, 6, 512),
        openings_(openings_per_cycle(spec), 6, 512) {}

  /// Moves `bytes` at or after `time`; gives the end. `place` is the address within the channel.
  std::uint64_t read(std::uint64_t time, unsigned bytes, std::uint64_t place) {
    const std::uint64_t opened = open(time, place);
    const double moved = bytes / spec_.read_efficiency + turn(time, false);
    return std::max(opened, bus_.reserve(time, moved));
  }
  std::uint64_t write(std::uint64_t time, unsigned bytes) {
    return bus_.reserve(time, bytes / spec_.write_efficiency + turn(time, true));
  }
  void start_launch() {
    bus_ = Bandwidth(spec_.peak_bytes_per_cycle, 6, 512);
    openings_ = Bandwidth(openings_per_cycle(spec_), 6, 512);
    epoch_ = 0;
    has_read_ = has_written_ = false;
  }
  /// Cycles since start_launch() in which the bus moved data or turned, or pages were opened:
  /// whichever are more.
  double busy_cycles() const {
    return std::max(bus_.passed() / bus_.units_per_cycle(),
                    openings_.passed() / openings_.units_per_cycle());
  }

 private:
  /// Opens the page of `place` unless it is open; gives when it may be read. Pages open beside the
  /// transfers of other banks, but only so many in a time. Writes open none: they wait in the L2
  /// and leave it page by page (gpu-stream init reaches 92 % of the peak).
  std::uint64_t open(std::uint64_t time, std::uint64_t place) {
    const std::uint64_t page = place / spec_.page_bytes;
    // Neighbouring pages lie in different banks; the fold keeps powers of two from meeting in one.
    const std::uint64_t bank = (page ^ page / spec_.banks) % spec_.banks;
    std::uint64_t* const pages = &open_pages_[bank * spec_.gathered_pages];
    std::uint64_t* const end = pages + spec_.gathered_pages;
    if (std::find(pages, end, page) != end || spec_.page_miss_cycles == 0) return time;
    std::copy_backward(pages, end - 1, end);
    pages[0] = page;
    return openings_.reserve(time, 1);
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

  static double openings_per_cycle(const Spec& spec) {
    return 1.0 / std::max<std::uint32_t>(spec.page_miss_cycles, 1);
  }

  static constexpr std::uint64_t kEpochCycles = 256;
  Spec spec_;
  std::vector<std::uint64_t> open_pages_;
  Bandwidth bus_, openings_;
  std::uint64_t epoch_ = 0;
  bool has_read_ = false, has_written_ = false;
};

}  // namespace wavetank::timing
