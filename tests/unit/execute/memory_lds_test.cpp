// DS reads, writes, lane exchange; LDS ends at its allocation.
#include <string>

#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

using Registers = std::vector<std::uint32_t>;

Registers registers(Machine& machine) {
  return {machine.wave.vgpr, machine.wave.vgpr + std::size_t{64} * kRegisters};
}

MemoryOperands lds_operands() {
  MemoryOperands memory = operands();
  memory.address = 10;
  return memory;
}

std::uint32_t lds_bits(Machine& machine, std::uint64_t at, unsigned bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, machine.workgroup.lds + at, bytes);
  return value;
}

TEST(Lds, ReadsEveryWidthAndZeroBeyondTheAllocation) {
  constexpr struct { const char* name; unsigned bytes; } kReads[] = {
      {"ds_read_u8", 1}, {"ds_read_u16", 2}, {"ds_read_b32", 4},
      {"ds_read_b64", 8}, {"ds_read_b96", 12}, {"ds_read_b128", 16}};
  for (const auto& read : kReads) {
    for (const Pattern pattern : kPatterns) {
      for (const std::uint64_t exec : exec_patterns()) {
        for (const std::uint32_t shift : {0u, 3000u}) {
          Machine machine;
          MemoryOperands memory = lds_operands();
          memory.offset = 12;
          memory.result = 9;
          const auto at = offsets(pattern, read.bytes, 2048);
          for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = at[l] + shift;
          machine.wave.set_exec(exec);
          Registers expected = registers(machine);
          for (unsigned l = 0; l < 64; ++l) {
            if (!((exec >> l) & 1)) continue;
            const std::uint32_t from = at[l] + shift + 12;
            for (unsigned b = 0; b < read.bytes; b += 4) {
              expected[(9 + b / 4) * 64 + l] =
                  from + read.bytes <= kLdsBytes
                      ? lds_bits(machine, from + b, std::min(4u, read.bytes - b)) : 0;
            }
          }
          ASSERT_TRUE(machine.run(read.name, memory));
          ASSERT_EQ(registers(machine), expected)
              << read.name << " " << static_cast<int>(pattern) << " " << exec << " " << shift;
        }
      }
    }
  }
}

TEST(Lds, WritesEveryWidthInsideTheAllocation) {
  constexpr struct { const char* name; unsigned bytes, shift; } kWrites[] = {
      {"ds_write_b8", 1, 0}, {"ds_write_b8_d16_hi", 1, 16}, {"ds_write_b16", 2, 0},
      {"ds_write_b16_d16_hi", 2, 16}, {"ds_write_b32", 4, 0}, {"ds_write_b64", 8, 0},
      {"ds_write_b96", 12, 0}, {"ds_write_b128", 16, 0}};
  for (const auto& write : kWrites) {
    for (const Pattern pattern : kPatterns) {
      for (const std::uint64_t exec : exec_patterns()) {
        for (const std::uint32_t shift : {0u, 3000u}) {
          Machine machine;
          MemoryOperands memory = lds_operands();
          memory.data = 20;
          const auto at = offsets(pattern, write.bytes, 2048);
          for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = at[l] + shift;
          machine.wave.set_exec(exec);
          std::vector<std::byte> expected(machine.workgroup.lds,
                                          machine.workgroup.lds + kLdsBytes + 1024);
          for (unsigned l = 0; l < 64; ++l) {
            const std::uint32_t to = at[l] + shift;
            if (!((exec >> l) & 1) || to + write.bytes > kLdsBytes) continue;
            for (unsigned b = 0; b < write.bytes; ++b) {
              expected[to + b] = static_cast<std::byte>(machine.lane(20 + b / 4, l) >>
                                                        (write.shift + 8 * (b % 4)));
            }
          }
          ASSERT_TRUE(machine.run(write.name, memory));
          ASSERT_EQ(std::memcmp(machine.workgroup.lds, expected.data(), expected.size()), 0)
              << write.name << " " << static_cast<int>(pattern) << " " << exec << " " << shift;
        }
      }
    }
  }
}

TEST(Lds, ExtendsShortReads) {
  constexpr struct { const char* name; std::uint32_t expected; } kReads[] = {
      {"ds_read_i8", 0xffffff87}, {"ds_read_u8", 0x87}, {"ds_read_i16", 0xffff9387},
      {"ds_read_u16", 0x9387}, {"ds_read_u8_d16", 0x87}, {"ds_read_u8_d16_hi", 0x870000},
      {"ds_read_i8_d16", 0xff87}, {"ds_read_i8_d16_hi", 0xff870000},
      {"ds_read_u16_d16", 0x9387}, {"ds_read_u16_d16_hi", 0x93870000}};
  for (const auto& read : kReads) {
    Machine machine;
    machine.workgroup.lds[40] = std::byte{0x87};
    machine.workgroup.lds[41] = std::byte{0x93};
    for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 40;
    MemoryOperands memory = lds_operands();
    memory.result = 20;
    EXPECT_TRUE(machine.run(read.name, memory));
    EXPECT_EQ(machine.lane(20, 33), read.expected) << read.name;
  }
}

TEST(Lds, PairsHaveTwoOffsetsInElements) {
  for (const bool wide : {false, true}) {
    for (const bool far : {false, true}) {
      for (const unsigned second : {0u, 1u, 2u, 7u}) {
        for (const std::uint64_t exec : exec_patterns()) {
          const unsigned bytes = wide ? 8 : 4, unit = bytes * (far ? 64 : 1);
          const std::string suffix = std::string(far ? "st64_b" : "_b") + (wide ? "64" : "32");
          Machine machine;
          MemoryOperands memory = lds_operands();
          memory.offset = static_cast<std::int32_t>(0 | second << 8);
          memory.result = 8;
          memory.data = 20;
          memory.data2 = 30;
          for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 2 * bytes * l;
          machine.wave.set_exec(exec);
          Registers expected = registers(machine);
          for (unsigned l = 0; l < 64; ++l) {
            if (!((exec >> l) & 1)) continue;
            for (unsigned d = 0; d < bytes / 4; ++d) {
              const std::uint32_t a = 2 * bytes * l + 4 * d, b = a + second * unit;
              expected[(8 + d) * 64 + l] = lds_bits(machine, a, 4);
              const bool inside = 2 * bytes * l + second * unit + bytes <= kLdsBytes;
              expected[(8 + bytes / 4 + d) * 64 + l] = inside ? lds_bits(machine, b, 4) : 0;
            }
          }
          ASSERT_TRUE(machine.run("ds_read2" + suffix, memory));
          ASSERT_EQ(registers(machine), expected) << suffix << " " << second << " " << exec;

          for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 8 * bytes * (l % 8);
          std::vector<std::byte> lds(machine.workgroup.lds, machine.workgroup.lds + kLdsBytes);
          for (const auto& [data, offset] : {std::pair{20u, 0u}, std::pair{30u, second * unit}}) {
            for (unsigned l = 0; l < 64; ++l) {
              for (unsigned d = 0; d < bytes / 4 && ((exec >> l) & 1); ++d) {
                std::memcpy(&lds[machine.lane(10, l) + offset + 4 * d],
                            &machine.lane(data + d, l), 4);
              }
            }
          }
          ASSERT_TRUE(machine.run("ds_write2" + suffix, memory));
          ASSERT_EQ(std::memcmp(machine.workgroup.lds, lds.data(), kLdsBytes), 0) << suffix;
        }
      }
    }
  }
}

TEST(Lds, EachElementOfAPairHasItsOwnBounds) {
  for (const unsigned bytes : {4u, 8u}) {
    for (const unsigned inside : {0u, 1u, 2u}) {  // elements of lane 5's pair
      Machine machine;
      MemoryOperands memory = lds_operands();
      memory.offset = 0 | 1 << 8;
      memory.result = 20;
      const std::uint32_t at = kLdsBytes - inside * bytes;
      for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = l == 5 ? at : 2 * bytes * l;
      Registers expected = registers(machine);
      for (unsigned l = 0; l < 64; ++l) {
        for (unsigned d = 0; d < 2 * bytes / 4; ++d) {
          const std::uint32_t from = machine.lane(10, l) + 4 * d;
          expected[(20 + d) * 64 + l] = from < kLdsBytes ? lds_bits(machine, from, 4) : 0;
        }
      }
      ASSERT_TRUE(machine.run(bytes == 4 ? "ds_read2_b32" : "ds_read2_b64", memory));
      EXPECT_EQ(registers(machine), expected) << bytes << " bytes, " << inside << " inside";
    }
  }
}

TEST(Lds, APairMayOverwriteItsAddress) {
  Machine machine;
  MemoryOperands memory = lds_operands();
  memory.offset = 0 | 5 << 8;
  memory.result = 10;
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 4 * l;
  EXPECT_TRUE(machine.run("ds_read2_b32", memory));
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(machine.lane(10, l), lds_bits(machine, 4 * l, 4));
    EXPECT_EQ(machine.lane(11, l), lds_bits(machine, 4 * l + 20, 4));
  }
}

TEST(Lds, ThreadAddressesCountFromM0) {
  Machine machine;
  machine.wave.m0() = 100;
  MemoryOperands memory = lds_operands();
  memory.offset = 28;
  memory.result = 20;
  EXPECT_TRUE(machine.run("ds_read_addtid_b32", memory));
  EXPECT_EQ(machine.lane(20, 9), lds_bits(machine, 128 + 36, 4));
  memory.data = 21;
  EXPECT_TRUE(machine.run("ds_write_addtid_b32", memory));
  EXPECT_EQ(lds_bits(machine, 128 + 36, 4), machine.lane(21, 9));
}

TEST(Lds, CountersAddAndTakeTheActiveLanes) {
  Machine machine;
  machine.wave.m0() = 64;
  machine.wave.set_exec(0x7f);
  const std::uint32_t start = 1000;
  std::memcpy(machine.workgroup.lds + 72, &start, 4);
  MemoryOperands memory = lds_operands();
  memory.offset = 8;
  memory.result = 20;
  const std::uint32_t untouched = machine.lane(20, 8);
  EXPECT_TRUE(machine.run("ds_append", memory));
  EXPECT_EQ(machine.lane(20, 6), 1000u);
  EXPECT_EQ(machine.lane(20, 8), untouched);
  EXPECT_TRUE(machine.run("ds_append", memory));
  EXPECT_EQ(machine.lane(20, 0), 1007u);
  EXPECT_TRUE(machine.run("ds_consume", memory));
  EXPECT_EQ(machine.lane(20, 0), 1014u);
  EXPECT_EQ(lds_bits(machine, 72, 4), 1007u);
}

TEST(Exchange, BackwardPermuteReadsActiveLanesAndZeroOfOthers) {
  for (const std::uint64_t exec : exec_patterns()) {
    Machine machine;
    MemoryOperands memory = lds_operands();
    memory.data = 20;
    memory.result = 10;
    memory.offset = 8;
    machine.wave.set_exec(exec);
    Registers expected = registers(machine);
    for (unsigned l = 0; l < 64; ++l) {
      const unsigned source = (machine.lane(10, l) + 8) / 4 % 64;
      if (!((exec >> l) & 1)) continue;
      expected[10 * 64 + l] = (exec >> source) & 1 ? machine.lane(20, source) : 0;
    }
    EXPECT_TRUE(machine.run("ds_bpermute_b32", memory));
    EXPECT_EQ(registers(machine), expected);
  }
}

TEST(Exchange, PermuteSendsAndTheHighestLaneWins) {
  for (const std::uint64_t exec : exec_patterns()) {
    Machine machine;
    MemoryOperands memory = lds_operands();
    memory.data = 20;
    memory.result = 20;
    machine.wave.set_exec(exec);
    Registers expected = registers(machine);
    std::uint32_t sent[64] = {};
    for (unsigned l = 0; l < 64; ++l) {
      if ((exec >> l) & 1) sent[machine.lane(10, l) / 4 % 64] = machine.lane(20, l);
    }
    for (unsigned l = 0; l < 64; ++l) {
      if ((exec >> l) & 1) expected[20 * 64 + l] = sent[l];
    }
    EXPECT_TRUE(machine.run("ds_permute_b32", memory));
    EXPECT_EQ(registers(machine), expected);
  }
}

/// The lane whose value lane `lane` gets under a swizzle pattern.
unsigned swizzled(unsigned pattern, unsigned lane) {
  Machine machine;
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = l;
  MemoryOperands memory = lds_operands();
  memory.offset = static_cast<std::int32_t>(pattern);
  memory.result = 20;
  EXPECT_TRUE(machine.run("ds_swizzle_b32", memory));
  return machine.lane(20, lane);
}

TEST(Exchange, SwizzleHasFourModes) {
  // Names as LLVM's swizzle(...) operand spells them.
  constexpr unsigned kSwapX1 = 0x041f, kReverse32 = 0x7c1f, kBroadcast32Lane3 = 0x0060;
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(swizzled(kSwapX1, l), l ^ 1);
    EXPECT_EQ(swizzled(kReverse32, l), l ^ 31);
    EXPECT_EQ(swizzled(kBroadcast32Lane3, l), (l & 32) + 3);
    EXPECT_EQ(swizzled(0x8000 | 0b00'01'10'11, l), (l & ~3u) + 3 - (l & 3));
    EXPECT_EQ(swizzled(0xc000 | 5 << 5, l), (l & 32) + ((l + 5) & 31));
    EXPECT_EQ(swizzled(0xc400 | 5 << 5 | 0x10, l), (l & 32) + (l & 16) + ((l - 5) & 15));
    EXPECT_EQ(swizzled(0xe01f, l), l);
  }
  EXPECT_EQ(swizzled(0xe000, 1), 16u);  // FFT: five bits reversed
  EXPECT_EQ(swizzled(0xe000, 35), 32 + 24u);
}

TEST(Exchange, SwizzleOfInactiveLanesReadsZero) {
  Machine machine;
  machine.wave.set_exec(0x5555555555555555);
  MemoryOperands memory = lds_operands();
  memory.offset = 0x041f;
  memory.result = 20;
  const std::uint32_t untouched = machine.lane(20, 3);
  EXPECT_TRUE(machine.run("ds_swizzle_b32", memory));
  EXPECT_EQ(machine.lane(20, 2), 0u);
  EXPECT_EQ(machine.lane(20, 3), untouched);
}

TEST(GlobalWaveSync, TheBarrierStopsTheWaveBehindIt) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.data = 20;
  EXPECT_TRUE(machine.run("ds_gws_init", memory));
  EXPECT_NE(machine.next, nullptr);
  EXPECT_TRUE(machine.run("ds_gws_barrier", memory));
  EXPECT_EQ(machine.next, nullptr);
  EXPECT_EQ(machine.wave.stop, machine::Stop::kGwsBarrier);
}

}  // namespace
}  // namespace wavetank::execute::testing
