// Host code for loads and stores within a strip, whatever the addresses of its lanes are: side by
// side, all the same, or anywhere. Strips of which an active lane is outside of the arena or of LDS
// are left to the handlers, and so are wide stores of lanes that are not side by side.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// A run's store, which comes when all of a strip is known to be well.
struct LaneStore {
  unsigned op = 0;                     ///< of the run
  Id low = kNoValue, high = kNoValue;  ///< the lanes' addresses; no `high`: 32 bits
  std::vector<Id> words;
};

/// Draws a load of a run: its results become words that the code of its place gives. Of a store
/// gives what is left to do.
std::optional<LaneStore> draw_move(Sketch& sketch, const RunOp& step, unsigned number);

/// The code of a run's loads and store.
class LaneMoves : public StripMoves {
 public:
  LaneMoves(HostCode& code, const Run& run);

  /// Is there any load or store?
  bool any() const { return global_ || lds_; }
  /// Looks for loads that go by the same address, before a form of the run is emitted.
  void find_bases(const Graph& graph);
  /// Keeps the registers that the moves use, and loads what all strips need; spoils rax. A fault
  /// in `guard`'s ranges goes on where they say.
  void emit_begin(const machine::AccessGuard* guard);
  /// Gives the registers back.
  void emit_end();
  void emit_load(StripCode& strip, Id id, const Node& place) override;
  void emit_store(StripCode& strip, const LaneStore& store);

 private:
  /// The lanes' addresses that several loads of a run go by: what the first one finds out about
  /// them in a strip, the others ask for in two bits of r15.
  struct Base {
    Id low, high;
    unsigned bytes;  ///< of an element
    unsigned loads = 1;
    bool tested = false;
  };
  static constexpr std::size_t kMostBases = 16;
  /// An access of the present strip.
  struct Access {
    Move move;
    const MemoryOperands* memory;
    Zmm low, spare, lower, upper;
    std::optional<Zmm> high;
    std::vector<Zmm> words;    ///< element by element
    std::uint32_t base = 0;    ///< the lower bit of its Base; 0: of none
    bool base_tested = false;  ///< by a load before
  };
  /// How lanes lie: the bit of a Base that says so.
  enum class Pattern : unsigned { kSideBySide, kSame };
  Access access(StripCode& strip, unsigned op, Id low, Id high);
  static int most_offset(const Access& a);
  static int offset_of(const Access& a, unsigned element);

  Base* base_of(const Node& place);
  void emit_if_known(const Access& a, Pattern pattern, Label& otherwise);
  void emit_found(const Access& a, Pattern pattern);
  void emit_first(StripCode& strip, const Access& a);
  void emit_high_of_first(StripCode& strip, const Access& a);
  void emit_equal(StripCode& strip, Zmm lanes, Zmm expected, Label& otherwise);
  void emit_high(StripCode& strip, const Access& a, Label& otherwise);
  void emit_rising(StripCode& strip, const Access& a, Label& otherwise);
  void emit_side_by_side(StripCode& strip, const Access& a, Label& otherwise);
  void emit_all_the_same(StripCode& strip, const Access& a, Label& otherwise);
  void emit_inside(const Access& a, unsigned bytes, Label& otherwise);

  void load_side_by_side(StripCode& strip, const Access& a);
  void load_same(const Access& a);
  void store_side_by_side(StripCode& strip, const Access& a);
  void store_pairs(StripCode& strip, const Access& a);
  void words_of_pairs(Zmm even, Zmm odd, const Xbyak::Operand& upper);
  void load_pieces(const Access& a, const std::function<Xbyak::RegExp(unsigned)>& place_of);

  void choose_lanes(StripCode& strip, bool upper);
  void emit_places(StripCode& strip, const Access& a);
  void emit_lds_places(StripCode& strip, const Access& a);
  void load_anywhere(StripCode& strip, const Access& a);
  void gather(StripCode& strip, const Access& a, const Zmm* to);
  void gather_lds(StripCode& strip, const Access& a, const Zmm* to, int offset);
  void load_global_pieces(StripCode& strip, const Access& a);
  void load_lds_pieces(StripCode& strip, const Access& a);
  void store_anywhere(StripCode& strip, const Access& a);

  HostCode& code_;
  const Run& run_;
  bool global_ = false, lds_ = false;
  std::vector<Base> bases_;
};

}  // namespace wavetank::execute::jit
