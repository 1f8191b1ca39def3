// The sources that instructions have fields for, and the names of one row in its segments.
#include <gtest/gtest.h>

#include <string_view>

#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"
#include "isa/sources.hpp"

namespace wavetank::tests {
namespace {

using isa::Format;
using isa::Role;

isa::EncodedSources of(std::string_view mnemonic) {
  return isa::encoded_sources(*isa::find_row(mnemonic, isa::kGfx942));
}

TEST(EncodedSources, LeaveOutTheDestinationAndWhatIsAlwaysVcc) {
  EXPECT_EQ(of("v_fma_f32").size(), 3u);
  EXPECT_EQ(of("v_fmac_f32").size(), 2u);
  EXPECT_EQ(of("v_div_fmas_f32").size(), 3u);
  EXPECT_EQ(of("v_smfmac_f32_16x16x32_f16").size(), 3u);
  EXPECT_EQ(of("v_nop").size(), 0u);
}

TEST(EncodedSources, KeepMasksLiteralsAndImmediatesInTheirPlaces) {
  EXPECT_EQ(of("v_cndmask_b32")[2].type, isa::Type::kMask);
  EXPECT_EQ(of("v_fmamk_f32")[1].role, Role::kLiteral);
  ASSERT_EQ(of("s_addk_i32").size(), 1u);
  EXPECT_EQ(of("s_addk_i32")[0].role, Role::kImmediate);
}

TEST(Shape, SaysWhichFactsARowHas) {
  for (const isa::Row& row : isa::catalogue()) {
    const bool is_scalar = row.shape == isa::Shape::kScalar || row.shape == isa::Shape::kControl;
    EXPECT_EQ(row.shape == isa::Shape::kMemory, row.memory.action != isa::MemoryAction::kNone)
        << row.name;
    EXPECT_EQ(row.shape == isa::Shape::kMatrix, row.matrix.present()) << row.name;
    EXPECT_EQ(is_scalar, row.encoding.format <= Format::kSopp) << row.name;
  }
}

TEST(Mnemonic, ARowOfThreeSegmentsHasAPrefixForEach) {
  const isa::Row& load = *isa::find_row("global_load_dword", isa::kGfx942);
  EXPECT_EQ(isa::mnemonic(load, Format::kFlat), "flat_load_dword");
  EXPECT_EQ(isa::mnemonic(load, Format::kScratch), "scratch_load_dword");
  EXPECT_EQ(isa::segment_of(load, "global_load_dword"), Format::kGlobal);
  EXPECT_EQ(isa::segment_of(load, "flat_load_dword"), Format::kFlat);
}

TEST(Mnemonic, OtherRowsHaveOneNameWhateverTheSegment) {
  const isa::Row& add = *isa::find_row("v_add_f32", isa::kGfx942);
  EXPECT_EQ(isa::mnemonic(add, Format::kGlobal), "v_add_f32");
  EXPECT_EQ(isa::segment_of(add, "v_add_f32"), Format::kVop2);
  const isa::Row& to_lds = *isa::find_row("scratch_load_lds_dword", isa::kGfx942);
  EXPECT_EQ(isa::segment_of(to_lds, "scratch_load_lds_dword"), Format::kScratch);
}

}  // namespace
}  // namespace wavetank::tests
