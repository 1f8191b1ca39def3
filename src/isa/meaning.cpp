#include "isa/meaning.hpp"

#include <array>
#include <utility>
#include <vector>

#include "isa/catalogue.hpp"

namespace wavetank::isa {
namespace {

using Named = std::pair<std::string_view, Meaning>;

/// Name beginnings, each up to the types of its operands; the longer ones first where one begins
/// with another.
constexpr std::array kBeginnings = {
    Named("s_movk_", Meaning::kMove),
    Named("s_mov_", Meaning::kMove),
    Named("v_mov_", Meaning::kMove),
    Named("s_addk_", Meaning::kAdd),
    Named("s_addc_", Meaning::kAddCarry),
    Named("s_add_", Meaning::kAdd),
    Named("s_sub_", Meaning::kSubtract),
    Named("v_addc_co_", Meaning::kAddCarry),
    Named("v_add_co_", Meaning::kAdd),
    Named("v_add_lshl_", Meaning::kAddShiftLeft),
    Named("v_add_", Meaning::kAdd),
    Named("v_add3_", Meaning::kAdd3),
    Named("v_subrev_co_", Meaning::kSubtractReversed),
    Named("v_subrev_", Meaning::kSubtractReversed),
    Named("v_sub_co_", Meaning::kSubtract),
    Named("v_sub_", Meaning::kSubtract),
    Named("s_lshl_", Meaning::kShiftLeft),
    Named("v_lshlrev_", Meaning::kShiftLeftReversed),
    Named("v_lshl_add_", Meaning::kShiftLeftAdd),
    Named("v_lshl_or_", Meaning::kShiftLeftOr),
    Named("s_and_saveexec_", Meaning::kAndSaveExec),
    Named("s_andn2_saveexec_", Meaning::kAndNotSaveExec),
    Named("s_andn1_saveexec_", Meaning::kNotAndSaveExec),
    Named("s_or_saveexec_", Meaning::kOrSaveExec),
    Named("s_andn2_wrexec_", Meaning::kOther),
    Named("s_andn2_", Meaning::kAndNot),
    Named("s_and_", Meaning::kAnd),
    Named("v_and_b32", Meaning::kAnd),
    Named("s_or_", Meaning::kOr),
    Named("v_or_b32", Meaning::kOr),
    Named("s_xor_saveexec_", Meaning::kOther),
    Named("s_xor_", Meaning::kXor),
    Named("v_xor_b32", Meaning::kXor),
    Named("s_mul_i32", Meaning::kMultiply),
    Named("v_mul_lo_", Meaning::kMultiply),
    Named("v_mul_f", Meaning::kMultiply),
    Named("v_min_", Meaning::kMinimum),
    Named("v_max_", Meaning::kMaximum),
    Named("s_getpc_", Meaning::kProgramCounter),
    Named("v_readfirstlane_", Meaning::kFirstLane),
    Named("v_readlane_", Meaning::kFirstLane),
    Named("v_accvgpr_write_", Meaning::kAccumulatorWrite),
    Named("v_accvgpr_read_", Meaning::kAccumulatorRead),
    Named("v_fma_f", Meaning::kFused),
    Named("v_fmac_f", Meaning::kFused),
    Named("v_cvt_", Meaning::kConvert),
    Named("v_rcp_iflag_", Meaning::kReciprocalInteger),
    Named("v_rcp_", Meaning::kReciprocal),
    Named("v_sqrt_", Meaning::kSquareRoot),
    Named("v_div_scale_", Meaning::kDivideScale),
    Named("v_div_fmas_", Meaning::kDivideFuse),
    Named("v_div_fixup_", Meaning::kDivideFixup),
    Named("v_cmp_", Meaning::kCompare),
    Named("v_cmpx_", Meaning::kCompare),
    Named("v_swap_", Meaning::kSwap),
    Named("s_movrel", Meaning::kRegisterIndexed),
};

Meaning find_meaning(const Row& row) {
  for (const auto& [beginning, meaning] : kBeginnings) {
    if (row.name.starts_with(beginning)) return meaning;
  }
  return Meaning::kOther;
}

std::vector<Meaning> all_meanings() {
  std::vector<Meaning> meanings;
  for (const Row& row : catalogue()) meanings.push_back(find_meaning(row));
  return meanings;
}

}  // namespace

Meaning meaning_of(const Row& row) {
  static const auto& meanings = *new std::vector<Meaning>(all_meanings());
  return meanings[row.id];
}

}  // namespace wavetank::isa
