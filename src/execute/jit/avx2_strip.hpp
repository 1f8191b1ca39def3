// Strips of eight lanes on hosts with AVX2, FMA and F16C (strip_code.hpp).
#pragma once

#include <optional>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// Masks are words of all ones or zeros. One register collects the lanes that are well, from the
/// first test on; where lanes are inactive another one says which, as blends with what memory
/// holds ask for it.
class Avx2Strip : public StripCode {
 public:
  Avx2Strip(HostCode& host, const Graph& graph, const Plan& plan, bool masked, unsigned strip,
            unsigned spill_places)
      : StripCode(kAvx2Unit, host, graph, plan, masked, strip, spill_places) {}

  void load_exec(Label* empty) override;
  bool finish_tests(Label& exit) override;
  void mask_to_eax(Id value) override { code.vmovmskps(code.eax, in_register(value, 0)); }
  /// Only runs that end a wave ask for it.
  void require_equal(Vector, const Xbyak::Operand&) override { failed_ = true; }

  static constexpr int kVectors = 15, kInactive = kVectors - 1;
  static constexpr unsigned kAllLanes = 0xff;  ///< as bits

 private:
  bool lies_in_memory(const Node& leaf) const override;
  Xbyak::Address leaf_memory(const Node& leaf) override;
  void load_leaf(Vector to, const Node& leaf) override;
  void store_active(const Xbyak::Address& to, Vector from) override;
  void emit_shift_of_halves(Id id, const Node& node) override;
  void emit_of_both(Vector to, const Node& node) override;
  void emit_ternary(Id, const Node&) override { failed_ = true; }
  void emit_add_where(Id id, const Node& node) override;
  void emit_choice(Vector to, const Node& node, Vector a, const Source& b) override;
  bool emit_estimate(Id, const Node&) override { return false; }
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
  void emit_compare(Id id, const Node& node) override { compare(take_for(id, 0), node); }
  void emit_mask(Id id, const Node& node) override;
  void emit_select(Id id, const Node& node) override;
  void emit_require(Id mask) override;
  void emit_required(const Node& comparison) override;

  void load_mask(Vector to, const Node& leaf);
  void load_bits(Vector to, const Xbyak::Address& from);
  void emit_ones(Vector to) { code.vpcmpeqd(to, to, to); }
  void emit_not(Vector mask);
  void compare(Vector to, const Node& node);
  void compare_floats(Vector to, const Node& node);
  void select_doubles(Id id, const Node& node);
  void find_nans(Vector to, Vector floats, bool wide);
  Vector start_collecting();
  void float_of_uint(Vector to, Vector a);
  void emit_flush(Vector to, Vector a);
  void uint_of_float(Vector to, Vector a);
  void pack_low_halves(Vector to, Vector words);
  Vector inactive() const { return reg(kInactive); }
  bool is_active(Id mask) const { return masked_ && graph_[mask].what == Do::kActive; }

  std::optional<Vector> well_;
};

}  // namespace wavetank::execute::jit
