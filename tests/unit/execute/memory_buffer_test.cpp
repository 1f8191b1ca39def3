// Buffer resources: raw, structured, swizzled; both sides of the range.
#include <string>

#include "execute/step_address.hpp"
#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kBase = 4096;
constexpr unsigned kResource = 8;  // SGPRs of the resource

struct Resource {
  std::uint32_t num_records = 0xffffffff;
  std::uint32_t stride = 0;
  unsigned index_stride = 0;  ///< 8 << this
  bool swizzle = false, add_tid = false;
};

void set_resource(Machine& machine, std::uint64_t base, const Resource& resource) {
  std::uint32_t* const word = &machine.wave.sgpr[kResource];
  word[0] = static_cast<std::uint32_t>(base);
  word[1] = static_cast<std::uint32_t>(base >> 32) | resource.stride << 16 |
            (resource.swizzle ? 1u << 31 : 0);
  word[2] = resource.num_records;
  word[3] = resource.index_stride << 21 | (resource.add_tid ? 1u << 23 : 0);
}

MemoryOperands buffer_operands() {
  MemoryOperands memory = operands();
  memory.scalar_base = kResource;
  memory.address = 10;
  return memory;
}

/// Buffer offset of a record (CDNA3 ISA guide, "Buffer Addressing"), written out once more.
std::uint64_t buffer_offset(const Resource& r, std::uint32_t index, std::uint32_t offset) {
  if (!r.swizzle || !r.add_tid) return offset + std::uint64_t{r.stride} * index;
  const std::uint32_t n = 8u << r.index_stride;
  return (std::uint64_t{index / n} * r.stride + offset / 4 * 4) * n + index % n * 4 + offset % 4;
}

TEST(RawBuffer, LoadsEachDwordInsideTheRangeAndZeroBeyond) {
  constexpr const char* kNames[] = {"buffer_load_dword", "buffer_load_dwordx2",
                                    "buffer_load_dwordx3", "buffer_load_dwordx4"};
  for (unsigned dwords = 1; dwords <= 4; ++dwords) {
    for (const Pattern pattern : kPatterns) {
      for (const std::uint64_t exec : exec_patterns()) {
        for (const std::uint32_t records : {0u, 40u, 400u, 1000u, 100000u}) {
          Machine machine;
          set_resource(machine, machine.address(kBase), {.num_records = records});
          MemoryOperands memory = buffer_operands();
          memory.offen = true;
          memory.offset = 16;
          memory.result = 9;
          memory.scalar_offset = 3;
          machine.wave.sgpr[3] = 32;
          const auto at = offsets(pattern, 4 * dwords, 8192);
          for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = at[l];
          machine.wave.set_exec(exec);
          std::vector<std::uint32_t> expected(machine.wave.vgpr, machine.wave.vgpr + 64 * 20);
          for (unsigned l = 0; l < 64; ++l) {
            for (unsigned d = 0; d < dwords && ((exec >> l) & 1); ++d) {
              const std::uint64_t offset = at[l] + 16u + 4 * d;
              const bool inside = records > 32 && offset + 4 <= records - 32;
              expected[(9 + d) * 64 + l] =
                  inside ? machine.at<std::uint32_t>(kBase + 32 + offset) : 0;
            }
          }
          ASSERT_TRUE(machine.run(kNames[dwords - 1], memory));
          ASSERT_EQ(std::vector<std::uint32_t>(machine.wave.vgpr, machine.wave.vgpr + 64 * 20),
                    expected)
              << dwords << " records " << records << " pattern " << static_cast<int>(pattern);
        }
      }
    }
  }
}

TEST(RawBuffer, StoresBeyondTheRangeAreDropped) {
  for (const std::uint32_t records : {252u, 256u}) {
    Machine machine;
    set_resource(machine, machine.address(kBase), {.num_records = records});
    MemoryOperands memory = buffer_operands();
    memory.offen = true;
    memory.data = 20;
    for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 4 * l;
    const auto last = machine.at<std::uint32_t>(kBase + 252);
    EXPECT_TRUE(machine.run("buffer_store_dword", memory));
    EXPECT_EQ(machine.at<std::uint32_t>(kBase + 248), machine.lane(20, 62));
    EXPECT_EQ(machine.at<std::uint32_t>(kBase + 252), records == 256 ? machine.lane(20, 63) : last);
  }
}

TEST(RawBuffer, WithoutAnOffsetRegisterAllLanesReadOneAddress) {
  Machine machine;
  set_resource(machine, machine.address(kBase), {});
  MemoryOperands memory = buffer_operands();
  memory.offset = 20;
  memory.scalar_offset = 128 + 8;  // the inline constant 8
  memory.result = 20;
  EXPECT_TRUE(machine.run("buffer_load_ushort", memory));
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(machine.lane(20, l), machine.at<std::uint16_t>(kBase + 28));
  }
}

TEST(StructuredBuffer, IndexesRecordsAndChecksTheIndex) {
  for (const bool swizzle : {false, true}) {
    for (unsigned index_stride = 0; index_stride < 4; ++index_stride) {
      Machine machine;
      const Resource resource{70, 24, index_stride, swizzle, swizzle};
      set_resource(machine, machine.address(kBase), resource);
      MemoryOperands memory = buffer_operands();
      memory.idxen = memory.offen = true;
      memory.offset = 4;
      memory.result = 20;
      for (unsigned l = 0; l < 64; ++l) {
        machine.lane(10, l) = l * 3;    // index, in range up to lane 23
        machine.lane(11, l) = 4 * (l % 3);
      }
      EXPECT_TRUE(machine.run("buffer_load_dwordx2", memory));
      for (unsigned l = 0; l < 64; ++l) {
        for (unsigned d = 0; d < 2; ++d) {
          const std::uint32_t offset = 4 + 4 * (l % 3) + 4 * d;
          const std::uint64_t at = buffer_offset(resource, 3 * l + (swizzle ? l : 0), offset);
          EXPECT_EQ(machine.lane(20 + d, l), 3 * l < 70 ? machine.at<std::uint32_t>(kBase + at) : 0)
              << l << " " << d;
        }
      }
    }
  }
}

TEST(StructuredBuffer, WithoutAddTidNothingIsSwizzledAndWithAnIndexNoLaneIsAdded) {
  for (const bool swizzle : {true, false}) {
    Machine machine;
    set_resource(machine, machine.address(kBase), Resource{16, 8, 0, swizzle, !swizzle});
    MemoryOperands memory = buffer_operands();
    memory.idxen = true;
    memory.result = 20;
    for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = l % 16;
    EXPECT_TRUE(machine.run("buffer_load_dword", memory));
    EXPECT_EQ(machine.lane(20, 21), machine.at<std::uint32_t>(kBase + 8 * 5));
  }
}

/// The resource that the runtime makes for private memory (LLVM AMDGPUUsage, "Private Segment
/// Buffer"): swizzled, 64 lanes, lane number added.
TEST(ScratchBuffer, InterleavesTheDwordsOfTheLanes) {
  const Resource resource{.num_records = kScratchBytes, .index_stride = 3, .swizzle = true,
                          .add_tid = true};
  for (const bool own_offsets : {false, true}) {
    for (const std::uint64_t exec : exec_patterns()) {
      for (const unsigned misalign : {0u, 1u}) {
        Machine machine;
        set_resource(machine, machine.address(kScratchAt) - 512, resource);
        machine.wave.sgpr[3] = 512;
        MemoryOperands memory = buffer_operands();
        memory.offen = true;
        memory.offset = 8;
        memory.scalar_offset = 3;
        memory.data = 20;
        machine.wave.set_exec(exec);
        for (unsigned l = 0; l < 64; ++l) {
          machine.lane(10, l) = (own_offsets ? l % 4 * 4 : 4) + misalign;
        }
        std::vector<std::byte> expected(machine.arena(), machine.arena() + kArenaBytes);
        for (unsigned l = 0; l < 64; ++l) {
          if (!((exec >> l) & 1)) continue;
          for (unsigned b = 0; b < 8; ++b) {
            const std::uint64_t at = buffer_offset(resource, l, machine.lane(10, l) + 8 + b);
            expected[kScratchAt + at] =
                static_cast<std::byte>(machine.lane(20 + b / 4, l) >> (8 * (b % 4)));
          }
        }
        ASSERT_TRUE(machine.run("buffer_store_dwordx2", memory));
        ASSERT_EQ(std::memcmp(machine.arena(), expected.data(), kArenaBytes), 0);
      }
    }
  }
}

TEST(ScratchBuffer, BytesShareTheirDword) {
  Machine machine;
  set_resource(machine, machine.address(kScratchAt),
               {.num_records = kScratchBytes, .index_stride = 3, .swizzle = true, .add_tid = true});
  MemoryOperands memory = buffer_operands();
  memory.offset = 7;
  memory.result = 20;
  EXPECT_TRUE(machine.run("buffer_load_sbyte", memory));
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(machine.lane(20, l), static_cast<std::uint32_t>(
                                       machine.at<std::int8_t>(kScratchAt + 256 + 4 * l + 3)));
  }
}

TEST(ScratchBuffer, IsNotRangeChecked) {
  for (const std::int32_t offset : {60, 64}) {
    for (const unsigned index_stride : {2u, 3u}) {
      Machine machine;
      const Resource resource{.num_records = 0, .index_stride = index_stride, .swizzle = true,
                              .add_tid = true};
      set_resource(machine, machine.address(kScratchAt), resource);
      MemoryOperands memory = buffer_operands();
      memory.offset = offset;
      memory.result = 20;
      EXPECT_TRUE(machine.run("buffer_load_dword", memory));
      const auto at = buffer_offset(resource, 63, static_cast<std::uint32_t>(offset));
      EXPECT_EQ(machine.lane(20, 63), machine.at<std::uint32_t>(kScratchAt + at));
    }
  }
}

TEST(RawBuffer, TheLdsBitRedirectsTheResult) {
  Machine machine;
  set_resource(machine, machine.address(kBase), {});
  MemoryOperands memory = buffer_operands();
  memory.offen = memory.lds = true;
  memory.offset = 4;
  machine.wave.m0() = 256;
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 8 * l;
  EXPECT_TRUE(machine.run("buffer_load_dword", memory));
  for (unsigned l = 0; l < 64; ++l) {
    std::uint32_t value;
    std::memcpy(&value, machine.workgroup.lds + 260 + 4 * l, 4);
    EXPECT_EQ(value, machine.at<std::uint32_t>(kBase + 4 + 8 * l));
  }
}

TEST(RawBuffer, AnAddressOutsideTheArenaFaults) {
  Machine machine;
  set_resource(machine, machine.address(kArenaBytes) - 128, {});
  MemoryOperands memory = buffer_operands();
  memory.offen = true;
  memory.data = 20;
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 4 * l;
  EXPECT_FALSE(machine.run("buffer_store_dword", memory));
  EXPECT_EQ(machine.wave.fault.lane, 32u);
}

/// Word 3 of a resource: DST_SEL x y z w, NUM_FORMAT, DATA_FORMAT.
std::uint32_t format_word(unsigned number, unsigned data) {
  return 4u | 5u << 3 | 6u << 6 | 7u << 9 | number << 12 | data << 15;
}

TEST(FormattedBuffer, AFormatThatDoesNotExistLoadsZeroAndStoresNothing) {
  for (const unsigned data : {0u, 15u}) {
    Machine machine;
    set_resource(machine, machine.address(kBase), {});
    machine.wave.sgpr[kResource + 3] = format_word(4, data);
    MemoryOperands memory = buffer_operands();
    memory.result = memory.data = 20;
    const auto before = machine.at<std::uint32_t>(kBase);
    EXPECT_TRUE(machine.run("buffer_store_format_x", memory));
    EXPECT_EQ(machine.at<std::uint32_t>(kBase), before);
    EXPECT_TRUE(machine.run("buffer_load_format_xyz", memory));
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(machine.lane(20 + i, 7), 0u);
  }
}

TEST(FormattedBuffer, TheLdsBitRedirectsTheFirstComponent) {
  Machine machine;
  set_resource(machine, machine.address(kBase), {});
  machine.wave.sgpr[kResource + 3] = format_word(5, 3);  // SINT, 8_8
  MemoryOperands memory = buffer_operands();
  memory.offen = memory.lds = true;
  machine.wave.m0() = 64;
  for (unsigned l = 0; l < 64; ++l) machine.lane(10, l) = 2 * l;
  EXPECT_TRUE(machine.run("buffer_load_format_x", memory));
  for (unsigned l = 0; l < 64; ++l) {
    std::int32_t value;
    std::memcpy(&value, machine.workgroup.lds + 64 + 4 * l, 4);
    EXPECT_EQ(value, machine.at<std::int8_t>(kBase + 2 * l));
  }
}

TEST(FormattedBuffer, AStepMovesTheTexelThatTheFormatNames) {
  Machine machine;
  set_resource(machine, machine.address(kBase), {});
  machine.wave.sgpr[kResource + 3] = format_word(4, 14);
  Op op;
  op.memory = buffer_operands();
  op.row = isa::find_row("buffer_load_format_x", isa::kGfx942)->id;
  machine::Step step;
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_bytes, 16u);
  op.row = isa::find_row("tbuffer_load_format_x", isa::kGfx942)->id;
  op.memory.buffer_format = 4 << 4 | 2;  // UINT, 16
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_bytes, 2u);
  op.memory.buffer_format = 0;
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.access_count, 0u);
}

}  // namespace
}  // namespace wavetank::execute::testing
