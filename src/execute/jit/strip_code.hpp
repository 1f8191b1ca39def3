// Host code for a plan on one strip of lanes: as many as a vector register of the host has words.
//
// Every value stays in a register from where it is computed to its last use; results are
// stored when the strip is done. Until then nothing in memory has changed, so that a strip with a
// lane that host arithmetic does not serve (a NaN result, an operand too large for a plain
// division) can be left to the interpreter as a whole. Inactive lanes compute what they like and
// store nothing.
//
// A word is a vector register; a double is two. Which lanes each of the two has is the host's, and
// so is what a lane mask is. What hosts share is here: where values are, and operations that are
// one instruction on all of them. The rest is a few functions of a class for each host
// (avx512_strip.hpp, avx2_strip.hpp).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "execute/jit/vector_unit.hpp"

namespace wavetank::execute::jit {

using Xbyak::Label;

/// The exponents and the signs of two floats.
inline constexpr std::uint64_t kExponents = 0x7f8000007f800000, kSigns = 0x8000000080000000;

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
  /// As VectorUnit::new_strip has it.
  StripCode(const VectorUnit& unit, HostCode& host, const Graph& graph, const Plan& plan,
            bool masked, unsigned strip, unsigned spill_places);
  virtual ~StripCode() = default;
  /// The strip loads or stores, and is left to `exit`. The last `kept` registers hold
  /// what the run's code put there.
  void set_moves(StripMoves& moves, unsigned kept, Label& exit);
  /// A vector register of the GPU's that a register of the host holds, one of those that are kept.
  struct Pin {
    unsigned name, reg;
  };
  /// From now on these are where their values come from, and keep_results() puts results.
  void pin(std::span<const Pin> pins) { pins_.assign(pins.begin(), pins.end()); }
  /// Instead of store_results(), of a strip without inactive lanes: results of registers that pin()
  /// named stay in the host's, others are stored.
  void keep_results();
  /// The strip's number beyond that which rdx and rcx point to.
  unsigned index() const { return strip_; }

  /// Loads EXEC of a masked strip; goes to `empty`, if there is one, where no lane is active.
  virtual void load_exec(Label* empty) = 0;
  /// Emits all of the plan but its results. False if it does not fit: failed_op() is the op of the
  /// run that asked for too many registers, or for what the host has no code for.
  bool emit();
  /// The same in steps, for two strips in turn, each with half of the host's registers: a node, as
  /// long as there is one, then settle().
  void share(unsigned part);
  bool at_end() const { return at_ >= plan_.order.size(); }
  bool emit_next();
  bool settle();
  unsigned failed_op() const { return failed_op_; }
  bool failed() const { return failed_; }
  /// Emits what is left of the tests: goes to `exit` where an active lane is not well. False if
  /// there was nothing to test.
  virtual bool finish_tests(Label& exit) = 0;
  /// Writes the results to the vector registers.
  void store_results();
  /// The lane mask that the plan gives as bits in eax.
  virtual void mask_to_eax(Id value) = 0;
  /// A value in a register.
  Vector value(Id id) { return in_register(id, 0); }
  /// From rdx to a vector register's lanes of this strip.
  std::int32_t vector_offset(unsigned name) const;
  /// From rcx to a lane mask's lanes of this strip, by its lower SGPR.
  std::int32_t mask_offset(unsigned sgpr) const {
    return static_cast<std::int32_t>(4 * sgpr + strip_ * unit_.mask_bytes());
  }
  /// A register for a word that is loaded.
  Vector loaded(Id id) { return take_for(id, 0); }
  bool masked() const { return masked_; }
  /// A register until the node ends, or the store.
  Vector temporary();
  /// Frees the registers that a store has used.
  void end_store() { end_node(Node{}); }

  /// Leaves the strip where a and b differ in an active lane.
  virtual void require_equal(Vector a, const Xbyak::Operand& b) = 0;
  /// Where strips are left at once, without a look at the tests.
  Label& exit() {
    exits_ = true;
    return *exit_;
  }
  bool exits() const { return exits_; }

  HostCode& code;

 protected:
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
    Vector reg;
    Xbyak::Address memory{512, false, Xbyak::RegExp()};
    const Xbyak::Operand& get() const {
      return in_memory ? static_cast<const Xbyak::Operand&>(memory) : reg;
    }
  };

  // registers
  Vector reg(unsigned number) const { return {unit_.kind, static_cast<int>(number)}; }
  Vector scratch() const { return reg(unit_.vectors); }
  unsigned take();
  unsigned next_ask(Id id) const;
  bool spill(unsigned slot);
  Xbyak::Address spilled(Id id, unsigned half);
  Vector take_for(Id id, unsigned half);
  void drop(unsigned slot);
  Vector in_register(Id id, unsigned half);
  Source source(Id id, unsigned half);
  bool folds(Id id, unsigned half) const;
  std::optional<Vector> pinned(unsigned name) const;
  std::optional<Vector> pinned(const Node& node) const {
    return node.what == Do::kRegister ? pinned(static_cast<unsigned>(node.bits)) : std::nullopt;
  }
  void load_value(Vector to, const Node& leaf);
  /// Where from rdx on a kRowSource has its words for this strip, which is the `strip_`th.
  struct RowWords {
    std::int32_t offset;
    bool one;  ///< for all lanes
  };
  RowWords row_source(const Node& leaf) const;
  void load_row_source(Vector to, const Node& leaf);
  void lock(const Node& node);
  void end_node(const Node& node);
  void release(Id id, unsigned half);
  void release_mask(Id id);
  void release_spill(Id id, unsigned half);
  void release_all(const Node& node, unsigned half);
  bool dies(Id id) const;
  bool in_mask_register(Id id) const { return unit_.masks != 0 && graph_[id].kind == Kind::kMask; }
  Vector result_over(Id id, Id first, unsigned half);
  void move(Vector to, const Xbyak::Operand& from) { (code.*unit_.load)(to, from); }

  // nodes
  void emit_node(Id id, const Node& node);
  bool emit_plain(Id id, const Node& node);
  bool emit_arithmetic(Id id, const Node& node);
  void emit_shift(Id id, const Node& node);
  VectorUnit::Three plain_instruction(Do what, bool halves) const;
  void emit_pairs(Id id, const Node& node);
  void emit_lane_number(Vector to);
  void emit_fma(Id id, const Node& node);
  void emit_round(Id id, const Node& node);
  void emit_ordered(Id a, Id b);
  bool is_required(Id id, std::size_t at) const;
  void load_moved_registers();
  Vector stored_value(Id value);

  // ---- what each host does in its own way

  /// Can instructions take the leaf from memory, and where is it?
  virtual bool lies_in_memory(const Node& leaf) const = 0;
  virtual Xbyak::Address leaf_memory(const Node& leaf) = 0;
  virtual void load_leaf(Vector to, const Node& leaf) = 0;
  virtual void store_active(const Xbyak::Address& to, Vector from) = 0;
  virtual void emit_shift_of_halves(Id id, const Node& node) = 0;
  virtual void emit_of_both(Vector to, const Node& node) = 0;
  virtual void emit_ternary(Id id, const Node& node) = 0;
  virtual void emit_add_where(Id id, const Node& node) = 0;
  /// A minimum or maximum of two floats in registers or memory.
  virtual void emit_choice(Vector to, const Node& node, Vector a, const Source& b) = 0;
  /// Instead of a division or a root that the host would wait for; false if it would not.
  virtual bool emit_estimate(Id id, const Node& node) = 0;
  virtual void emit_fma_to_odd(Id id, const Node& node) = 0;
  virtual void emit_nan_of(Id id, const Node& node) = 0;
  virtual void emit_unless_nan(Id id, const Node& node) = 0;
  virtual void emit_conversion(Id id, const Node& node) = 0;
  virtual void emit_halves(Id id, const Node& node) = 0;
  virtual void emit_to_double(Id id, const Node& node) = 0;
  virtual void emit_from_double(Id id, const Node& node) = 0;
  virtual void emit_join(Id id, const Node& node) = 0;
  virtual void emit_part(Vector to, Id from, bool high) = 0;
  virtual void emit_permute(Id id, const Node& node) = 0;
  virtual void emit_compare(Id id, const Node& node) = 0;
  virtual void emit_mask(Id id, const Node& node) = 0;
  virtual void emit_select(Id id, const Node& node) = 0;
  virtual void emit_require(Id mask) = 0;
  /// A comparison that must hold in active lanes.
  virtual void emit_required(const Node& comparison) = 0;

  const VectorUnit& unit_;
  const Graph& graph_;
  const Plan& plan_;
  bool masked_;
  unsigned strip_;
  StripMoves* moves_ = nullptr;
  Label* exit_ = nullptr;
  bool exits_ = false;
  bool failed_ = false;
  std::vector<Pin> pins_;
  std::optional<unsigned> part_;  ///< of two strips node by node, which it is
  unsigned failed_op_ = 0;
  std::vector<Slot> slots_, masks_;
  std::vector<std::array<std::int8_t, 2>> places_;  ///< of each value's halves; -1: none
  std::vector<std::uint16_t> left_;                 ///< uses that are still to come
  std::vector<std::array<std::int8_t, 2>> spills_;  ///< where halves are kept in memory; -1: not
  std::vector<bool> spill_taken_;
  std::size_t at_ = 0;
};

}  // namespace wavetank::execute::jit
