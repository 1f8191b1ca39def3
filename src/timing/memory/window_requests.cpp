#include "timing/memory/window_requests.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::timing {

void WindowRequests::resize(std::size_t requests) {
  turns_.resize(requests);
  if (asked_.size() < requests) asked_.resize(requests);
}

void WindowRequests::put(std::size_t number, unsigned xcd, MemoryRequest& request) {
  turns_[number] = request.time << kBits | number;
  asked_[number] = {&request, map_.line(request.address), map_.l2_set(request.address),
                    xcd * spec_.l2.channels + map_.l2_channel(request.address)};
}

void WindowRequests::take(unsigned xcd, MemoryRequest& request) {
  resize(1);
  put(0, xcd, request);
}

void WindowRequests::collect(std::span<MemoryPort* const> ports, WindowCrew& crew) {
  constexpr std::size_t kPortsOfPiece = 8, kFewestToShare = 256;
  first_of_port_.assign(1, 0);
  for (const MemoryPort* const port : ports) {
    first_of_port_.push_back(first_of_port_.back() + port->requests().size());
  }
  resize(first_of_port_.back());
  const WindowCrew::Work of_piece = [&](std::uint32_t piece, std::uint32_t) {
    const std::size_t end = std::min(ports.size(), (piece + 1) * kPortsOfPiece);
    for (std::size_t i = piece * kPortsOfPiece; i < end; ++i) {
      std::size_t number = first_of_port_[i];
      for (MemoryRequest& request : ports[i]->requests()) put(number++, ports[i]->xcd(), request);
    }
  };
  const auto pieces =
      static_cast<std::uint32_t>((ports.size() + kPortsOfPiece - 1) / kPortsOfPiece);
  if (turns_.size() >= kFewestToShare) {
    crew.share(pieces, of_piece);
  } else {
    for (std::uint32_t piece = 0; piece < pieces; ++piece) of_piece(piece, 0);
  }
  sort();
}

void WindowRequests::sort() {
  // Requests of a window lie in few cycles, unless many wait for their turn in a CU: each cycle's
  // are put together, in the order of asked_.
  if (turns_.empty()) return;
  const auto [least, most] = std::ranges::minmax(turns_);
  const std::uint64_t first = least >> kBits, cycles = (most >> kBits) - first + 1;
  if (cycles > std::max<std::uint64_t>(4096, 8 * turns_.size())) {
    std::ranges::sort(turns_);
    return;
  }
  places_.assign(cycles + 1, 0);
  for (const std::uint64_t turn : turns_) ++places_[(turn >> kBits) - first + 1];
  std::partial_sum(places_.begin(), places_.end(), places_.begin());
  sorted_.resize(turns_.size());
  for (const std::uint64_t turn : turns_) sorted_[places_[(turn >> kBits) - first]++] = turn;
  turns_.swap(sorted_);
}

}  // namespace wavetank::timing
