// Strips of 16 lanes on hosts with AVX-512 (strip_code.hpp).
#pragma once

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

using Xbyak::Opmask, Xbyak::Ymm, Xbyak::Zmm;

/// Instructions that say more in Xbyak than how wide they are.
inline Zmm zmm(Vector value) { return Zmm(value.getIdx()); }
inline Ymm ymm(Vector value) { return Ymm(value.getIdx()); }

/// k5 and k6 collect the lanes that are well, in turn; k7 holds EXEC where lanes are inactive.
class Avx512Strip : public StripCode {
 public:
  Avx512Strip(HostCode& host, const Graph& graph, const Plan& plan, bool masked, unsigned strip,
              unsigned spill_places)
      : StripCode(kAvx512Unit, host, graph, plan, masked, strip, spill_places) {}

  void load_exec(Label* empty) override;
  bool finish_tests(Label& exit) override;
  void mask_to_eax(Id value) override { code.kmovw(code.eax, mask_in(value)); }
  void require_equal(Vector a, const Xbyak::Operand& b) override;

  static constexpr unsigned kScratch = 31, kZmms = 31, kMasks = 4;
  static constexpr unsigned kSecondWell = 5, kFirstWell = 6, kExec = 7;

 private:
  bool lies_in_memory(const Node&) const override { return true; }
  Xbyak::Address leaf_memory(const Node& leaf) override;
  void load_leaf(Vector to, const Node& leaf) override;
  void store_active(const Xbyak::Address& to, Vector from) override;
  void emit_shift_of_halves(Id id, const Node& node) override;
  void emit_of_both(Vector to, const Node& node) override;
  void emit_ternary(Id id, const Node& node) override;
  void emit_add_where(Id id, const Node& node) override;
  void emit_choice(Vector to, const Node& node, Vector a, const Source& b) override;
  bool emit_estimate(Id id, const Node& node) override;
  void emit_fma_to_odd(Id id, const Node& node) override;
  void emit_nan_of(Id id, const Node& node) override;
  void emit_unless_nan(Id id, const Node& node) override;
  void emit_conversion(Id id, const Node& node) override;
  void emit_halves(Id id, const Node& node) override;
  void emit_to_double(Id id, const Node& node) override;
  void emit_from_double(Id id, const Node& node) override;
  void emit_join(Id id, const Node& node) override;
  void emit_part(Vector to, Id from, bool high) override;
  void emit_permute(Id id, const Node& node) override;
  void emit_compare(Id id, const Node& node) override;
  void emit_mask(Id id, const Node& node) override;
  void emit_select(Id id, const Node& node) override;
  void emit_require(Id mask) override;
  void emit_required(const Node& comparison) override;

  bool divider_is_free();
  void fix_up(Vector estimate, Vector operand, std::uint64_t table);
  void emit_reciprocal(Id id, const Node& node);
  void emit_square_root(Id id, const Node& node);
  void compare(Opmask to, const Node& node, Opmask among);
  Opmask well() const { return Opmask(static_cast<int>(part_ == 1u ? kSecondWell : kFirstWell)); }
  Opmask next_collector(Opmask& among);
  Opmask mask_in(Id id);
  Opmask take_mask(Id id);
  Opmask mask_temporary() { return take_mask(kNoValue); }

  unsigned tests_ = 0;
  std::size_t divided_at_ = 0;  ///< code position of the last division; 0: none yet
};

}  // namespace wavetank::execute::jit
