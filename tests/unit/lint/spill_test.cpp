// Spills in loops, and what the kernel's metadata says of registers.
#include <gtest/gtest.h>

#include "small_kernel.hpp"

namespace wavetank::lint {
namespace {

using isa::Target;

code_object::Kernel spilling(unsigned vgprs, const Target& target = isa::kGfx942) {
  code_object::Kernel kernel = kernel_of(target);
  kernel.vgpr_spill_count = vgprs;
  return kernel;
}

const Texts kLoop = {"scratch_store_dword off, v1, off offset:4",
                     "top:",
                     "scratch_load_dword v1, off, off offset:4",
                     "s_waitcnt vmcnt(0)",
                     "s_cbranch_scc1 top",
                     "s_endpgm"};

TEST(SpillInLoop, ALoadOfASpilledRegisterInALoopIsFound) {
  const Findings findings = findings_of(kLoop, spilling(1), isa::kGfx942);
  ASSERT_EQ(rules_of(findings), Names{"spill-in-loop"});
  EXPECT_EQ(findings[0].step, 1u);
  EXPECT_EQ(findings[0].what, "1 load of spilled registers in a loop");
  EXPECT_EQ(findings[0].loop_depth, 1u);
}

TEST(SpillInLoop, OutsideOfALoopItIsNot) {
  Texts straight = kLoop;
  straight.erase(straight.begin() + 4);
  EXPECT_TRUE(findings_of(straight, spilling(1), isa::kGfx942).empty());
}

TEST(SpillInLoop, AVariableInScratchIsNoSpill) {
  EXPECT_TRUE(findings_of(kLoop, spilling(0), isa::kGfx942).empty());
  Texts more = kLoop;
  more.insert(more.begin(), "scratch_store_dword off, v1, off offset:8");
  EXPECT_TRUE(findings_of(more, spilling(1), isa::kGfx942).empty())
      << "more is stored than the compiler says it spilled";
  EXPECT_FALSE(findings_of(more, spilling(2), isa::kGfx942).empty());
}

TEST(SpillInLoop, TheBufferOfGfx90aIsScratchIfTheKernelGotItForThat) {
  const Texts loop = {"s_add_u32 s0, s0, s9",
                      "s_addc_u32 s1, s1, 0",
                      "buffer_store_dword v1, off, s[0:3], 0 offset:4",
                      "top:",
                      "buffer_load_dword v1, off, s[0:3], 0 offset:4",
                      "s_cbranch_scc1 top",
                      "s_endpgm"};
  EXPECT_EQ(rules_of(findings_of(loop, spilling(1, isa::kGfx90a), isa::kGfx90a)),
            Names{"spill-in-loop"});
  Texts other = loop;
  other.insert(other.begin(), "s_load_dwordx4 s[0:3], s[4:5], 0x0");
  EXPECT_TRUE(findings_of(other, spilling(1, isa::kGfx90a), isa::kGfx90a).empty());
}

TEST(OccupancyStep, AFewRegistersTooManyAreFoundAndMoreAreNot) {
  code_object::Kernel kernel = kernel_of(isa::kGfx90a);
  const auto found = [&](unsigned vgprs) {
    kernel.vgpr_count = vgprs;
    return rules_of(findings_of({"s_endpgm"}, kernel, isa::kGfx90a));
  };
  EXPECT_EQ(found(64), Names{}) << "all waves fit";
  EXPECT_EQ(found(65), Names{"occupancy-step"});
  EXPECT_EQ(found(68), Names{"occupancy-step"});
  EXPECT_EQ(found(69), Names{}) << "five are not a few";
}

TEST(OccupancyStep, ItSaysWhatIsGained) {
  code_object::Kernel kernel = kernel_of(isa::kGfx90a);
  kernel.vgpr_count = 129;
  const Findings findings = findings_of({"s_endpgm"}, kernel, isa::kGfx90a);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].what,
            "1 VGPR less would let 16 instead of 12 waves of the kernel on a compute unit");
  EXPECT_EQ(findings[0].note, "for workgroups of 256 work-items");
}

TEST(OccupancyStep, WholeWorkgroupsHaveToGainFromIt) {
  code_object::Kernel kernel = kernel_of(isa::kGfx90a);
  kernel.vgpr_count = 73;  // 6 waves per SIMD instead of 7
  EXPECT_EQ(rules_of(findings_of({"s_endpgm"}, kernel, isa::kGfx90a)), Names{"occupancy-step"});
  kernel.max_flat_workgroup_size = 512;  // of 2 waves per SIMD
  EXPECT_TRUE(findings_of({"s_endpgm"}, kernel, isa::kGfx90a).empty());
}

TEST(OccupancyStep, LdsCountsToo) {
  code_object::Kernel kernel = kernel_of(isa::kGfx90a);
  kernel.group_segment_bytes = 33 * 1024;
  EXPECT_EQ(rules_of(findings_of({"s_endpgm"}, kernel, isa::kGfx90a)), Names{"occupancy-step"});
  kernel.group_segment_bytes = 36 * 1024;
  EXPECT_TRUE(findings_of({"s_endpgm"}, kernel, isa::kGfx90a).empty());
}

TEST(LaunchBounds, SpillsAtTheLimitOfTheDefaultSizeAreFound) {
  code_object::Kernel kernel = spilling(3, isa::kGfx90a);
  kernel.vgpr_count = 128;
  kernel.max_flat_workgroup_size = 1024;
  EXPECT_EQ(rules_of(findings_of({"s_endpgm"}, kernel, isa::kGfx90a)), Names{"launch-bounds"});
  kernel.max_flat_workgroup_size = 512;
  EXPECT_TRUE(findings_of({"s_endpgm"}, kernel, isa::kGfx90a).empty()) << "it says its size";
  kernel.max_flat_workgroup_size = 1024;
  kernel.vgpr_spill_count = 0;
  EXPECT_TRUE(findings_of({"s_endpgm"}, kernel, isa::kGfx90a).empty()) << "nothing is spilled";
  kernel.vgpr_spill_count = 3;
  kernel.vgpr_count = 120;
  EXPECT_TRUE(findings_of({"s_endpgm"}, kernel, isa::kGfx90a).empty()) << "there is room";
}

}  // namespace
}  // namespace wavetank::lint
