// One HBM channel: a bus that reads and writes share, each at the share of the peak that streaming
// measurements reach, a loss for writes among reads, and banks that open one row at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/bandwidth.hpp"
#include "timing/channel_moments.hpp"
#include "timing/memory/array_tally.hpp"
#include "timing/memory/fabric_request.hpp"

namespace wavetank::timing {

/// Where a channel keeps an address.
struct HbmPlace {
  std::uint32_t bank = 0;  ///< of both pseudo channels
  std::uint64_t row = 0;   ///< within the bank
};

class HbmChannel {
 public:
  /// Halves of a channel, each with banks of its own (JEDEC JESD235).
  static constexpr std::uint32_t kPseudoChannels = 2;
  /// Windows in which a bank's openings are remembered (bandwidth.hpp).
  static constexpr unsigned kBankWindows = 64;
  struct Spec {
    double peak_bytes_per_cycle, read_efficiency, write_efficiency;
    std::uint32_t turnaround_cycles;
    std::uint32_t banks;  ///< of a pseudo channel
    double row_cycles;    ///< between two rows that a bank opens (tRC)
  };
  explicit HbmChannel(const Spec& spec) : spec_(spec), bus_(idle_bus(spec)) {
    const std::uint32_t banks = spec.banks * kPseudoChannels;
    banks_.reserve(banks);
    for (std::uint32_t i = 0; i < banks; ++i) banks_.emplace_back(spec);
  }

  /// Serves a read or a write, and counts it.
  void serve(FabricRequest& request, HbmPlace place) {
    if (request.kind == FabricRequest::Kind::kWrite) {
      bytes_written_ += request.amount;
      arrays_.wrote(request.address, request.amount);
      request.done = write(request.time, request.amount, place);
    } else {
      bytes_read_ += request.amount;
      arrays_.read(request.address, request.amount);
      request.done = read(request.time, request.amount, place);
    }
    request.answered = true;
  }
  /// Moves `bytes` at or after `time`; gives the end.
  std::uint64_t read(std::uint64_t time, unsigned bytes, HbmPlace place) {
    last_read_ = std::max(last_read_, time);
    has_read_ = true;
    return move(time, bytes / spec_.read_efficiency, place);
  }
  std::uint64_t write(std::uint64_t time, unsigned bytes, HbmPlace place) {
    return move(time, bytes / spec_.write_efficiency + turns(time, bytes), place);
  }
  /// A request of this place will come: lets the host bring its bank.
  void prefetch(HbmPlace place) const {
    const Bank& bank = banks_[place.bank % banks_.size()];
    __builtin_prefetch(&bank);
    __builtin_prefetch(&bank.open_row);
  }
  /// Forgets when things happened, not which rows are open. The traffic of `arrays`, which are in
  /// the order of their addresses, will be told apart.
  void start_launch(const std::vector<AddressRange>& arrays) {
    arrays_.start_launch(arrays);
    bytes_read_ = bytes_written_ = 0;
    bus_.start_launch();
    for (Bank& bank : banks_) bank.openings.start_launch();
    moments_.start_launch();
    last_read_ = 0;
    has_read_ = false;
  }
  /// Has the rows open that another channel has.
  void take_rows(const HbmChannel& other) {
    const std::size_t both = std::min(banks_.size(), other.banks_.size());
    for (std::size_t i = 0; i < both; ++i) banks_[i].open_row = other.banks_[i].open_row;
  }
  /// Sees which banks opened rows since the last look.
  void look(std::uint64_t time) {
    std::vector<double> opening(banks_.size());
    std::ranges::transform(banks_, opening.begin(),
                           [](const Bank& bank) { return bank.openings.busy_cycles(); });
    moments_.look(time, opening);
  }
  /// What serve() moved since start_launch(), in all and by array.
  double bytes_read() const { return bytes_read_; }
  double bytes_written() const { return bytes_written_; }
  const ArrayTally& arrays() const { return arrays_; }
  /// Cycles from start_launch() to the last look in which the bus moved data or turned, or the
  /// busiest bank opened rows: whichever are more.
  double busy_cycles() const { return std::max(bus_cycles(), bank_cycles()); }
  /// Cycles in which the bus moved data or turned.
  double bus_cycles() const { return bus_.busy_cycles(); }
  /// Cycles in which the busiest bank of each moment opened rows: arrays that march through memory
  /// together meet in one bank after the other, which no bank's sum shows.
  double bank_cycles() const { return moments_.busiest_cycles(); }
  /// Rows that banks opened.
  double rows_opened() const {
    double rows = 0;
    for (const Bank& bank : banks_) rows += bank.openings.passed();
    return rows;
  }

 private:
  struct Bank {
    explicit Bank(const Spec& spec) : openings(idle_openings(spec)) {}
    Bandwidth openings;
    std::uint64_t open_row = ~std::uint64_t{0};
  };
  static Bandwidth idle_bus(const Spec& spec) {
    return Bandwidth(spec.peak_bytes_per_cycle, 6, 512);
  }
  /// Windows of several openings each: requests come out of order. A row cycle of 0 is as short as
  /// makes no difference.
  static Bandwidth idle_openings(const Spec& spec) {
    return Bandwidth(1.0 / std::max(spec.row_cycles, 1e-3), 9, kBankWindows);
  }

  std::uint64_t move(std::uint64_t time, double units, HbmPlace place) {
    const std::uint64_t opened = open(time, place);
    return std::max(opened, bus_.reserve(time, units));
  }

  /// Opens a row unless it is open; gives when the bank begins with it, for what it takes to open
  /// one is part of the latency. Banks open rows beside each other and beside the transfers.
  std::uint64_t open(std::uint64_t time, HbmPlace place) {
    Bank& bank = banks_[place.bank % banks_.size()];
    if (bank.open_row == place.row) return time;
    bank.open_row = place.row;
    const std::uint64_t next = bank.openings.reserve(time, 1);
    return std::max(time, next - std::min(next, static_cast<std::uint64_t>(spec_.row_cycles)));
  }

  /// A controller gathers writes until there are some and passes them together, between reads: each
  /// pays a part of the turn to writes and back (decision 41).
  double turns(std::uint64_t time, unsigned bytes) const {
    const bool among_reads = has_read_ && time < last_read_ + kAmongReadsCycles;
    if (!among_reads) return 0;
    return spec_.turnaround_cycles * spec_.peak_bytes_per_cycle * bytes / kGatheredBytes;
  }

  /// Behind the last read by so much a write finds no other one. Assumed; anything from 64 to 4096
  /// changes copies of large arrays by less than 2 %.
  static constexpr std::uint64_t kAmongReadsCycles = 512;
  /// 32 writes of 64 bytes. Assumed: only its ratio to the length of a turn matters.
  static constexpr double kGatheredBytes = 2048;
  Spec spec_;
  Bandwidth bus_;
  std::vector<Bank> banks_;
  ChannelMoments moments_;
  std::uint64_t last_read_ = 0;
  bool has_read_ = false;
  ArrayTally arrays_;
  double bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace wavetank::timing
