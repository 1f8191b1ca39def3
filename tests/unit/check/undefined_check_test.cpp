// What is told of undefined data in a work-item's private memory.
#include "check/undefined/undefined_check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "small_launch.hpp"

namespace wavetank::check {
namespace {

/// Bytes of the private memory of one work-item, of two waves.
constexpr std::uint64_t kPrivateBytes = 64, kWaveBytes = 64 * kPrivateBytes;

TEST(UndefinedCheck, PrivateMemoryIsToldByTheBytesOfAWorkItem) {
  alignas(256) static std::byte scratch[2 * kWaveBytes];
  const auto begin = reinterpret_cast<std::uint64_t>(scratch);
  machine::Workgroup workgroup;
  workgroup.scratch = scratch;
  workgroup.scratch_bytes = sizeof scratch;
  std::vector<machine::Wave> waves(2);
  for (machine::Wave& wave : waves) {
    wave.id_in_group = static_cast<unsigned>(&wave - waves.data());
    wave.workgroup = &workgroup;
    wave.scratch_bytes = kWaveBytes;
    wave.set_exec(~std::uint64_t{0});
  }
  UndefinedMemory memory(begin, sizeof scratch);
  UndefinedCheck check(memory);
  UndefinedGroup group;
  check.begin(group, workgroup, 0, waves);

  machine::StepFacts facts;
  facts.row = find_row([](const isa::Row& row) {
    return row.encoding.format == isa::Format::kFlat && row.memory.element_bytes == 2 &&
           row.memory.action == isa::MemoryAction::kLoad && !row.memory.d16;
  });
  ASSERT_NE(facts.row, nullptr);
  facts.space = machine::MemorySpace::kScratch;
  facts.vector_writes.add(3, 1);
  machine::Step step;
  step.facts = &facts;
  step.access_bytes = 2;
  step.lanes = std::uint64_t{1} << 5;
  // A dword of each lane lies beside the other lanes': the upper half of lane 5's at byte 40.
  step.address.slot(5) = begin + kWaveBytes + 40 / 4 * 256 + 5 * 4 + 2;
  check.access(group, waves[1], facts, step);
  ASSERT_NE(waves[1].undefined, nullptr);
  const machine::UndefinedOrigin& origin = waves[1].undefined->vector_origin(3);
  EXPECT_EQ(origin.space, machine::MemorySpace::kScratch);
  EXPECT_EQ(origin.address, 42u);
  EXPECT_EQ(origin.lane, 5u);
}

}  // namespace
}  // namespace wavetank::check
