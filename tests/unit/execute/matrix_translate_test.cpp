// From bytes to a running matrix op: register files, constants, modifiers that a row lacks.
#include <gtest/gtest.h>

#include <bit>

#include "encoding/decoder.hpp"
#include "execute/program.hpp"
#include "execute/translate.hpp"
#include "matrix_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kAccumOffset = 32;

Result<Op> translate_words(const isa::Target& target, std::uint32_t low, std::uint32_t high) {
  const std::uint32_t words[] = {low, high};
  const encoding::Decoder decoder(target);
  auto instruction = decoder.decode(words, 0);
  if (!instruction) return tl::unexpected(instruction.error());
  ProgramSpec spec;
  spec.target = &target;
  spec.vgpr_count = 64;
  spec.accum_offset = kAccumOffset;
  return translate(*instruction, spec);
}

/// The error of words that must not translate.
std::string refusal(const isa::Target& target, std::uint32_t low, std::uint32_t high) {
  auto op = translate_words(target, low, high);
  return op ? "accepted" : op.error().message;
}

/// Runs an op on registers that hold 2.0 in f32 everywhere.
std::unique_ptr<MatrixMachine::Registers> run_on_twos(const Op& op) {
  auto registers = std::make_unique<MatrixMachine::Registers>();
  std::fill_n(registers->at, 64 * 64, std::bit_cast<std::uint32_t>(2.0f));
  machine::Wave wave;
  wave.vgpr = registers->at;
  wave.vgpr_count = 64;
  op.run(wave, &op);
  return registers;
}

TEST(MatrixTranslate, FindsAccVgprsBehindTheArchVgprs) {
  // v_mfma_f32_16x16x4_f32 a[4:7], a0, v1, a[4:7]
  auto op = translate_words(isa::kGfx942, 0xd3c58004, 0x0c120300);
  ASSERT_TRUE(op) << op.error().message;
  EXPECT_EQ(op->src[0], 256u * kAccumOffset);
  EXPECT_EQ(op->src[1], 256u * 1);
  EXPECT_EQ(op->dst, 256u * (kAccumOffset + 4));
  const auto registers = run_on_twos(*op);
  const auto value = [&](unsigned reg) { return std::bit_cast<float>(registers->at[reg * 64]); };
  EXPECT_EQ(value(kAccumOffset + 3), 2.0f);
  EXPECT_EQ(value(kAccumOffset + 4), 2.0f + 4 * 4.0f);
  EXPECT_EQ(value(kAccumOffset + 7), 2.0f + 4 * 4.0f);
  EXPECT_EQ(value(kAccumOffset + 8), 2.0f);
}

TEST(MatrixTranslate, ReadsAConstantCInItsElementsType) {
  // v_mfma_f32_16x16x4_f32 v[4:7], v0, v1, 1.0
  auto single = translate_words(isa::kGfx942, 0xd3c50004, 0x03ca0300);
  ASSERT_TRUE(single) << single.error().message;
  EXPECT_EQ(single->constant[2], 0x3f800000u);
  // v_mfma_f64_16x16x4_f64 v[8:15], v[0:1], v[2:3], 1.0
  auto wide = translate_words(isa::kGfx942, 0xd3ee0008, 0x03ca0500);
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_EQ(wide->constant[2], 0x3ff0000000000000u);
  // v_mfma_i32_16x16x16i8 v[4:7], v0, v1, -5
  auto integer = translate_words(isa::kGfx90a, 0xd3d50004, 0x03160300);
  ASSERT_TRUE(integer) << integer.error().message;
  EXPECT_EQ(integer->constant[2], 0xfffffffbu);
}

TEST(MatrixTranslate, RefusesRegistersBeyondTheAllocation) {
  // v_mfma_f32_16x16x4_f32 a[28:31] is the last that fits 64 registers, a[30:33] does not.
  EXPECT_TRUE(translate_words(isa::kGfx942, 0xd3c5801c, 0x04720300));
  EXPECT_NE(refusal(isa::kGfx942, 0xd3c5801e, 0x047a0300).find("beyond the 64 registers"),
            std::string::npos);
}

TEST(MatrixTranslate, RefusesModifiersThatTheRowLacks) {
  const auto &kGfx90a = isa::kGfx90a, &kGfx942 = isa::kGfx942;
  // v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[2:3], v[4:7], with blgp:1: not on gfx942.
  EXPECT_EQ(refusal(kGfx942, 0xd3cd0004, 0x24120500), "v_mfma_f32_16x16x16_f16 has no BLGP");
  EXPECT_TRUE(translate_words(kGfx90a, 0xd3cd0004, 0x24120500));
  // One block: nothing to broadcast.
  EXPECT_EQ(refusal(kGfx90a, 0xd3cd0104, 0x04120500),
            "v_mfma_f32_16x16x16f16 has no CBSZ and ABID");
  // v_mfma_f32_16x16x1f32 v[4:19], v0, v1, v[4:19] has four blocks: cbsz:2 abid:3 is the last.
  EXPECT_TRUE(translate_words(kGfx90a, 0xd3c11a04, 0x04120300));
  EXPECT_NE(refusal(kGfx90a, 0xd3c12204, 0x04120300).find("ABID beyond"), std::string::npos);
  EXPECT_NE(refusal(kGfx90a, 0xd3c10304, 0x04120300).find("fewer blocks"), std::string::npos);
  // v_smfmac_f32_16x16x32_f16 v[4:7], v[0:1], v[8:11], v2 has four sets of indices.
  EXPECT_TRUE(translate_words(kGfx942, 0xd3e21804, 0x040a1100));
  EXPECT_NE(refusal(kGfx942, 0xd3e22004, 0x040a1100).find("no such set"), std::string::npos);
}

}  // namespace
}  // namespace wavetank::execute::testing
