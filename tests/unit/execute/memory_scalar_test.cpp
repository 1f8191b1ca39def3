// Scalar loads, stores, atomics and clocks.
#include <string>

#include "execute/step_address.hpp"
#include "isa/catalogue.hpp"
#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kBase = 4096;

MemoryOperands scalar_operands() {
  MemoryOperands memory = operands();
  memory.scalar_base = 4;
  return memory;
}

TEST(Scalar, LoadsEveryWidth) {
  for (const unsigned dwords : {1u, 2u, 4u, 8u, 16u}) {
    Machine machine;
    machine.wave.set_scalar64(4, machine.address(kBase));
    MemoryOperands memory = scalar_operands();
    memory.offset = -8;
    memory.scalar_offset = 6;
    machine.wave.sgpr[6] = 40;
    const std::string name =
        dwords == 1 ? "s_load_dword" : "s_load_dwordx" + std::to_string(dwords);
    const std::uint32_t untouched = machine.wave.sgpr[20 + dwords];
    EXPECT_TRUE(machine.run(name, memory, isa::kGfx90a, 4 * 20));
    for (unsigned d = 0; d < dwords; ++d) {
      EXPECT_EQ(machine.wave.sgpr[20 + d], machine.at<std::uint32_t>(kBase + 32 + 4 * d));
    }
    EXPECT_EQ(machine.wave.sgpr[20 + dwords], untouched);
  }
}

TEST(Scalar, AResultMayOverwriteTheBase) {
  Machine machine;
  machine.wave.set_scalar64(4, machine.address(kBase));
  EXPECT_TRUE(machine.run("s_load_dwordx8", scalar_operands(), isa::kGfx942, 4 * 4));
  EXPECT_EQ(machine.wave.sgpr[11], machine.at<std::uint32_t>(kBase + 28));
}

TEST(Scalar, TheLowBitsOfEachPartAreIgnored) {
  Machine machine;
  machine.wave.set_scalar64(4, machine.address(kBase) + 3);
  MemoryOperands memory = scalar_operands();
  memory.offset = 6;
  memory.scalar_offset = 6;
  machine.wave.sgpr[6] = 11;
  EXPECT_TRUE(machine.run("s_load_dword", memory, isa::kGfx90a, 80));
  EXPECT_EQ(machine.wave.sgpr[20], machine.at<std::uint32_t>(kBase + 12));
}

TEST(Scalar, TheEndOfTheArenaIsAFault) {
  for (const std::uint32_t beyond : {0u, 4u}) {
    Machine machine;
    machine.wave.set_scalar64(4, machine.address(kArenaBytes - 64 + beyond));
    EXPECT_EQ(machine.run("s_load_dwordx16", scalar_operands(), isa::kGfx90a, 80), beyond == 0);
  }
}

TEST(Scalar, BuffersReadZeroBeyondTheirEnd) {
  for (const std::uint32_t stride : {0u, 4u}) {
    Machine machine;
    std::uint32_t* const resource = &machine.wave.sgpr[4];
    resource[0] = static_cast<std::uint32_t>(machine.address(kBase));
    resource[1] = static_cast<std::uint32_t>(machine.address(kBase) >> 32) | stride << 16;
    resource[2] = stride == 0 ? 24 : 6;
    resource[3] = 0;
    MemoryOperands memory = scalar_operands();
    memory.offset = 16;
    EXPECT_TRUE(machine.run("s_buffer_load_dwordx4", memory, isa::kGfx90a, 80));
    EXPECT_EQ(machine.wave.sgpr[20], machine.at<std::uint32_t>(kBase + 16));
    EXPECT_EQ(machine.wave.sgpr[21], machine.at<std::uint32_t>(kBase + 20));
    EXPECT_EQ(machine.wave.sgpr[22], 0u);
    EXPECT_EQ(machine.wave.sgpr[23], 0u);
  }
}

TEST(Scalar, StoresAndUpdatesMemory) {
  Machine machine;
  machine.wave.set_scalar64(4, machine.address(kBase));
  machine.wave.set_scalar64(30, 0x1122334455667788);
  MemoryOperands memory = scalar_operands();
  memory.data = 30;
  EXPECT_TRUE(machine.run("s_store_dwordx2", memory, isa::kGfx90a));
  EXPECT_EQ(machine.at<std::uint64_t>(kBase), 0x1122334455667788u);
  memory.returns = true;
  EXPECT_TRUE(machine.run("s_atomic_add_x2", memory, isa::kGfx90a, 4 * 40));
  EXPECT_EQ(machine.wave.scalar64(40), 0x1122334455667788u);
  EXPECT_EQ(machine.at<std::uint64_t>(kBase), 2 * 0x1122334455667788u);
  // Compare-and-swap: new value in the first pair, comparand in the second.
  machine.wave.set_scalar64(30, 5);
  machine.wave.set_scalar64(32, 2 * 0x1122334455667788u);
  EXPECT_TRUE(machine.run("s_atomic_cmpswap_x2", memory, isa::kGfx90a, 4 * 40));
  EXPECT_EQ(machine.at<std::uint64_t>(kBase), 5u);
}

TEST(Scalar, AScratchRegisterCounts64BytesItsImmediateBytes) {
  Machine machine;
  machine.wave.set_scalar64(4, machine.address(kBase));
  MemoryOperands memory = scalar_operands();
  memory.scalar_offset = 6;
  machine.wave.sgpr[6] = 2;
  memory.offset = -8;
  EXPECT_TRUE(machine.run("s_scratch_load_dword", memory, isa::kGfx90a, 80));
  EXPECT_EQ(machine.wave.sgpr[20], machine.at<std::uint32_t>(kBase + 120));
  Op op;
  op.memory = memory;
  op.row = isa::find_row("s_scratch_load_dword", isa::kGfx90a)->id;
  machine::Step step;
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.address[0], machine.address(kBase + 120)) << "so it is shown to listeners";
}

TEST(Scalar, ClocksComeFromTheEnvironment) {
  Machine machine;
  EXPECT_TRUE(machine.run("s_memtime", operands(), isa::kGfx90a, 80));
  EXPECT_EQ(machine.wave.scalar64(20), 0x123456789au);
  EXPECT_TRUE(machine.run("s_memrealtime", operands(), isa::kGfx942, 80));
  EXPECT_EQ(machine.wave.scalar64(20), 0xabcdef0123u);
}

TEST(CacheControl, ChangesNothing) {
  for (const char* name : {"s_dcache_inv", "s_dcache_wb", "buffer_wbl2", "buffer_wbinvl1_vol",
                           "buffer_wbinvl1", "buffer_inv", "ds_nop"}) {
    Machine machine;
    const std::vector<std::byte> before(machine.arena(), machine.arena() + kArenaBytes);
    EXPECT_TRUE(machine.run(name, operands())) << name;
    EXPECT_EQ(std::memcmp(before.data(), machine.arena(), kArenaBytes), 0);
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
