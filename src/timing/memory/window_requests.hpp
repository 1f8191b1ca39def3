// What the ports asked in a window, in the order of the requests' times; at the same time the port
// that comes first is served first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timing/memory/address_map.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"
#include "timing/window_crew.hpp"

namespace wavetank::timing {

class WindowRequests {
 public:
  WindowRequests(const TimingSpec& spec, const AddressMap& map) : spec_(spec), map_(map) {}

  /// A request, and where it goes.
  struct Asked {
    MemoryRequest* request;
    std::uint64_t line;  ///< of the L2, and where it looks for that
    std::uint32_t set;
    std::uint32_t channel;  ///< of all, XCD by XCD
  };

  /// Takes all that the ports ask, in place of what it had, on all threads if it is much.
  void collect(std::span<MemoryPort* const> ports, WindowCrew& crew);
  /// Takes one request of an XCD.
  void take(unsigned xcd, MemoryRequest& request);
  /// Requests that it has.
  std::size_t size() const { return turns_.size(); }
  bool empty() const { return turns_.empty(); }
  /// The request whose turn it is.
  const Asked& at(std::size_t turn) const { return asked_[turns_[turn] & (kMost - 1)]; }
  /// Its time.
  std::uint64_t time(std::size_t turn) const { return turns_[turn] >> kBits; }

 private:
  /// Makes room for so many.
  void resize(std::size_t requests);
  void put(std::size_t number, unsigned xcd, MemoryRequest& request);
  /// Sorts turns_, which are in the order of asked_, by time.
  void sort();

  /// More requests than all CUs of a device can make in a window.
  static constexpr unsigned kBits = 22;
  static constexpr std::uint64_t kMost = std::uint64_t{1} << kBits;

  const TimingSpec& spec_;
  const AddressMap& map_;
  std::vector<Asked> asked_;          ///< as many as there are turns, and what is left of others
  std::vector<std::uint64_t> turns_;  ///< time, and in the lower bits the number in asked_
  std::vector<std::size_t> first_of_port_;  ///< the number in asked_ of each port's first request
  // Of sort(), kept for their storage.
  std::vector<std::uint64_t> sorted_;
  std::vector<std::uint32_t> places_;
};

}  // namespace wavetank::timing
