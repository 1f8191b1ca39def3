// The decoder's promises that no oracle knows: fields, lengths and errors.
#include "encoding/decoder.hpp"

#include <gtest/gtest.h>

#include "encoding/disassembler.hpp"

namespace wavetank::encoding {
namespace {

using isa::Target;

Instruction decoded(std::vector<std::uint32_t> dwords, const Target& target = isa::kGfx90a) {
  auto result = Decoder(target).decode(dwords, 0x1000);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Instruction{};
}

Error error_of(std::vector<std::uint32_t> dwords, const Target& target = isa::kGfx90a) {
  auto result = Decoder(target).decode(dwords, 0x1000);
  EXPECT_FALSE(result);
  return result ? Error{} : result.error();
}

TEST(Decoder, GivesVectorRegistersCodesFrom256AndAccumulatorsFrom512) {
  const Instruction add = decoded({0x02020602});  // v_add_f32_e32 v1, s2, v3
  EXPECT_EQ(add.dst, operand::kVgpr0 + 1);
  EXPECT_EQ(add.src[0], 2);
  EXPECT_EQ(add.src[1], operand::kVgpr0 + 3);
  const Instruction load = decoded({0xdc508000, 0x07ff0002});  // global_load_dword a7, v[2:3], off
  EXPECT_EQ(load.dst, operand::kAgpr0 + 7);
  EXPECT_EQ(load.address, operand::kVgpr0 + 2);
}

TEST(Decoder, TakesTheDwordBehindAsALiteral) {
  const Instruction mov = decoded({0x7e0002ff, 0x12345678});  // v_mov_b32_e32 v0, 0x12345678
  EXPECT_EQ(mov.dwords, 2);
  EXPECT_EQ(mov.src[0], operand::kLiteral);
  EXPECT_EQ(mov.literal, 0x12345678u);
}

TEST(Decoder, NamesVccAsTheMaskOfShortForms) {
  EXPECT_EQ(decoded({0x7d940501}).sdst, operand::kVcc);    // v_cmp_eq_u32_e32 vcc, ..
  EXPECT_EQ(decoded({0xd0ca0004, 0x00020501}).sdst, 4);    // v_cmp_eq_u32_e64 s[4:5], ..
  EXPECT_EQ(decoded({0x00020702}).src[2], operand::kVcc);  // v_cndmask_b32_e32 .., vcc
  EXPECT_EQ(decoded({0xd1000001, 0x001a0702}).src[2], 6);  // v_cndmask_b32_e64 .., s[6:7]
}

TEST(Decoder, SignExtendsBranchOffsetsAndScalarMemoryOffsets) {
  EXPECT_EQ(decoded({0xbf82fffe}).imm, -2);                 // s_branch 65534
  EXPECT_EQ(decoded({0xc0020002, 0x001ffffc}).offset, -4);  // s_load_dword s0, s[4:5], -0x4
}

TEST(Decoder, TellsTheSegmentsOfFlatApart) {
  EXPECT_EQ(decoded({0xdc500000, 0x00000002}).segment, isa::Format::kFlat);
  const Instruction scratch = decoded({0xdc504ffc, 0x017f0002});  // .. v1, v2, off
  EXPECT_EQ(scratch.segment, isa::Format::kScratch);
  EXPECT_TRUE(scratch.scratch_vaddr);
  EXPECT_EQ(scratch.offset, 4092);
  const Instruction global = decoded({0xdc509ffc, 0x01040002});  // .. v1, v2, s[4:5]
  EXPECT_EQ(global.scalar_base, 4);
  EXPECT_EQ(global.offset, -4);
}

TEST(Decoder, ReadsScratchAddressesBySveOnGfx942) {
  const std::vector<std::uint32_t> both = {0xdc506000, 0x01040002};  // v1, v2, s4
  EXPECT_TRUE(decoded(both, isa::kGfx942).scratch_vaddr);
  const std::vector<std::uint32_t> none = {0xdc504000, 0x01040000};  // v1, off, s4
  EXPECT_FALSE(decoded(none, isa::kGfx942).scratch_vaddr);
  EXPECT_EQ(decoded(none, isa::kGfx942).address, operand::kNone);
}

TEST(Decoder, SaysThatCodeEndsInsideAnInstruction) {
  EXPECT_EQ(error_of({}).code, ErrorCode::kUnknownInstruction);
  EXPECT_EQ(error_of({0x7e0002ff}).code, ErrorCode::kUnknownInstruction);  // the literal is missing
  EXPECT_EQ(error_of({0xd1000001}).code, ErrorCode::kUnknownInstruction);  // half of a VOP3
}

TEST(Decoder, NamesFormatAndOpcodeWithoutARow) {
  const Error error = error_of({0xbe801f00});  // s_rfe_b64
  EXPECT_EQ(error.code, ErrorCode::kUnsupportedInstruction);
  EXPECT_NE(error.message.find("SOP1 opcode 31"), std::string::npos) << error.message;
  EXPECT_EQ(error.where, "address 0x000000001000");
}

TEST(Decoder, NamesInstructionsThatTheCatalogueLeavesOut) {
  // Words of llvm-mc-19.
  const std::vector<std::pair<std::vector<std::uint32_t>, std::string>> cases = {
      {{0xbe801f00}, "s_rfe_b64 (SOP1 opcode 31"},
      {{0x95800200}, "s_rfe_restore_b64 (SOP2 opcode 43"},
      {{0x94800200}, "s_cbranch_g_fork (SOP2 opcode 41"},
      {{0xb8000004}, "s_cbranch_i_fork (SOPK opcode 16"},
      {{0xbe802e00}, "s_cbranch_join (SOP1 opcode 46"},
      {{0x7e006f01}, "v_screen_partition_4se_b32 (VOP1 opcode 55"},
      {{0xd1770000, 0x00000101}, "v_screen_partition_4se_b32 (VOP3 opcode 375"}};
  for (const auto& [words, name] : cases) {
    EXPECT_EQ(error_of(words).message.find(name), 0u) << error_of(words).message;
  }
}

TEST(Decoder, RefusesReservedBitsUnlessToldToIgnoreThem) {
  // v_or_b32_e64 with OP_SEL[0], which it does not have
  const std::vector<std::uint32_t> with_op_sel = {0xd1140801, 0x00020702};
  EXPECT_EQ(error_of(with_op_sel).code, ErrorCode::kUnknownInstruction);
  const auto lenient = Decoder(isa::kGfx90a).decode(with_op_sel, 0, Reserved::kIgnore);
  ASSERT_TRUE(lenient);
  EXPECT_EQ(disassemble(*lenient, isa::kGfx90a), "v_or_b32_e64 v1, v2, v3");
}

TEST(Decoder, KnowsTheTargetsApart) {
  const std::vector<std::uint32_t> mad = {0xd1c10001, 0x04120702};  // v_mad_f32, gone on gfx942
  EXPECT_EQ(decoded(mad).row->name, "v_mad_f32");
  EXPECT_EQ(error_of(mad, isa::kGfx942).code, ErrorCode::kUnknownInstruction);
}

TEST(Decoder, KnowsNoImagesOnGfx942) {
  for (std::uint32_t opcode = 0; opcode < 128; ++opcode) {
    const Error error = error_of({0xf0000f00 | opcode << 18, 0x00020004}, isa::kGfx942);
    EXPECT_EQ(error.code, ErrorCode::kUnknownInstruction);
    EXPECT_NE(error.message.find("is no instruction of gfx942"), std::string::npos);
  }
}

TEST(Disassembler, PutsALabelInPlaceOfTheBranchOffset) {
  const Instruction branch = decoded({0xbf82fffe});
  EXPECT_EQ(disassemble(branch, isa::kGfx90a), "s_branch 65534");
  EXPECT_EQ(disassemble(branch, isa::kGfx90a, "loop"), "s_branch loop");
}

}  // namespace
}  // namespace wavetank::encoding
