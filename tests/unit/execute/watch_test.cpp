// What of an instruction's results is undefined, as the instruction itself says it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "execute/program.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {
namespace {

using machine::UndefinedOrigin;
using machine::UndefinedRegisters;

constexpr std::uint32_t kEnd = 0xbf810000;
constexpr unsigned kVcc = 106;

/// Operand codes of constants 0 to 64 and of vector registers.
constexpr std::uint32_t constant(std::uint32_t value) { return 128 + value; }
constexpr std::uint32_t vector(std::uint32_t index) { return 256 + index; }
constexpr std::uint32_t vop2(std::uint32_t opcode, std::uint32_t dst, std::uint32_t src0,
                             std::uint32_t src1) {
  return opcode << 25 | dst << 17 | src1 << 9 | src0;
}
constexpr std::uint32_t kCndmask = 0, kAnd = 19, kOr = 20, kXor = 21, kAdd = 52, kShiftLeft = 18;
/// v_cmp_eq_u32 vcc, src0, v1.
constexpr std::uint32_t compare_equal(std::uint32_t src0, std::uint32_t src1) {
  return 0x3e << 25 | 0xca << 17 | src1 << 9 | src0;
}
constexpr std::uint32_t kSaveExec = 0xbe82206a;  // s_and_saveexec_b64 s[2:3], vcc
constexpr std::uint32_t kBranchVcczOn = 0xbf860001;
/// s[0:1] becomes the address behind the jump that follows at once.
constexpr std::uint32_t kGetPc = 0xbe801c00, kAdd12 = 0x80008c00, kAdd16 = 0x80009000,
                        kAddCarry = 0x82018001;
constexpr std::uint32_t kOrS4 = 0x87000400;   // s_or_b32 s0, s0, s4
constexpr std::uint32_t kJump = 0xbe801d00;   // s_setpc_b64 s[0:1]
constexpr std::uint32_t kCall4 = 0xbe841e00;  // s_swappc_b64 s[4:5], s[0:1]

class Branches final : public machine::Listener {
 public:
  void on_group(machine::Workgroup&, std::uint64_t, std::span<machine::Wave>) override {}
  void on_instruction(machine::Wave&, const machine::StepFacts&, const machine::Step&) override {}
  void on_undefined_branch(machine::Wave&, const machine::StepFacts&,
                           const UndefinedOrigin& origin) override {
    origins.push_back(origin);
  }
  void on_barrier(machine::Workgroup&, std::span<const machine::Wave>) override {}
  void on_global_barrier(machine::Workgroup&) override {}
  std::vector<UndefinedOrigin> origins;
};

/// A wave with v1 = 0, of which some bits are undefined, and v2 = 100 + lane.
class Watched : public ::testing::Test {
 protected:
  Watched() : file_(64 * 24) {
    wave_.vgpr = reinterpret_cast<std::uint32_t*>(
        (reinterpret_cast<std::uintptr_t>(file_.data()) + 63) / 64 * 64);
    wave_.vgpr_count = 8;
    wave_.environment = &environment_;
    wave_.workgroup = &group_;
    wave_.budget = 100;
    wave_.mode.bits = 0x3f0;
    wave_.set_exec(~std::uint64_t{0});
    environment_.listener = &branches_;
    wave_.undefined = &undefined_;
    for (unsigned lane = 0; lane < 64; ++lane) wave_.vector(2)[lane] = 100 + lane;
  }

  void undefine(unsigned index, std::uint32_t bits, unsigned first_lane = 0) {
    UndefinedRegisters::Lanes lanes = {};
    for (unsigned lane = first_lane; lane < 64; ++lane) lanes[lane] = bits;
    UndefinedOrigin origin;
    origin.site = 7;
    undefined_.set_vector(index, lanes, origin);
  }

  void undefine_scalar(unsigned index) {
    UndefinedOrigin origin;
    origin.site = 9;
    undefined_.set_scalar(index, ~0u, origin);
  }

  /// Runs instructions one by one.
  template <class... Code>
  void run(Code... code) {
    const std::array<std::uint32_t, sizeof...(Code) + 2> text = {code..., kEnd, kEnd};
    ProgramSpec spec;
    spec.code = reinterpret_cast<const std::byte*>(text.data());
    spec.code_bytes = sizeof text;
    spec.entry = reinterpret_cast<std::uint64_t>(text.data());
    spec.vgpr_count = spec.accum_offset = 8;
    const auto program = Program::translate(spec);
    ASSERT_TRUE(program.has_value());
    program_ = *program;
    auto op = program_->watched(program_->entry(), true, wave_.program);
    ASSERT_TRUE(op.has_value());
    for (const Op* now = *op; now != nullptr;) now = now->run(wave_, now);
    EXPECT_EQ(wave_.stop, machine::Stop::kEnded);
  }

  std::uint32_t bits(unsigned index, unsigned lane) const {
    return undefined_.has_vector(index) ? undefined_.vector(index)[lane] : 0;
  }

  std::shared_ptr<Program> program_;  ///< that the wave was in last
  machine::Wave wave_;
  machine::Workgroup group_;
  machine::Environment environment_;
  UndefinedRegisters undefined_;
  Branches branches_;

 private:
  std::vector<std::uint32_t> file_;
};

TEST_F(Watched, MasksAndShiftsAreExact) {
  undefine(1, 0xff);
  run(vop2(kAnd, 3, constant(15), 1), vop2(kShiftLeft, 4, constant(4), 1),
      vop2(kAnd, 5, constant(0), 1), vop2(kXor, 6, vector(1), 1));
  EXPECT_EQ(bits(3, 0), 0x0fu);
  EXPECT_EQ(bits(4, 63), 0xff0u);
  EXPECT_EQ(bits(5, 0), 0u);
  EXPECT_EQ(bits(6, 0), 0u);
  EXPECT_EQ(wave_.vector(4)[0], 0u);
}

TEST_F(Watched, OnlyBitsThatWereWorkedOutAreMarkedSo) {
  undefine(1, 0xff);
  run(vop2(kOr, 3, constant(1), 1), vop2(kAdd, 4, constant(1), 1));
  EXPECT_FALSE(undefined_.vector_origin(3).computed);
  EXPECT_TRUE(undefined_.vector_origin(4).computed);
  EXPECT_EQ(undefined_.vector_origin(4).site, 7u);
}

TEST_F(Watched, WhatIsOverwrittenIsDefinedInTheLanesThatRun) {
  undefine(1, ~0u);
  wave_.set_exec(1);
  run(vop2(kAdd, 1, constant(1), 2));
  EXPECT_EQ(bits(1, 0), 0u);
  EXPECT_EQ(bits(1, 1), ~0u);
}

TEST_F(Watched, AComparisonWithAValueThatIsNotThereMayGoBothWays) {
  undefine(1, 0x7, 5);
  run(compare_equal(constant(5), 1));
  EXPECT_EQ(undefined_.scalar(kVcc), ~0u << 5);
  EXPECT_TRUE(branches_.origins.empty());
}

TEST_F(Watched, AComparisonThatDefinedBitsDecideIsDefined) {
  undefine(1, 0x7);
  run(compare_equal(constant(8), 1));
  EXPECT_FALSE(undefined_.has_scalar(kVcc));
}

TEST_F(Watched, TwoUndefinedValuesNeedNotBeEqual) {
  undefine(1, ~0u);
  undefine(3, ~0u);
  run(compare_equal(vector(3), 1));
  EXPECT_EQ(undefined_.scalar(kVcc), ~0u);
}

TEST_F(Watched, ASelectThatDoesNotTakeTheValueIsDefined) {
  undefine(1, ~0u);
  wave_.set_vcc(0xf0);
  run(vop2(kCndmask, 3, vector(1), 2));
  EXPECT_EQ(bits(3, 0), ~0u);
  EXPECT_EQ(bits(3, 4), 0u);
}

TEST_F(Watched, LanesThatGoOnByAnUndefinedConditionAreTold) {
  undefine(1, ~0u, 63);
  run(compare_equal(constant(5), 1), kSaveExec);
  ASSERT_EQ(branches_.origins.size(), 1u);
  EXPECT_EQ(branches_.origins[0].site, 7u);
  EXPECT_FALSE(undefined_.has_scalar(126) || undefined_.has_scalar(127));
}

TEST_F(Watched, ABranchIsToldIfItCanGoBothWays) {
  undefine(1, ~0u, 63);
  run(compare_equal(constant(0), 1), kBranchVcczOn, kEnd);
  EXPECT_TRUE(branches_.origins.empty()) << "the other lanes decide";
  undefined_.define_all();
  undefine(1, ~0u);
  run(compare_equal(constant(5), 1), kBranchVcczOn, kEnd);
  EXPECT_EQ(branches_.origins.size(), 1u);
}

TEST_F(Watched, AJumpIsToldIfItsAddressIsUndefined) {
  undefine_scalar(4);
  run(kGetPc, kAdd12, kAddCarry, kJump);
  EXPECT_TRUE(branches_.origins.empty()) << "s4 is no part of the address";
  EXPECT_TRUE(undefined_.has_scalar(4));
  run(kGetPc, kAdd16, kAddCarry, kOrS4, kJump);
  ASSERT_EQ(branches_.origins.size(), 1u);
  EXPECT_EQ(branches_.origins[0].site, 9u);
}

TEST_F(Watched, TheReturnAddressOfACallIsDefined) {
  undefine_scalar(4);
  undefine_scalar(6);
  run(kGetPc, kAdd12, kAddCarry, kCall4);
  EXPECT_TRUE(branches_.origins.empty());
  EXPECT_FALSE(undefined_.has_scalar(4));
  EXPECT_TRUE(undefined_.has_scalar(6));
}

TEST_F(Watched, AWaveWithoutUndefinedBitsGoesOnInCompiledCode) {
  // Register indexing may read all registers: what nobody reads, compiled code leaves out.
  constexpr std::uint32_t kIndexingOn = 0xbf110102, kIndexingOff = 0xbf9c0000;  // index s2, src0
  run(vop2(kAdd, 1, constant(1), 2), kIndexingOn, kIndexingOff);
  EXPECT_EQ(wave_.vector(1)[3], 104u);
  EXPECT_EQ(program_of(wave_).spec().listening, Listening::kHeard);
}

}  // namespace
}  // namespace wavetank::execute
