// Edges: orders that a program's source might have and its code has not. A listened launch can run
// as if they were there, so that a change is proved before it is made (docs/decisions/0023).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace wavetank::machine {

enum class EdgeKind : std::uint8_t {
  kBarrier,      ///< __syncthreads()
  kFence,        ///< __threadfence(): waits for all memory, writes caches back, forgets them
  kAtomic,       ///< the instruction accesses memory as a read-modify-write atomic does
  kGridBarrier,  ///< this_grid().sync(); a second launch from there on orders the same
};

/// True if workgroups may learn of each other by such an edge.
constexpr bool orders_groups(EdgeKind kind) {
  return kind == EdgeKind::kFence || kind == EdgeKind::kGridBarrier;
}

/// One, before an instruction of a kernel.
struct Edge {
  EdgeKind kind = EdgeKind::kBarrier;
  std::uint64_t offset_bytes = 0;  ///< of the instruction, from the kernel's entry
  std::string kernel;              ///< the kernel's symbol
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// "barrier@40@_Z3sumPi,fence@64@_Z3sumPi": offsets are decimal.
std::string to_text(const std::vector<Edge>& edges);
/// Reads such a text. Errors: kUsage with the word that is no edge.
Result<std::vector<Edge>> parse_edges(std::string_view text);

}  // namespace wavetank::machine
