// Which registers an op reads and writes.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "execute/jit/line.hpp"
#include "execute/op.hpp"
#include "isa/row.hpp"

namespace wavetank::execute::jit {

/// Register names of one op. Vector registers by index in the unified file, scalar ones by SGPR
/// index; a lane mask is named by its lower SGPR.
struct Access {
  std::vector<unsigned> vector_reads, vector_writes;
  std::vector<unsigned> scalar_reads;  ///< as values: each dword
  std::vector<unsigned> mask_reads, mask_writes;
};

/// Plain loads and stores of a dword for each lane (from LDS also loads of two), by their memory.
enum class MoveSpace : std::uint8_t { kNone, kGlobal, kLds };
/// kNone for all other ops.
MoveSpace move_space(const Op& op, const isa::Row& row);
/// The registers of a per-lane op, or of a load or store with a move_space().
Access access_of(const Op& op, const isa::Row& row);
/// Of such a load or store without its address.
Access access_of_data(const Op& op, const isa::Row& row);

/// An op of a run, with what it touches.
struct RunOp {
  const Op* op = nullptr;
  const isa::Row* row = nullptr;
  Access access;
  std::optional<Line> line;  ///< the address, where it is known as one (follow_addresses)
};

/// A run as it is found and cut to what compiles.
struct Run {
  std::vector<RunOp> ops;            ///< without those that do nothing
  std::vector<std::size_t> ends;     ///< for each op, the slot after it and idle ones that follow
  std::vector<unsigned> dead_masks;  ///< SGPR pairs that it writes and nobody reads afterwards
  std::vector<unsigned> dead_registers;  ///< vector registers of which the same holds
};

/// When a run's ops read and write each register. Registers have names: vector registers their
/// index, lane masks kMaskNames + SGPR.
class Uses {
 public:
  static constexpr unsigned kMaskNames = 512, kNames = kMaskNames + 128;
  struct Event {
    unsigned op;
    bool read;
  };

  explicit Uses(std::span<const RunOp> run);
  /// The events of a register from op `op` on, in order.
  std::span<const Event> from(unsigned name, unsigned op) const;

 private:
  std::array<std::vector<Event>, kNames> events_;
};

}  // namespace wavetank::execute::jit
