// All that lies beyond the vector L1: the L2 of each XCD, the fabric, the MALL and HBM. It belongs
// to a device and keeps its contents from launch to launch.
//
//   CU --port--> L2 channel --miss--> fabric port of the XCD --> MALL slice --miss--> HBM channel
//                                              |
//                                              +--> the host's link
//
// The requests of a window pass one stage after the other, each of them all before the next stage:
// their channels, the fabric ports, the slices of the MALL, the channels of HBM, and their own
// channels again. What a stage is made of knows nothing of each other, so all threads share it,
// but for the ports: one thread passes them, request after request. Every part is a Bandwidth that
// may be asked out of order. Latencies are those that published pointer chases measured, split
// between the stages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "timing/caches/l2_channel.hpp"
#include "timing/channel_moments.hpp"
#include "timing/memory/address_map.hpp"
#include "timing/memory/fabric_port.hpp"
#include "timing/memory/far_memory.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/memory/window_requests.hpp"
#include "timing/spec.hpp"
#include "timing/window_crew.hpp"
#include "timing/window_parts.hpp"

namespace wavetank::timing {

class MemorySystem {
 public:
  explicit MemorySystem(const TimingSpec& spec);
  MemorySystem(const MemorySystem&) = delete;
  MemorySystem& operator=(const MemorySystem&) = delete;

  /// Answers what the ports asked in a window; the crew shares the work.
  void serve(std::span<MemoryPort* const> ports, WindowCrew& crew);
  /// Answers one request of an XCD; gives when the answer is back.
  std::uint64_t serve(unsigned xcd, const MemoryRequest& request);
  /// What the device does when a kernel ends: MI300 writes its L2s back.
  std::uint64_t end_of_kernel(std::uint64_t time, WindowCrew& crew);
  /// Holds what another device's memory system held, as far as it fits.
  void take_contents(MemorySystem&& other);
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
  std::vector<ArrayTally::Bytes> hbm_arrays() const;
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
    Xcd(const TimingSpec& spec, const AddressMap& map, const HostLink& host) : fabric(spec, host) {
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
  std::uint64_t write_back(unsigned xcd, std::uint64_t time, WindowCrew& crew);
  /// When the last dirty line has left the L2, and when memory has it.
  struct Cleaned {
    std::uint64_t left = 0, taken = 0;
  };
  /// Memory takes what channels ask of it when they are told to clean themselves by a function that
  /// gives when a channel's last line has left.
  Cleaned clean(std::span<L2Channel* const> channels, WindowCrew& crew,
                const std::function<std::uint64_t(L2Channel&)>& ask_for_it);
  /// What a channel asked passes its fabric port, and waits for the host or for memory.
  void pass(L2Channel& channel, std::span<FabricRequest> asked);

  /// Serves all turns.
  void serve_requests(WindowCrew& crew);
  /// Serves turns [first, end), none of which is a kWriteBack.
  void serve_turns(std::size_t first, std::size_t end, WindowCrew& crew);
  // The stages of it; turns are counted from `first_`.
  void begin(L2Channel& channel, std::span<const std::uint32_t> turns);
  void pass_fabric(std::uint32_t turns);
  void end(L2Channel& channel, std::span<const std::uint32_t> turns);
  const WindowRequests::Asked& at(std::size_t turn) const { return requests_.at(first_ + turn); }

  /// So many turns at a time that what several stages look at stays in the host's caches.
  static constexpr std::size_t kMostAtOnce = 2048;

  TimingSpec spec_;
  AddressMap map_;
  FarMemory far_;
  HostLink host_;
  std::vector<std::unique_ptr<Xcd>> xcds_;
  std::vector<L2Channel*> channels_;  ///< all of them, XCD by XCD
  WindowRequests requests_;
  std::size_t first_ = 0;  ///< of the turns that are being served
  WindowParts<std::uint32_t> of_channels_;
  std::vector<std::uint32_t> passed_;  ///< of each channel's requests
  BusyCycles busy_;
  ChannelMoments l2_moments_, mall_moments_, hbm_moments_;
};

}  // namespace wavetank::timing
