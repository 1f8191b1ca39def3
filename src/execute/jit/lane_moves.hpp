// Host code for loads and stores within a strip, whatever the addresses of its lanes are: side by
// side, all the same, or anywhere; of scratch at one offset or at several. Strips of which an
// active lane is outside of the arena or of LDS are left to the handlers.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

inline constexpr unsigned kLineBytes = 64;

/// Bytes that code touches of an element, beyond it too where it loads.
inline unsigned reach_of(const Move& move) {
  return move.stores ? move.bytes : move.words() == 3 ? 16 : std::max(move.bytes, 4u);
}

/// A run's store, which comes when all of a strip is known to be well.
struct LaneStore {
  unsigned op = 0;  ///< of the run
  /// The lanes' addresses. No `high`: 32 bits; no `low`: none of their own.
  Id low = kNoValue, high = kNoValue;
  std::vector<Id> words;
};

/// The place of each lane's access to scratch, without what all share (lane_scratch.cpp).
Id draw_scratch_place(Sketch& sketch, const RunOp& step);
/// The dword that a store of a part of it leaves in scratch, of which `old` was there.
Id draw_merged(Sketch& sketch, const RunOp& step, Id old, Id data);

/// Draws a load of a run: its results become words that the code of its place gives. Of a store
/// gives what is left to do.
std::optional<LaneStore> draw_move(Sketch& sketch, const RunOp& step, unsigned number);

/// The code of a run's loads and store. How lanes are compared and moved is the host's.
class LaneMoves : public StripMoves {
 public:
  LaneMoves(const VectorUnit& unit, HostCode& code, const Run& run);

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
  /// How lanes are known to lie: emit_address() makes rax the first lane's address without what
  /// all share, and may spoil r11 and r12; emit_if_same() goes to a label if all lanes lie there,
  /// and not side by side from there on.
  class KnownPlace {
   public:
    virtual ~KnownPlace() = default;
    virtual void emit_address() = 0;
    virtual void emit_if_same(Label& same) = 0;
  };
  /// The same of a strip without inactive lanes of which that is known.
  void emit_known_load(StripCode& strip, Id id, const Node& place, KnownPlace& known);
  void emit_known_store(StripCode& strip, const LaneStore& store, KnownPlace& known);

 protected:
  /// An access of the present strip.
  struct Access {
    Move move;
    const Op* op;
    const MemoryOperands& memory() const { return op->memory; }
    Vector low, spare, lower, upper;
    Vector rest;  ///< of stores of more than two words
    std::optional<Vector> high;
    std::vector<Vector> words;  ///< element by element
    std::uint32_t base = 0;     ///< the lower bit of its Base; 0: of none
    bool base_tested = false;   ///< by a load before
  };
  static int most_offset(const Access& a);
  static int offset_of(const Access& a, unsigned element);
  /// Bytes from a lane's place on that code touches.
  static int reach_of_lane(const Access& a);
  /// rax += what the addresses of all lanes share; spoils r12.
  void add_shared(const Access& a);
  /// r12d = the greatest of the lanes' 32-bit places that is inside; leaves the strip if none is.
  void emit_greatest_place(StripCode& strip, const Access& a);
  void words_to_columns(const Access& a, Vector scratch);
  /// Of four words of each lane, the rows of the lanes 0, 1, 2 and 3 of each quarter of a register:
  /// in `scratch` and what the access has beside its words.
  using Rows = std::array<Vector, 4>;
  Rows columns_to_rows(const Access& a, Vector scratch);
  /// Does what `body` does for `count` active lanes, one by one.
  using DoLane = std::function<void(unsigned lane)>;
  void for_active(StripCode& strip, unsigned first, unsigned count, const DoLane& body);

  HostCode& code_;

 private:
  // ---- what each host does in its own way

  /// Goes to `none` where no lane is active.
  virtual void emit_any_active(Label& none) = 0;
  /// r12d = the number of the first active lane.
  virtual void emit_first_active(StripCode& strip) = 0;
  /// to = the first active lane's word.
  virtual void emit_first(StripCode& strip, Vector words, Vector spare, const Xbyak::Reg32& to) = 0;
  virtual void broadcast(Vector to, const Xbyak::Reg32& from) = 0;
  /// Goes to `otherwise` where words of active lanes are not those of `expected`.
  virtual void emit_equal(StripCode& strip, Vector lanes, Vector expected, Label& otherwise) = 0;
  /// From rax on, where lane 0 lies or would lie.
  virtual void load_side_by_side(StripCode& strip, const Access& a) = 0;
  virtual void store_side_by_side(StripCode& strip, const Access& a) = 0;
  /// They leave strips of which an active lane is not inside.
  virtual void load_anywhere(StripCode& strip, const Access& a) = 0;
  virtual void store_anywhere(StripCode& strip, const Access& a) = 0;
  /// Leaves the strip where a place of an active lane is above r12d.
  virtual void leave_above(StripCode& strip, const Access& a) = 0;

  /// The lanes' addresses that several loads of a run go by: what the first one finds out about
  /// them in a strip, the others ask for in two bits of r15.
  struct Base {
    Id low, high;
    unsigned bytes;  ///< of an element
    unsigned loads = 1;
    bool tested = false;
  };
  static constexpr std::size_t kMostBases = 16;
  /// How lanes lie: the bit of a Base that says so.
  enum class Pattern : unsigned { kSideBySide, kSame };
  Base* base_of(const Node& place);
  void emit_if_known(const Access& a, Pattern pattern, Label& otherwise);
  void emit_found(const Access& a, Pattern pattern);
  Access access(StripCode& strip, unsigned op, Id low, Id high);
  void load_words_of(StripCode& strip, Id id, Access& a);
  void emit_any_store(StripCode& strip, const LaneStore& store);
  unsigned reach_of_strip(const Move& move) const;
  void emit_high(StripCode& strip, const Access& a, Label& otherwise);
  void emit_rising(StripCode& strip, const Access& a, Label& otherwise);
  void emit_side_by_side(StripCode& strip, const Access& a, Label& otherwise);
  void emit_all_the_same(StripCode& strip, const Access& a, Label& otherwise);
  void emit_inside(const Access& a, unsigned bytes, Label& otherwise);
  void load_same(const Access& a);
  void emit_scratch(StripCode& strip, Access& a, bool varies);
  void emit_scratch_begin();
  void emit_scratch_buffer(const Op& op, Label& other);
  void emit_shared_place(StripCode& strip, const Access& a);

  const VectorUnit& unit_;
  const Run& run_;
  bool global_ = false, lds_ = false;
  std::vector<Base> bases_;
};

}  // namespace wavetank::execute::jit
