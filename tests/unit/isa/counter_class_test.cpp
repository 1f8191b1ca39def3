// Which counter an instruction goes to, and which operations it does.
#include <gtest/gtest.h>

#include <string_view>

#include "isa/catalogue.hpp"
#include "isa/counter_class.hpp"

namespace wavetank::tests {
namespace {

using isa::CounterClass;
using isa::Target;

CounterClass class_of(std::string_view mnemonic, const Target& target = isa::kGfx90a) {
  const isa::Row* const row = isa::find_row(mnemonic, target);
  return row == nullptr ? CounterClass::kNone : isa::counter_class(*row);
}

unsigned operations_of(std::string_view mnemonic, const Target& target = isa::kGfx90a) {
  const isa::Row* const row = isa::find_row(mnemonic, target);
  return row == nullptr ? 0 : isa::operations_per_lane(*row);
}

TEST(CounterClass, EveryMultiplyAndAddOfFloatsIsAnFma) {
  for (const auto* const name : {"v_fma_f32", "v_fmac_f32", "v_mad_f32", "v_mac_f32", "v_madmk_f32",
                                 "v_madak_f32", "v_mad_legacy_f32", "v_dot2_f32_f16",
                                 "v_dot2c_f32_f16", "v_fma_mix_f32", "v_div_fmas_f32"}) {
    EXPECT_EQ(class_of(name), CounterClass::kFmaF32) << name;
    EXPECT_EQ(operations_of(name), 2u) << name;
  }
  for (const auto* const name : {"v_fma_f16", "v_fma_legacy_f16", "v_mad_legacy_f16", "v_madmk_f16",
                                 "v_madak_f16", "v_mac_f16"}) {
    EXPECT_EQ(class_of(name), CounterClass::kFmaF16) << name;
  }
  for (const auto* const name : {"v_fmamk_f32", "v_fmaak_f32"}) {
    EXPECT_EQ(class_of(name, isa::kGfx942), CounterClass::kFmaF32) << name;
  }
}

TEST(CounterClass, PackedRowsCountOnceAndWorkTwice) {
  EXPECT_EQ(class_of("v_pk_fmac_f16"), CounterClass::kFmaF16);
  EXPECT_EQ(operations_of("v_pk_fmac_f16"), 4u);
  EXPECT_EQ(class_of("v_pk_add_f32"), CounterClass::kAddF32);
  EXPECT_EQ(operations_of("v_pk_add_f32"), 2u);
}

TEST(CounterClass, CopiesCountNowhereAndOtherIntegersDo) {
  for (const auto* const name : {"v_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32",
                                 "v_accvgpr_mov_b32", "v_pk_mov_b32", "v_cndmask_b32"}) {
    EXPECT_EQ(class_of(name), CounterClass::kNone) << name;
    EXPECT_EQ(operations_of(name), 0u) << name;
  }
  EXPECT_EQ(class_of("v_not_b32"), CounterClass::kInt32);
  EXPECT_EQ(class_of("v_lshlrev_b64"), CounterClass::kInt32);
  EXPECT_EQ(class_of("v_mad_u64_u32"), CounterClass::kInt64);
}

TEST(CounterClass, AdditionsOfIntegersAreNoAdditionsOfFloats) {
  EXPECT_EQ(class_of("v_add_u32"), CounterClass::kInt32);
  EXPECT_EQ(class_of("v_add_f32"), CounterClass::kAddF32);
  EXPECT_EQ(class_of("v_subrev_f16"), CounterClass::kAddF16);
  EXPECT_EQ(class_of("v_mul_f64"), CounterClass::kMulF64);
  EXPECT_EQ(class_of("v_cvt_f32_i32"), CounterClass::kConvert);
  EXPECT_EQ(class_of("v_rcp_f64"), CounterClass::kTransF64);
}

}  // namespace
}  // namespace wavetank::tests
