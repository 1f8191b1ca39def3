// Loads and stores of FLAT, GLOBAL, SCRATCH and MUBUF against a lane-by-lane model.
#include <functional>
#include <string>

#include "execute/step_address.hpp"
#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

/// A load of one mnemonic: bytes moved, and register value for a short one.
struct LoadKind {
  const char* name;
  unsigned bytes;
  std::uint32_t (*extend)(std::uint32_t);
};
std::uint32_t same(std::uint32_t x) { return x; }
std::uint32_t sign8(std::uint32_t x) {
  return static_cast<std::uint32_t>(static_cast<std::int8_t>(x));
}
std::uint32_t sign16(std::uint32_t x) {
  return static_cast<std::uint32_t>(static_cast<std::int16_t>(x));
}
std::uint32_t high(std::uint32_t x) { return x << 16; }
std::uint32_t sign8_low(std::uint32_t x) { return sign8(x) & 0xffff; }
std::uint32_t sign8_high(std::uint32_t x) { return sign8(x) << 16; }

constexpr LoadKind kLoads[] = {
    {"load_ubyte", 1, same},          {"load_sbyte", 1, sign8},
    {"load_ushort", 2, same},         {"load_sshort", 2, sign16},
    {"load_dword", 4, same},          {"load_dwordx2", 8, same},
    {"load_dwordx3", 12, same},       {"load_dwordx4", 16, same},
    {"load_ubyte_d16", 1, same},      {"load_ubyte_d16_hi", 1, high},
    {"load_sbyte_d16", 1, sign8_low}, {"load_sbyte_d16_hi", 1, sign8_high},
    {"load_short_d16", 2, same},      {"load_short_d16_hi", 2, high}};

struct StoreKind {
  const char* name;
  unsigned bytes;
  unsigned shift;
};
constexpr StoreKind kStores[] = {
    {"store_byte", 1, 0},    {"store_byte_d16_hi", 1, 16}, {"store_short", 2, 0},
    {"store_short_d16_hi", 2, 16}, {"store_dword", 4, 0}, {"store_dwordx2", 8, 0},
    {"store_dwordx3", 12, 0}, {"store_dwordx4", 16, 0}};

using Registers = std::vector<std::uint32_t>;

Registers registers(Machine& machine) {
  return {machine.wave.vgpr, machine.wave.vgpr + std::size_t{64} * kRegisters};
}

/// What a load of host bytes `from(lane, byte)` must leave in the registers.
template <class From>
Registers loaded(Machine& machine, const LoadKind& kind, unsigned result, std::uint64_t exec,
                 From from) {
  Registers expected = registers(machine);
  for (unsigned l = 0; l < 64; ++l) {
    if (!((exec >> l) & 1)) continue;
    std::uint32_t dwords[4] = {};
    for (unsigned b = 0; b < kind.bytes; ++b) {
      dwords[b / 4] |= std::to_integer<std::uint32_t>(*from(l, b)) << (8 * (b % 4));
    }
    if (kind.bytes < 4) dwords[0] = kind.extend(dwords[0]);
    for (unsigned d = 0; d < (kind.bytes + 3) / 4; ++d) expected[(result + d) * 64 + l] = dwords[d];
  }
  return expected;
}

constexpr std::uint32_t kBase = 4096;  // where test data lie in the arena

template <class Check>
void for_each_case(Check check) {
  for (const Pattern pattern : kPatterns) {
    for (const std::uint64_t exec : exec_patterns()) check(pattern, exec);
  }
}

enum class Form { kSaddr, kVaddr, kFlat };

/// Sets the address registers 10 (and 11) for offsets in the arena.
MemoryOperands arena_operands(Machine& machine, Form form,
                              const std::vector<std::uint32_t>& offsets) {
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.use_address = true;
  memory.offset = form == Form::kFlat ? 24 : -40;
  for (unsigned l = 0; l < 64; ++l) {
    if (form == Form::kSaddr) machine.lane(10, l) = offsets[l];
    else machine.set_address(10, l, machine.address(kBase + offsets[l]) -
                                        static_cast<std::uint64_t>(std::int64_t{memory.offset}));
  }
  if (form == Form::kSaddr) {
    memory.scalar_base = 4;
    machine.wave.set_scalar64(4, machine.address(kBase) + 40);
  }
  return memory;
}

void check_load(Form form, unsigned result) {
  for (const LoadKind& kind : kLoads) {
    for_each_case([&](Pattern pattern, std::uint64_t exec) {
      Machine machine;
      const auto at = offsets(pattern, kind.bytes, 8192);
      MemoryOperands memory = arena_operands(machine, form, at);
      memory.result = static_cast<std::uint16_t>(result);
      memory.returns = true;
      machine.wave.set_exec(exec);
      const Registers expected =
          loaded(machine, kind, result, exec,
                 [&](unsigned l, unsigned b) { return machine.arena() + kBase + at[l] + b; });
      const std::string name = (form == Form::kFlat ? "flat_" : "global_") + std::string(kind.name);
      ASSERT_TRUE(machine.run(name, memory));
      ASSERT_EQ(registers(machine), expected)
          << name << " pattern " << static_cast<int>(pattern) << " exec " << exec;
    });
  }
}

void check_store(Form form) {
  for (const StoreKind& kind : kStores) {
    for_each_case([&](Pattern pattern, std::uint64_t exec) {
      Machine machine;
      const auto at = offsets(pattern, kind.bytes, 8192);
      MemoryOperands memory = arena_operands(machine, form, at);
      memory.data = 20;
      machine.wave.set_exec(exec);
      std::vector<std::byte> expected(machine.arena(), machine.arena() + kArenaBytes);
      for (unsigned l = 0; l < 64; ++l) {
        if (!((exec >> l) & 1)) continue;
        for (unsigned b = 0; b < kind.bytes; ++b) {
          expected[kBase + at[l] + b] = static_cast<std::byte>(
              machine.lane(20 + b / 4, l) >> (kind.shift + 8 * (b % 4)));
        }
      }
      const std::string name = (form == Form::kFlat ? "flat_" : "global_") + std::string(kind.name);
      ASSERT_TRUE(machine.run(name, memory));
      ASSERT_EQ(std::memcmp(machine.arena(), expected.data(), kArenaBytes), 0)
          << name << " pattern " << static_cast<int>(pattern) << " exec " << exec;
    });
  }
}

TEST(Global, LoadsThroughAScalarBase) { check_load(Form::kSaddr, 20); }
TEST(Global, LoadsThroughVectorAddresses) { check_load(Form::kVaddr, 20); }
TEST(Flat, LoadsPlainMemory) { check_load(Form::kFlat, 20); }
TEST(Global, AResultMayOverwriteItsAddress) {
  check_load(Form::kSaddr, 10);
  check_load(Form::kVaddr, 9);
  check_load(Form::kFlat, 8);
}
TEST(Global, StoresThroughAScalarBase) { check_store(Form::kSaddr); }
TEST(Global, StoresThroughVectorAddresses) { check_store(Form::kVaddr); }
TEST(Flat, StoresPlainMemory) { check_store(Form::kFlat); }

TEST(Global, OffsetsAreUnsignedAndDoNotWrap) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.result = 20;
  memory.scalar_base = 4;
  // Lane 0 adds 2^32 - 4, lane 1 zero, and so on: affine modulo 2^32 only.
  machine.wave.set_scalar64(4, machine.address(kBase));
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 4 * l - 4;
  machine.wave.set_exec(0x3);
  EXPECT_FALSE(machine.run("global_load_dword", memory));
  EXPECT_EQ(machine.wave.fault.lane, 0u);
  EXPECT_EQ(machine.wave.fault.address, machine.address(kBase) + 0xfffffffcu);
  EXPECT_FALSE(machine.wave.fault.write);
}

TEST(Global, TheLastByteOfTheArenaWorksAndTheNextFaults) {
  for (const LoadKind& kind : kLoads) {
    for (const std::uint32_t beyond : {0u, 1u}) {
      for (const std::uint64_t exec : {~std::uint64_t{0}, std::uint64_t{1} << 63}) {
        Machine machine;
        MemoryOperands memory = operands();
        memory.address = 10;
        memory.result = 20;
        for (unsigned l = 0; l < 64; ++l) {
          machine.set_address(10, l, machine.address(kArenaBytes - (64 - l) * kind.bytes + beyond));
        }
        machine.wave.set_exec(exec);
        const std::string name = "global_" + std::string(kind.name);
        ASSERT_EQ(machine.run(name, memory), beyond == 0) << name;
        if (beyond != 0) {
          EXPECT_EQ(machine.wave.fault.lane, 63u);
        }
      }
    }
  }
}

TEST(Global, AStoreBeforeTheArenaFaultsAtItsLane) {
  for (const Pattern pattern : kPatterns) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    const auto at = offsets(pattern, 4, 8192);
    for (unsigned l = 0; l < 64; ++l) machine.set_address(10, l, machine.address(at[l]));
    machine.set_address(10, 37, machine.address(0) - 1);
    EXPECT_FALSE(machine.run("global_store_dword", memory));
    EXPECT_EQ(machine.wave.fault.lane, 37u);
    EXPECT_EQ(machine.wave.fault.address, machine.address(0) - 1);
    EXPECT_TRUE(machine.wave.fault.write);
  }
}

TEST(Global, InactiveLanesMayHoldWildAddresses) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.result = 20;
  for (unsigned l = 0; l < 64; ++l) {
    machine.set_address(10, l, l == 5 ? machine.address(kBase) : 0xdead0000beef0000);
  }
  machine.wave.set_exec(1 << 5);
  EXPECT_TRUE(machine.run("global_load_dwordx4", memory));
  EXPECT_EQ(machine.lane(21, 5), machine.at<std::uint32_t>(kBase + 4));
}

TEST(Global, ALoadToLdsPutsLanesSideBySideFromM0) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.offset = 16;
  const auto at = offsets(Pattern::kRandom, 4, 8192);
  for (unsigned l = 0; l < 64; ++l) machine.set_address(10, l, machine.address(kBase + at[l]));
  machine.wave.m0() = 128;
  machine.wave.set_exec(0xf0f);
  std::vector<std::byte> expected(machine.workgroup.lds, machine.workgroup.lds + kLdsBytes);
  for (unsigned l = 0; l < 64; ++l) {
    if (!((0xf0fu >> std::min(l, 31u)) & 1) || l > 31) continue;
    std::memcpy(&expected[128 + 16 + 4 * l], machine.arena() + kBase + at[l] + 16, 4);
  }
  EXPECT_TRUE(machine.run("global_load_lds_dword", memory));
  EXPECT_EQ(std::memcmp(machine.workgroup.lds, expected.data(), kLdsBytes), 0);
}

TEST(Flat, AddressesInTheSharedApertureReachLds) {
  for (const LoadKind& kind : kLoads) {
    for_each_case([&](Pattern pattern, std::uint64_t exec) {
      Machine machine;
      const auto at = offsets(pattern, kind.bytes, 2048);
      MemoryOperands memory = operands();
      memory.address = 10;
      memory.offset = 8;
      memory.result = 20;
      for (unsigned l = 0; l < 64; ++l) machine.set_address(10, l, kSharedAperture + at[l]);
      machine.wave.set_exec(exec);
      const Registers expected =
          loaded(machine, kind, 20, exec,
                 [&](unsigned l, unsigned b) { return machine.workgroup.lds + 8 + at[l] + b; });
      ASSERT_TRUE(machine.run("flat_" + std::string(kind.name), memory));
      ASSERT_EQ(registers(machine), expected) << kind.name;
    });
  }
}

TEST(Flat, LanesMayMixMemoryLdsAndScratch) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.result = 20;
  for (unsigned l = 0; l < 64; ++l) {
    const std::uint64_t at = 4 * (l % 8);
    machine.set_address(10, l, l % 3 == 0   ? machine.address(kBase) + at
                               : l % 3 == 1 ? kSharedAperture + at
                                            : kPrivateAperture + at);
  }
  EXPECT_TRUE(machine.run("flat_load_dwordx2", memory));
  for (unsigned l = 0; l < 64; ++l) {
    const unsigned at = 4 * (l % 8);
    std::uint32_t expected;
    const std::byte* from =
        l % 3 == 0   ? machine.arena() + kBase + at + 4
        : l % 3 == 1 ? machine.workgroup.lds + at + 4
                     : machine.arena() + kScratchAt + (at / 4 + 1) * 256 + 4 * l;
    std::memcpy(&expected, from, 4);
    EXPECT_EQ(machine.lane(21, l), expected) << l;
  }
}

TEST(Flat, TheEndOfLdsIsAFault) {
  for (const std::uint32_t beyond : {0u, 1u}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    for (unsigned l = 0; l < 64; ++l) {
      machine.set_address(10, l, kSharedAperture + kLdsBytes - 256 + 4 * l + beyond);
    }
    EXPECT_EQ(machine.run("flat_store_dword", memory), beyond == 0);
    if (beyond != 0) {
      EXPECT_EQ(machine.wave.fault.lane, 63u);
    }
  }
}

/// Scratch: byte a of lane l at (a / 4) * 256 + 4 * l + a % 4.
std::byte* scratch_byte(Machine& machine, unsigned l, std::uint32_t a) {
  return machine.arena() + kScratchAt + a / 4 * 256 + 4 * l + a % 4;
}

/// Offsets of the lanes' private accesses: one for all, aligned or not, or each its own.
std::vector<std::uint32_t> private_offsets(unsigned kind) {
  std::vector<std::uint32_t> at(64);
  std::mt19937 random(3);
  for (std::uint32_t& a : at) {
    a = kind < 5 ? 12 + kind : kind == 5 ? random() % 12 * 4 : random() % 48;
  }
  return at;
}

TEST(Scratch, InterleavesTheDwordsOfTheLanes) {
  for (const LoadKind& kind : kLoads) {
    for (unsigned offsets_kind = 0; offsets_kind < 7; ++offsets_kind) {
      for (const std::uint64_t exec : exec_patterns()) {
        const auto at = private_offsets(offsets_kind);
        for (const bool flat : {false, true}) {
          Machine machine;
          MemoryOperands memory = operands();
          memory.address = 10;
          memory.use_address = true;
          memory.result = 9;
          memory.offset = flat ? 0 : -4;
          machine.wave.sgpr[7] = 6;
          if (!flat) memory.scalar_base = 7;
          for (unsigned l = 0; l < 64; ++l) {
            if (flat) machine.set_address(10, l, kPrivateAperture + at[l]);
            else machine.lane(10, l) = at[l] - 2;
          }
          machine.wave.set_exec(exec);
          const Registers expected = loaded(
              machine, kind, 9, exec,
              [&](unsigned l, unsigned b) { return scratch_byte(machine, l, at[l] + b); });
          ASSERT_TRUE(machine.run((flat ? "flat_" : "scratch_") + std::string(kind.name), memory));
          ASSERT_EQ(registers(machine), expected) << kind.name << " " << offsets_kind;
        }
      }
    }
  }
}

TEST(Scratch, StoresInterleavedDwords) {
  for (const StoreKind& kind : kStores) {
    for (unsigned offsets_kind = 0; offsets_kind < 7; ++offsets_kind) {
      for (const std::uint64_t exec : exec_patterns()) {
        Machine machine;
        const auto at = private_offsets(offsets_kind);
        MemoryOperands memory = operands();
        memory.data = 20;
        memory.address = 10;
        memory.use_address = true;
        for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = at[l];
        machine.wave.set_exec(exec);
        std::vector<std::byte> expected(machine.arena(), machine.arena() + kArenaBytes);
        for (unsigned l = 0; l < 64; ++l) {
          if (!((exec >> l) & 1)) continue;
          for (unsigned b = 0; b < kind.bytes; ++b) {
            const auto to = scratch_byte(machine, l, at[l] + b) - machine.arena();
            expected[static_cast<std::size_t>(to)] =
                static_cast<std::byte>(machine.lane(20 + b / 4, l) >> (kind.shift + 8 * (b % 4)));
          }
        }
        ASSERT_TRUE(machine.run("scratch_" + std::string(kind.name), memory));
        ASSERT_EQ(std::memcmp(machine.arena(), expected.data(), kArenaBytes), 0) << kind.name;
      }
    }
  }
}

TEST(Scratch, TheEndOfTheAllocationIsAFault) {
  for (const std::uint32_t beyond : {0u, 4u}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.result = 20;
    memory.offset = static_cast<std::int32_t>(kScratchBytes / 64 - 8 + beyond);
    EXPECT_EQ(machine.run("scratch_load_dwordx2", memory), beyond == 0);
  }
}

TEST(Flat, AStepGoesThroughScratchDwordByDword) {
  Machine machine;
  for (unsigned l = 0; l < 64; ++l) machine.set_address(10, l, kPrivateAperture + 8);
  Op op;
  op.memory = operands();
  op.memory.address = 10;
  op.memory.segment = isa::Format::kFlat;
  op.row = isa::find_row("flat_load_dwordx4", isa::kGfx942)->id;
  machine::Step step;
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_bytes, 4u);
  EXPECT_EQ(step.access_count, 4u);
  EXPECT_EQ(step.access_stride, 256);
  EXPECT_TRUE(step.scratch);
  EXPECT_EQ(step.address[3], machine.address(kScratchAt + 2 * 256 + 3 * 4));
  machine.set_address(10, 5, machine.address(64));
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_bytes, 16u) << "a lane is elsewhere";
  machine.wave.set_exec(~(std::uint64_t{1} << 5));
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_bytes, 4u);
}

}  // namespace
}  // namespace wavetank::execute::testing
