// Addresses that are known before a loop's rounds: those of lanes that lie side by side, or all at
// one place, and that each round moves by the same for all lanes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/lane_moves.hpp"
#include "execute/jit/line.hpp"
#include "execute/jit/sketch.hpp"

namespace wavetank::execute::jit {

/// A word that is the same for all lanes.
struct SharedWord {
  enum class Where : std::uint8_t { kConstant, kWave, kRegister };
  Where where = Where::kConstant;
  std::uint32_t bits = 0;  ///< the constant, or bytes from the wave's begin, or a vector register
                           ///< that the loop does not change
};

/// A vector register, or a pair, that makes addresses and nothing else: what its lanes hold
/// follows from the first lane's value.
struct FollowedRegister {
  unsigned name = 0;
  bool pair = false;
  unsigned rise = 0;     ///< from lane to lane, where they do not all hold the same
  std::size_t run = 0;   ///< that changes it, at its end
  SharedWord low, high;  ///< what that adds; `high` to a pair's upper word
  bool holds(unsigned other) const { return other == name || (pair && other == name + 1); }
};

/// A load or store of a run whose address follows from such a register.
struct FollowedPlace {
  std::size_t run = 0;
  unsigned op = 0;
  Line line;
  unsigned rise = 0;   ///< of the line's register, for lanes side by side
  std::size_t by = 0;  ///< the register's number
};

struct FollowedPlaces {
  std::vector<FollowedRegister> registers;
  std::vector<FollowedPlace> places;

  const FollowedPlace* at(std::size_t run, unsigned op) const;
  bool holds(unsigned name) const;
  /// Vector registers that must be the same in all lanes, and that the loop does not change.
  std::set<unsigned> shared_registers() const;
};

/// Finds them in the runs of a round.
class LoopPlaces {
 public:
  /// The next run as it is drawn, with its stores.
  void add_run(const Sketch& sketch, const Run& run, std::span<const LaneStore> stores);
  /// Registers in `others` are needed as they are.
  FollowedPlaces find(const std::set<unsigned>& others) const;

 private:
  using SharedPair = std::pair<SharedWord, SharedWord>;
  /// What a run makes of a register.
  struct Change {
    std::size_t run = 0;
    bool again = false;                       ///< another run changes it, too
    std::optional<SharedWord> added;          ///< to the register
    std::optional<SharedPair> added_to_pair;  ///< that it begins
  };
  void add_place(const Graph& graph, const Run& run, unsigned op, Id low, Id high);
  std::optional<FollowedRegister> follow(const Line& line, unsigned rise) const;
  bool changes(unsigned name) const { return changes_.contains(name); }
  bool is_kept(const SharedWord& word) const {
    return word.where != SharedWord::Where::kRegister || !changes(word.bits);
  }

  std::size_t runs_ = 0;
  std::vector<FollowedPlace> places_;
  std::map<unsigned, Change> changes_;
};

}  // namespace wavetank::execute::jit
