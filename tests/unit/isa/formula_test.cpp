// The formulas that bodies print of themselves.
#include <gtest/gtest.h>

#include <string_view>

#include "isa/catalogue.hpp"
#include "isa/formula.hpp"
#include "isa/text.hpp"

namespace wavetank::tests {
namespace {

using isa::Text;
using Statements = std::vector<std::string>;

Statements of(std::string_view mnemonic) {
  const isa::Row* const row = isa::find_row(mnemonic, isa::kGfx942);
  return row == nullptr ? Statements{"no such row"} : isa::formula(*row);
}

TEST(Formula, AVectorRowIsItsBodyOnItsSources) {
  EXPECT_EQ(of("v_add_f32"), Statements{"D = src0 + src1"});
  EXPECT_EQ(of("v_fmac_f32"), Statements{"D = fma(src0, src1, D)"});
  EXPECT_EQ(of("v_fmaak_f32"), Statements{"D = fma(src0, src1, K)"});
  EXPECT_EQ(of("v_lshlrev_b32"), Statements{"D = src1 << (src0 & 31)"});
  EXPECT_EQ(of("v_div_fmas_f64"), Statements{"D = div_fmas(src0, src1, src2, VCC)"});
  EXPECT_EQ(of("v_cvt_f32_ubyte1"), Statements{"D = f32((src0 >> 8) & 0xff)"});
}

TEST(Formula, MasksStandBesideOrInsteadOfTheResult) {
  EXPECT_EQ(of("v_cmp_nlt_f32"), Statements{"SDST[lane] = !(src0 < src1)"});
  EXPECT_EQ(of("v_cmp_tru_f32"), Statements{"SDST[lane] = true"});
  EXPECT_EQ(of("v_sub_co_u32"), (Statements{"D = src0 - src1", "SDST[lane] = src0 < src1"}));
  EXPECT_EQ(of("v_add_co_u32"), (Statements{"D = src0 + src1", "SDST[lane] = D < src0"}));
  EXPECT_EQ(of("v_div_scale_f32"), Statements{"D, SDST[lane] = div_scale(src0, src1, src2)"});
}

TEST(Formula, AScalarRowSaysWhatBecomesOfSccAndExec) {
  EXPECT_EQ(of("s_and_b32"), (Statements{"D = src0 & src1", "SCC = D != 0"}));
  EXPECT_EQ(of("s_cmp_gt_i32"), Statements{"SCC = src0 > src1"});
  EXPECT_EQ(of("s_andn1_saveexec_b64"),
            (Statements{"D = EXEC", "EXEC = ~src0 & EXEC", "SCC = EXEC != 0"}));
  EXPECT_EQ(of("s_andn2_wrexec_b64"),
            (Statements{"D = src0 & ~EXEC", "EXEC = D", "SCC = EXEC != 0"}));
}

TEST(Formula, WhatReadsTheOldResultComesBeforeTheNewOne) {
  EXPECT_EQ(of("s_addk_i32"),
            (Statements{"SCC = (((D ^ (D + u32(SIMM16))) & (u32(SIMM16) ^ (D + u32(SIMM16)))) >> "
                        "31) != 0",
                        "D = D + u32(SIMM16)"}));
}

TEST(Formula, BranchesSayWhenTheyJump) {
  EXPECT_EQ(of("s_branch"), Statements{"PC = PC + 4 + 4 * SIMM16"});
  EXPECT_EQ(of("s_cbranch_vccz"), Statements{"if (VCC == 0) PC = PC + 4 + 4 * SIMM16"});
  EXPECT_EQ(of("s_cbranch_cdbgsys"), Statements{});
}

TEST(Formula, AnAtomicSaysWhatMemoryHoldsAfterIt) {
  using A = isa::AtomicOperation;
  EXPECT_EQ(isa::atomic_formula(A::kAdd), "old + data");
  EXPECT_EQ(isa::atomic_formula(A::kSignedMin), "min(old, data)   signed");
  EXPECT_EQ(isa::atomic_formula(A::kCompareSwap), "old == comparand ? data : old");
  EXPECT_EQ(isa::atomic_formula(A::kInc), "old >= data ? 0 : old + 1");
  EXPECT_EQ(isa::atomic_formula(A::kDec), "(old == 0) | (old > data) ? data : old - 1");
  EXPECT_EQ(isa::atomic_formula(A::kMaskOr), "(old & ~data0) | data1");
  EXPECT_EQ(isa::atomic_formula(A::kPackedAddF16), "old + data   in each half, f16");
  EXPECT_EQ(isa::atomic_formula(A::kNone), "");
}

TEST(Formula, EveryRowOfValuesHasOne) {
  for (const isa::Row& row : isa::catalogue()) {
    const bool values = row.result.type != isa::Type::kNone || row.mask_result;
    const bool computes = row.meaning == isa::Meaning::kAdd ||
                          row.meaning == isa::Meaning::kConvert ||
                          row.meaning == isa::Meaning::kCompare;
    if (values && computes) EXPECT_FALSE(isa::formula(row).empty()) << row.name;
  }
}

TEST(Text, BracketsStandWhereTheyAreNeeded) {
  const Text a = std::string("a"), b = std::string("b"), c = std::string("c");
  EXPECT_EQ((a + b - c).str(), "a + b - c");
  EXPECT_EQ((a - (b - c)).str(), "a - (b - c)");
  EXPECT_EQ((a * b + c).str(), "a * b + c");
  EXPECT_EQ(((a + b) * c).str(), "(a + b) * c");
  EXPECT_EQ((a | b | c).str(), "a | b | c");
  EXPECT_EQ(((a & b) | c).str(), "(a & b) | c");
  EXPECT_EQ((a << 3u << b).str(), "a << 3 << b");
  EXPECT_EQ((~(a & b)).str(), "~(a & b)");
  EXPECT_EQ((!(a < b)).str(), "!(a < b)");
  EXPECT_EQ((a + b < c).str(), "a + b < c");
  EXPECT_EQ(select(a < b, a, b + c).str(), "a < b ? a : b + c");
  EXPECT_EQ((select(a, b, c) + 1u).str(), "(a ? b : c) + 1");
  EXPECT_EQ((a & 0xffff0000u).str(), "a & 0xffff0000");
}

}  // namespace
}  // namespace wavetank::tests
