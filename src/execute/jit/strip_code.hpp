// Host code for a run of per-lane ops on one strip of 16 lanes.
//
// Within a strip every vector register that the run touches stays in a zmm register: it is loaded
// at its first use, and stored when the strip is done. Until then nothing in memory has changed, so
// that a strip with a lane that host arithmetic does not serve (a NaN result, an operand too large
// for a plain division) can be left to the interpreter as a whole. k5 and k6 collect the lanes that
// are well, in turn; k7 holds EXEC where lanes are inactive. Inactive lanes compute what they like
// and store nothing.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/assembler.hpp"
#include "execute/jit/opcodes.hpp"

namespace wavetank::execute::jit {

/// Emits one strip. Recipes (recipes.cpp) use the first part of the interface, an op at a time;
/// compiling a run (block.cpp) the second.
class StripCode {
 public:
  /// The strip is `strip` strips beyond that which rdx and rcx point to.
  StripCode(Assembler& assembler, const Run& run, const Uses& uses, bool masked, unsigned strip);

  // ---- for recipes: operands of the present op. `part` 1 is the upper register of a pair.

  const Op& op() const { return *run_[at_].op; }
  const isa::Row& row() const { return *run_[at_].row; }
  /// The present load's or store's address, where it is known.
  const std::optional<Line>& line() const { return run_[at_].line; }
  std::span<const RunOp> ops() const { return run_; }
  /// From rdx to a vector register's lanes of this strip.
  std::int32_t vector_offset(unsigned name) const;
  /// Source `index` as any operand, with its neg and abs modifiers, or in a register.
  Operand operand(unsigned index, unsigned part = 0);
  Zmm source(unsigned index, unsigned part = 0);
  /// The same with modifiers that the recipe chose.
  Operand operand(unsigned index, unsigned part, bool negate, bool absolute);
  Zmm source(unsigned index, unsigned part, bool negate, bool absolute);
  /// The accumulator: the destination's old value.
  Zmm accumulator(unsigned part = 0);
  /// A register that holds a source's value and may be overwritten. `carries_nan`: with a result
  /// that is NaN if the source is.
  Zmm copy_of_source(unsigned index, unsigned part, bool carries_nan);
  Zmm copy_of_accumulator(unsigned part, bool carries_nan);
  bool is_vector(unsigned index) const { return op().kind[index] == Source::kVector; }
  bool is_constant(unsigned index) const { return op().kind[index] == Source::kConstant; }
  std::uint32_t constant(unsigned index, unsigned part = 0) const {
    return static_cast<std::uint32_t>(op().constant[index] >> (32 * part));
  }
  bool same_source(unsigned a, unsigned b) const {
    return op().kind[a] == op().kind[b] &&
           (is_constant(a) ? constant(a) == constant(b) : op().src[a] == op().src[b]);
  }
  bool negated(unsigned index) const { return ((op().neg >> index) & 1) != 0; }
  bool absolute(unsigned index) const { return ((op().abs >> index) & 1) != 0; }

  /// A vector register's value by name, and the place of its new one.
  Zmm register_value(unsigned name);
  Zmm register_result(unsigned name);
  /// 0, 4, 8 ... in the lanes, where keep_steps() has been called.
  static constexpr Zmm steps() { return kSteps; }

  /// A register until the op ends.
  Zmm temporary();
  /// The register of the result.
  Zmm result(unsigned part = 0);
  /// Makes a register the result.
  void give(Zmm value, unsigned part = 0);
  /// The result as given may be NaN, and is if a source that this op read is.
  void may_be_nan(unsigned part = 0);

  KMask mask_source(unsigned sgpr);
  KMask mask_temporary();
  /// The lane mask of the result; only lanes of among() may be set in it.
  KMask mask_result();
  /// False if the run overwrites this op's lane mask unread: then there may be no mask_result().
  bool mask_needed() const;
  /// Active lanes: k0 (no restriction) where all are.
  KMask among() const { return KMask{static_cast<std::uint8_t>(masked_ ? kExec.number : 0)}; }
  bool masked() const { return masked_; }

  /// Leaves the strip to the interpreter where a or b is NaN.
  void require_ordered(Zmm a, const Operand& b);
  /// Leaves it where value >= limit, unsigned.
  void require_below(Zmm value, std::uint32_t limit);
  /// Leaves it where a and b differ.
  void require_equal(Zmm a, const Operand& b);
  /// Leaves it in the lanes of a mask.
  void require_none(KMask lanes);
  /// Leaves it at once where the host's flags say so.
  void leave_if(std::uint8_t condition) { exits_.push_back(code.jump_ahead(condition)); }
  /// This op cannot be compiled after all.
  void decline() { failed_ = true; }

  Assembler& code;

  // ---- for compiling a run

  /// The run's code has put 4 * lane into steps(): no value takes its place.
  void keep_steps() { zmms_[kSteps.number].use = Use::kFixed; }
  /// The same for what the strips before have left in kept(): each strip has one.
  void keep_strips() {
    for (unsigned strip = 0; strip < 4; ++strip) zmms_[kept(strip).number].use = Use::kFixed;
  }
  static constexpr Zmm kept(unsigned strip) {
    return Zmm{static_cast<std::uint8_t>(kSteps.number - 4 + strip)};
  }
  /// From rsp, the place of a number that the strips keep, 0 to 15: below it, where signals leave
  /// 128 bytes alone.
  static constexpr std::uint8_t kept_on_stack(unsigned number) {
    return static_cast<std::uint8_t>(-8 * static_cast<int>(number + 1));
  }
  /// Starts op `index` of the run, and ends it: results take their registers' places. False if it
  /// cannot be compiled: too many registers, or declined.
  void begin(unsigned index);
  bool end();
  /// Tests the results that still wait for it. True if any op left something to test: then k6 says
  /// which lanes are well.
  bool finish_tests();
  /// Writes the results to the vector registers.
  void store_results();
  /// Jumps out of the strip that leave_if() made.
  std::span<const std::size_t> exits() const { return exits_; }
  /// The present value of a lane mask that the run has written.
  KMask written_mask(unsigned sgpr) const;

  static constexpr KMask kWellToo{5}, kWell{6}, kExec{7};

 private:
  enum class Use : std::uint8_t { kFree, kHeld, kHome, kWaiting, kFixed };
  /// A zmm or k register of the host.
  struct Slot {
    Use use = Use::kFree;
    unsigned name = 0;       ///< what it is home of
    bool dirty = false;      ///< memory has an older value
    bool maybe_nan = false;  ///< a result that no test has covered yet
    unsigned touched_at = ~0u;
  };
  struct Pending {
    unsigned name;
    unsigned slot;
    bool maybe_nan;
  };
  /// Where a source is: a vector register by name, or a uniform operand.
  struct Place {
    bool vector = false;
    unsigned name = 0;
    Operand uniform = Operand::bits(0);
  };
  static constexpr unsigned kZmms = 31;  // zmm31 is scratch
  static constexpr Zmm kScratch{31}, kSteps{30};
  static constexpr unsigned kMasks = 4;  // k1 to k4
  static constexpr unsigned kMaskNames = Uses::kMaskNames;

  Place place(unsigned index, unsigned part, bool negate, bool absolute) const;
  Operand read(const Place& place);
  Zmm load(const Place& place);
  Zmm with_modifiers(Zmm value, bool negate, bool absolute);
  Zmm copy(const Place& place, bool carries_nan);
  bool read_again(unsigned name) const;
  bool dead_after(unsigned name, bool dirty) const;
  bool is_dead(unsigned name) const;
  unsigned allocate(std::span<Slot> slots);
  void release(Slot& slot, unsigned number);
  int home_of(unsigned name) const;
  void test_nan(unsigned first, unsigned second);
  void test_waiting();
  /// Where a test's result goes, and the lanes that it is restricted to.
  struct Collector {
    KMask well, before;
  };
  Collector next_collector();
  void require(Opcode compare, Zmm a, const Operand& b, std::uint8_t predicate);
  void commit(std::span<Slot> slots, const std::vector<Pending>& results);
  void give_up_if_unread(std::span<Slot> slots, unsigned name);

  const std::vector<RunOp>& run_;
  const Uses& uses_;
  std::span<const unsigned> dead_masks_, dead_registers_;
  bool masked_;
  unsigned strip_;
  bool failed_ = false;
  unsigned tests_ = 0;
  int waiting_ = -1;  ///< a zmm whose value nobody needs but for its test, with another's
  unsigned at_ = 0;
  std::array<Slot, kZmms> zmms_;
  std::array<Slot, kMasks> masks_;
  std::array<std::int8_t, Uses::kNames> homes_;  ///< slot of each name, -1 where it has none
  std::vector<Pending> results_, mask_results_;
  std::vector<unsigned> consumed_;
  std::vector<std::size_t> exits_;
};

}  // namespace wavetank::execute::jit
