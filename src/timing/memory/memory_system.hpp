// All that lies beyond the vector L1: the L2 of each XCD, the fabric, the MALL and HBM. It belongs
// to a device and keeps its contents from launch to launch.
//
//   CU --port--> L2 channel --miss--> fabric port of the XCD --> MALL slice --miss--> HBM channel
//                                              |
//                                              +--> the host's link
//
// What the requests of a window find in the L2s is looked up first, for each channel in the order
// of its requests. Then a request is followed from end to end before the next one is; every stage
// is a Bandwidth that may be asked out of order. Latencies are those that published pointer chases
// measured, split between the stages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "timing/caches/l2_channel.hpp"
#include "timing/channel_moments.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/fabric_port.hpp"
#include "timing/memory/far_memory.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"
#include "timing/window_crew.hpp"

namespace wavetank::timing {

class MemorySystem {
 public:
  explicit MemorySystem(const TimingSpec& spec);
  MemorySystem(const MemorySystem&) = delete;
  MemorySystem& operator=(const MemorySystem&) = delete;

  /// Answers what the ports asked in a window, in the order of the requests' times; at the same
  /// time the port that comes first is served first. The crew shares the look-ups in the L2s.
  void serve(std::span<MemoryPort* const> ports, WindowCrew& crew);
  /// Answers one request of an XCD; gives when the answer is back.
  std::uint64_t serve(unsigned xcd, const MemoryRequest& request);
  /// What the device does when a kernel ends: MI300 writes its L2s back.
  std::uint64_t end_of_kernel(std::uint64_t time);
  /// Holds what another device's memory system holds, as far as it fits.
  void take_contents(const MemorySystem& other);
  /// Forgets when things happened, not what the caches hold: the next launch starts at cycle 0.
  /// Of `arguments`, if the host keeps them, the caches forget what they hold. The traffic of
  /// `arrays`, which are in the order of their addresses, will be told apart.
  void start_launch(AddressRange arguments = {}, const std::vector<AddressRange>& arrays = {});

  /// Of all channels, XCD by XCD.
  std::vector<ChannelCounters> channel_counters() const;
  /// Bytes that crossed each level since start_launch().
  struct Traffic {
    double l2_read = 0, l2_written = 0, l2_requests = 0, l2_hits = 0;
    double fabric_read = 0, fabric_written = 0;
    double mall_requests = 0, mall_hits = 0;
    double hbm_read = 0, hbm_written = 0;
  };
  Traffic traffic() const;
  /// Most of a launch that moved so much in all was not simulated: a cache that is smaller than
  /// what came to it and left it holds nothing of the simulated part any more.
  void pass_unseen(const Traffic& whole);
  /// The same by array: what the lanes' requests moved through the L2s' upper ports, and HBM.
  std::vector<ArrayTally::Bytes> l2_arrays() const;
  const std::vector<ArrayTally::Bytes>& hbm_arrays() const { return far_.arrays().bytes(); }
  /// Cycles from start_launch() to end_of_kernel() in which each instance of a level worked: what
  /// bytes do not show, such as parts of lines, turnarounds and rows.
  struct BusyCycles {
    std::vector<double> l2;        ///< of channels, XCD by XCD
    std::vector<double> l2_lanes;  ///< the same, without the scalar and instruction caches
    std::vector<double> fabric;    ///< of ports
    std::vector<double> mall;      ///< of slices
    FarMemory::Rows rows;
    std::vector<double> hbm;  ///< of channels
    /// Those in which the busiest instance of each moment worked.
    double l2_moments = 0, mall_moments = 0, hbm_moments = 0;
  };
  const BusyCycles& busy_cycles() const { return busy_; }
  /// The same until now.
  BusyCycles count_busy() const;

 private:
  struct Xcd {
    Xcd(const TimingSpec& spec, const AddressMap& map, FarMemory& far, HostLink& host)
        : fabric(spec, far, host) {
      channels.reserve(spec.l2.channels);
      for (std::uint32_t i = 0; i < spec.l2.channels; ++i) channels.emplace_back(spec, map, fabric);
    }
    FabricPort fabric;
    std::vector<L2Channel> channels;
  };
  /// The L2s hold nothing of a range any more, which must begin with a line.
  void forget(AddressRange range);
  /// Sees which channels and banks had work since the last look.
  void look(std::uint64_t time);
  /// The same before the requests of a window are served, if it is time.
  void look_if_due();
  /// Writes back an XCD's dirty lines and gives the end.
  std::uint64_t write_back(unsigned xcd, std::uint64_t time);

  /// A request of the window that is served.
  struct Asked {
    MemoryRequest* request;
    std::uint64_t line;  ///< of the L2, and where it looks for that
    std::uint32_t set;
    std::uint32_t number;  ///< of the channel
  };
  /// Serves all turns.
  void serve_asked(WindowCrew& crew);
  /// Looks up turns [begin, end), channel by channel, on all threads if they are many.
  void look_up(std::size_t begin, std::size_t end, WindowCrew& crew);
  void look_up_shared(std::size_t begin, std::size_t end, WindowCrew& crew);
  void look_up(L2Channel& channel, std::span<const std::uint32_t> turns);
  /// Serves a turn that was looked up.
  void answer(std::size_t turn);
  /// Puts what the ports asked into asked_ and turns_, on all threads if it is much.
  void collect(std::span<MemoryPort* const> ports, WindowCrew& crew);
  /// Makes turns_ so long, and asked_ as long at least.
  void make_room(std::size_t requests);
  void ask(std::size_t number, unsigned xcd, MemoryRequest& request);
  /// Sorts turns_, which are in the order of asked_, by time.
  void sort_turns();
  /// Lets the host bring what serving this and later turns will look at.
  void look_ahead(std::size_t turn) const;
  const Asked& at(std::size_t turn) const { return asked_[turns_[turn] & (kMostAsked - 1)]; }
  /// The channel of an address, by its number among all, XCD by XCD.
  std::size_t channel_of(unsigned xcd, std::uint64_t address) const {
    return std::size_t{xcd} * spec_.l2.channels + map_.l2_channel(address);
  }

  /// More requests than all CUs of a device can make in a window.
  static constexpr unsigned kAskedBits = 22;
  static constexpr std::uint64_t kMostAsked = std::uint64_t{1} << kAskedBits;
  /// Turns from which on things are brought: a look-up takes about as long as the host's memory.
  static constexpr std::size_t kSetAhead = 12, kLineAhead = 8, kFarAhead = 4;
  /// Too few requests to share the look-ups.
  static constexpr std::size_t kFewestToShare = 256;
  static constexpr std::size_t kMostAtOnce = 2048;

  TimingSpec spec_;
  AddressMap map_;
  FarMemory far_;
  HostLink host_;
  std::vector<std::unique_ptr<Xcd>> xcds_;
  std::vector<Asked> asked_;  ///< as many as there are turns, and what is left of other windows
  std::vector<std::size_t> first_of_port_;  ///< the number in asked_ of each port's first request
  std::vector<std::uint64_t> turns_;        ///< time, and in the lower bits the number in asked_
  std::vector<L2Lookup> found_;             ///< by turn ...
  std::vector<L2Lookup> found_before_;      ///< ... and in the window before
  /// Channels of which lines came, by number, some of them often: they settle in the next window.
  std::vector<std::uint32_t> brought_, brought_before_;
  std::vector<L2Channel*> channels_;  ///< all of them, XCD by XCD
  // Of look_up(): the turns of each channel, side by side, and where those of each end.
  std::vector<std::uint32_t> turns_of_channels_, ends_;
  // Of sort_turns(), kept for their storage.
  std::vector<std::uint64_t> sorted_;
  std::vector<std::uint32_t> places_;
  BusyCycles busy_;
  ChannelMoments l2_moments_, mall_moments_, hbm_moments_;
};

}  // namespace wavetank::timing
