// AVX-512 code for a plan on one strip of 16 lanes.
//
// Every value stays in a zmm or k register from where it is computed to its last use; results are
// stored when the strip is done. Until then nothing in memory has changed, so that a strip with a
// lane that host arithmetic does not serve (a NaN result, an operand too large for a plain
// division) can be left to the interpreter as a whole. k5 and k6 collect the lanes that are well,
// in turn; k7 holds EXEC where lanes are inactive. Inactive lanes compute what they like and store
// nothing.
//
// A word is a zmm; a double is two, of lanes 0 to 7 and 8 to 15.
#pragma once

#include <array>
#include <vector>

#include "execute/jit/host_code.hpp"
#include "execute/jit/plan.hpp"

namespace wavetank::execute::jit {

using Xbyak::Label, Xbyak::Opmask, Xbyak::Zmm;

class StripCode;
/// Loads, when a strip comes to a place (lane_moves.hpp, last_moves.hpp).
class StripMoves {
 public:
  virtual ~StripMoves() = default;
  /// Does what the node `id`, a kPlace, and the words behind it stand for; leaves the strip where
  /// that cannot be.
  virtual void emit_load(StripCode& strip, Id id, const Node& place) = 0;
};

class StripCode {
 public:
  /// The strip is `strip` strips beyond that which rdx and rcx point to. Without `masked` all its
  /// lanes are active. There is room for `spill_places` registers at rsp.
  StripCode(HostCode& host, const Graph& graph, const Plan& plan, bool masked, unsigned strip,
            unsigned spill_places);
  /// The strip loads or stores, and is left to `exit`. `kept` registers from zmm30 downwards hold
  /// what the run's code put there.
  void set_moves(StripMoves& moves, unsigned kept, Label& exit);

  /// Emits all of the plan but its results. False if it does not fit: failed_op() is the op of the
  /// run that asked for too many registers.
  bool emit();
  /// The same in steps, for two strips in turn, each with half of the host's registers: a node, as
  /// long as there is one, then settle().
  void share(unsigned part);
  bool at_end() const { return at_ >= plan_.order.size(); }
  bool emit_next();
  bool settle();
  unsigned failed_op() const { return failed_op_; }
  bool failed() const { return failed_; }
  /// Emits what is left of the tests. True if there were any: then well() says which lanes are
  /// well.
  bool finish_tests();
  Opmask well() const { return Opmask(static_cast<int>(well_)); }
  /// Writes the results to the vector registers.
  void store_results();
  /// The present value of a lane mask that the plan gives.
  Opmask mask_value(Id value);
  /// A value in a register.
  Zmm value(Id id) { return in_register(id, 0); }
  /// From rdx to a vector register's lanes of this strip.
  std::int32_t vector_offset(unsigned name) const;
  /// A register for a word that is loaded.
  Zmm loaded(Id id) { return take_for(id, 0); }
  bool masked() const { return masked_; }
  /// A register until the node ends.
  Zmm temporary();

  /// Leaves the strip where a and b differ in an active lane.
  void require_equal(Zmm a, const Xbyak::Operand& b);
  /// Where strips are left at once, without a look at the tests.
  Label& exit() {
    exits_ = true;
    return *exit_;
  }
  bool exits() const { return exits_; }

  HostCode& code;

  static constexpr unsigned kScratch = 31, kZmms = 31, kMasks = 4;
  static constexpr unsigned kSecondWell = 5, kFirstWell = 6, kExec = 7;

 private:
  using Three = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Xmm&,
                                               const Xbyak::Operand&);
  using ThreeFree = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Operand&,
                                                   const Xbyak::Operand&);
  struct Slot {
    Id id = kNoValue;  ///< whose value it holds
    std::uint8_t half = 0;
    bool busy = false;    ///< has a value, or is a temporary
    bool locked = false;  ///< the present node needs it
    bool fixed = false;   ///< not for values
  };
  /// An operand in a register or in memory.
  struct Source {
    bool in_memory = false;
    Zmm reg;
    Xbyak::Address memory{512, false, Xbyak::RegExp()};
    const Xbyak::Operand& get() const {
      return in_memory ? static_cast<const Xbyak::Operand&>(memory) : reg;
    }
  };

  // registers
  unsigned take();
  unsigned next_ask(Id id) const;
  bool spill(unsigned slot);
  Xbyak::Address spilled(Id id, unsigned half);
  Zmm take_for(Id id, unsigned half);
  void drop(unsigned slot);
  Zmm in_register(Id id, unsigned half);
  Source source(Id id, unsigned half);
  Xbyak::Address leaf_memory(const Node& leaf);
  void load_leaf(Zmm to, const Node& leaf);
  bool folds(Id id, unsigned half) const;
  void lock(const Node& node);
  void end_node(const Node& node);
  void release(Id id, unsigned half);
  void release_mask(Id id);
  void release_spill(Id id, unsigned half);
  void release_all(const Node& node, unsigned half);
  bool dies(Id id) const;
  Zmm result_over(Id id, Id first, unsigned half);
  Opmask mask_in(Id id);
  Opmask take_mask(Id id);
  Opmask mask_temporary();

  // nodes
  void emit_node(Id id, const Node& node);
  bool emit_plain(Id id, const Node& node);
  bool emit_arithmetic(Id id, const Node& node);
  bool emit_shift(Id id, const Node& node);
  void emit_halves(Id id, const Node& node);
  static Three plain_instruction(Do what, bool halves);
  void emit_of_both(Zmm to, const Node& node);
  void emit_pairs(Id id, const Node& node);
  void emit_ternary(Id id, const Node& node);
  void emit_add_where(Id id, const Node& node);
  bool divider_is_free();
  void emit_reciprocal(Id id, const Node& node);
  void emit_square_root(Id id, const Node& node);
  void emit_fma(Id id, const Node& node);
  void emit_fma_to_odd(Id id, const Node& node);
  void emit_round(Id id, const Node& node);
  void emit_conversion(Id id, const Node& node);
  void emit_from_double(Id id, const Node& node);
  void emit_to_double(Id id, const Node& node);
  void emit_join(Id id, const Node& node);
  void emit_part(Zmm to, Id from, bool high);
  void emit_select(Id id, const Node& node);
  void emit_permute(Id id, const Node& node);
  void emit_compare(Opmask to, const Node& node, Opmask among);
  void emit_mask(Id id, const Node& node);
  void emit_require(const Node& node);
  void emit_ordered(Id a, Id b);
  bool is_required(Id id, std::size_t at) const;
  void load_moved_registers();
  Zmm stored_value(Id value);
  Opmask next_collector(Opmask& among);

  const Graph& graph_;
  const Plan& plan_;
  bool masked_;
  unsigned strip_;
  StripMoves* moves_ = nullptr;
  Label* exit_ = nullptr;
  bool exits_ = false;
  bool failed_ = false, shares_ = false;
  unsigned well_ = kFirstWell;
  std::size_t divided_at_ = 0;  ///< code position of the last division; 0: none yet
  unsigned failed_op_ = 0, tests_ = 0;
  std::array<Slot, kZmms> slots_;
  std::array<Slot, kMasks> masks_;
  std::vector<std::array<std::int8_t, 2>> places_;  ///< of each value's halves; -1: none
  std::vector<std::uint16_t> left_;                 ///< uses that are still to come
  std::vector<std::array<std::int8_t, 2>> spills_;  ///< where halves are kept in memory; -1: not
  std::vector<bool> spill_taken_;
  std::size_t at_ = 0;
};

}  // namespace wavetank::execute::jit
