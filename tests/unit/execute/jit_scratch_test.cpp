// Loads and stores of scratch, compiled, against their handlers: by FLAT_SCRATCH and by a buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "execute/jit/access.hpp"
#include "isa/catalogue.hpp"
#include "jit_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr unsigned kOffsets = 20, kData = 30, kScalar = 40, kResource = 0;
constexpr std::uint32_t kBytesOfLane = kScratchBytes / 64;

/// A row, and what its offset is made of beside the instruction's own.
struct Case {
  const isa::Row* row;
  bool lanes, scalar;
  bool buffer() const { return row->encoding.format == isa::Format::kMubuf; }
};

/// An instruction's own offset: 4, of a byte 7.
std::int32_t own_offset(const Case& one) {
  return 8 - std::min<std::int32_t>(one.row->memory.element_bytes, 4);
}

Op op_of(const Case& one) {
  const HandlerSet& set = handlers()[one.row->id];
  Op op;
  op.row = one.row->id;
  op.run = one.buffer() ? set.usual : set.in_segment(isa::Format::kScratch);
  op.memory = operands();
  op.memory.segment = one.buffer() ? isa::Format::kMubuf : isa::Format::kScratch;
  op.memory.address = kOffsets;
  op.memory.use_address = op.memory.offen = one.lanes;
  op.memory.data = op.memory.result = kData;
  op.memory.offset = own_offset(one);
  if (one.buffer()) {
    op.memory.scalar_base = kResource;
    if (one.scalar) op.memory.scalar_offset = kScalar;
  } else if (one.scalar) {
    op.memory.scalar_base = kScalar;
  }
  return op;
}

/// What is compiled of one format.
std::vector<Case> cases_of(isa::Format wanted) {
  std::vector<Case> all;
  for (const isa::Row& row : isa::catalogue()) {
    if (row.encoding.format != wanted) continue;
    for (const bool lanes : {false, true}) {
      for (const bool scalar : {false, true}) {
        const Case one{&row, lanes, scalar};
        const Op op = op_of(one);
        if (op.run == nullptr || jit::move_of(op, row).space != jit::MoveSpace::kScratch) continue;
        all.push_back(one);
      }
    }
  }
  return all;
}

enum class Lie { kSame, kOwn, kOneOff, kCrossing, kTwoAsides };
constexpr Lie kLies[] = {Lie::kSame, Lie::kOwn, Lie::kOneOff, Lie::kCrossing, Lie::kTwoAsides};

std::uint32_t offset_of(Lie lie, unsigned lane) {
  switch (lie) {
    case Lie::kSame: return 16;
    case Lie::kOwn: return 4 * (lane * 7 % 9);
    case Lie::kOneOff: return lane == 41 ? 4 : 24;
    case Lie::kCrossing: return lane % 31;
    case Lie::kTwoAsides: return 2 * (lane % 13);
  }
  return 0;
}

void prepare(Machine& machine, const Case& one, Lie lie, std::uint64_t exec) {
  const std::uint64_t base = machine.address(kScratchAt);
  machine.wave.sgpr[kResource] = static_cast<std::uint32_t>(base);
  machine.wave.sgpr[kResource + 1] = static_cast<std::uint32_t>(base >> 32) | 1u << 31;
  machine.wave.sgpr[kResource + 2] = 0xffffffff;
  machine.wave.sgpr[kResource + 3] = 7u << 21;
  // A buffer adds it to the address, the other form to the offset.
  machine.wave.sgpr[kScalar] = one.buffer() ? 512 : 8;
  for (unsigned l = 0; l < 64; ++l) machine.lane(kOffsets, l) = offset_of(lie, l);
  machine.wave.set_exec(exec);
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(info.param.row->name) + (info.param.lanes ? "_lanes" : "") +
         (info.param.scalar ? "_scalar" : "");
}

class JitScratch : public JitMemory, public ::testing::WithParamInterface<Case> {};

TEST_P(JitScratch, MovesWhatTheHandlerMovesAtAnyOffsetsAndExec) {
  const Case& one = GetParam();
  const std::vector<Op> ops{op_of(one)};
  for (const Lie lie : kLies) {
    for (const std::uint64_t exec : exec_patterns()) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(lie) << " exec " << std::hex << exec);
      const auto guard =
          expect_same(ops, [&](Machine& machine) { prepare(machine, one, lie, exec); });
      ASSERT_TRUE(guard);
      const bool crosses = one.lanes && (lie == Lie::kCrossing || lie == Lie::kTwoAsides);
      if (!crosses) EXPECT_EQ(guard->misses, 0u);
    }
  }
}

/// Of scratch that only begins in the arena, handlers know what may be touched.
TEST_P(JitScratch, MovesWhatTheHandlerMovesWhereTheArenaEnds) {
  const Case& one = GetParam();
  for (const std::uint32_t before_end : {0u, 1024u, 2048u, 4096u}) {
    SCOPED_TRACE(before_end);
    const CompiledOps codes[] = {{with_stop({op_of(one)}), nullptr}, compile({op_of(one)})};
    Machine machines[2];
    bool done[2];
    for (unsigned i = 0; i < 2; ++i) {
      machine::Wave& wave = machines[i].wave;
      prepare(machines[i], one, Lie::kSame, ~std::uint64_t{0});
      const std::uint64_t base = machines[i].address(kArenaBytes - before_end);
      wave.set_flat_scratch(base);
      wave.sgpr[kResource] = static_cast<std::uint32_t>(base);
      wave.sgpr[kResource + 1] = static_cast<std::uint32_t>(base >> 32) | 1u << 31;
      done[i] = runs(machines[i], codes[i]);
    }
    EXPECT_EQ(done[0], done[1]);
    const std::byte* const arena = machines[0].arena();
    EXPECT_TRUE(std::equal(arena, arena + kArenaBytes, machines[1].arena()));
    const std::uint32_t* const file = machines[0].wave.vgpr;
    EXPECT_TRUE(std::equal(file, file + 64 * kRegisters, machines[1].wave.vgpr));
  }
}

class JitFlatScratch : public JitScratch {};

TEST_P(JitFlatScratch, FaultsBeyondItsEnd) {
  const Case& one = GetParam();
  const unsigned bytes = one.row->memory.element_bytes;
  // The last offset that is inside, the next ones, and what 32 bits of a place would not tell
  // apart.
  const std::uint32_t fixed = static_cast<std::uint32_t>(own_offset(one)) + (one.scalar ? 8 : 0);
  const std::uint32_t last = kBytesOfLane - bytes - fixed;
  for (const std::uint32_t offset : {last, last + 4, last + (1u << 26), 0u - fixed - 4}) {
    for (const unsigned lanes_before : {0u, 37u}) {
      const bool inside = offset == last;
      std::vector<Op> ops{op_of(one)};
      if (!one.lanes) ops[0].memory.offset += static_cast<std::int32_t>(offset);
      const CompiledOps code = compile(ops);
      Machine machine;
      prepare(machine, one, Lie::kSame, ~std::uint64_t{0});
      for (unsigned l = lanes_before; l < 64; ++l) machine.lane(kOffsets, l) = offset;
      EXPECT_EQ(runs(machine, code), inside) << offset;
      if (!inside) EXPECT_EQ(machine.wave.fault.lane, one.lanes ? lanes_before : 0u);
    }
  }
}

class JitScratchBuffer : public JitScratch {};

/// A buffer without ADD_TID, swizzle or an index stride of 64 is another one.
TEST_P(JitScratchBuffer, IsTheOnlyOneThatIsNotLeftToTheHandler) {
  const Case& one = GetParam();
  for (const std::uint32_t fourth : {0u, 1u << 23, 5u << 21, 7u << 21}) {
    SCOPED_TRACE(fourth);
    const auto guard = expect_same({op_of(one)}, [&](Machine& machine) {
      prepare(machine, one, Lie::kOwn, ~std::uint64_t{0});
      machine.wave.sgpr[kResource + 3] = fourth;
      if (fourth == 7u << 21) machine.wave.sgpr[kResource + 1] &= ~(1u << 31);
    });
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->misses, 1u);
  }
}

const std::vector<Case> kFlat = cases_of(isa::Format::kFlat),
                        kBuffers = cases_of(isa::Format::kMubuf);
INSTANTIATE_TEST_SUITE_P(Flat, JitScratch, ::testing::ValuesIn(kFlat), name_of);
INSTANTIATE_TEST_SUITE_P(Buffer, JitScratch, ::testing::ValuesIn(kBuffers), name_of);
INSTANTIATE_TEST_SUITE_P(Rows, JitFlatScratch, ::testing::ValuesIn(kFlat), name_of);
INSTANTIATE_TEST_SUITE_P(Rows, JitScratchBuffer, ::testing::ValuesIn(kBuffers), name_of);

/// What a lane stores only it can load: a run may do both.
TEST_F(JitMemory, ARunLoadsAndStoresScratch) {
  const isa::Row& row = row_named("scratch_load_dword");
  Op load = op_of({&row, false, false});
  load.memory.result = 2;
  Op store = op_of({&row_named("scratch_store_dword"), false, false});
  store.memory.data = 4;
  const std::vector<Op> ops{load, add(4, 2, 2, "v_add_u32"), store};
  const auto guard = expect_same(ops, [](Machine&) {});
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
  jit::OpTable table(ops);
  EXPECT_EQ(jit::find_run(table, 0, {}, true).ops.size(), 3u);
}

/// Handlers that finish a strip must not load what its code has stored.
TEST_F(JitMemory, ARunStoresScratchOftenUnlessItLoadsIt) {
  Op load = op_of({&row_named("scratch_load_dword"), false, false});
  load.memory.result = 2;
  std::vector<Op> stores(8, op_of({&row_named("scratch_store_dwordx4"), false, false}));
  for (unsigned i = 0; i < 8; ++i) {
    stores[i].memory.data = static_cast<std::uint16_t>(10 + i);
    stores[i].memory.offset = static_cast<std::int32_t>(4 * i);
  }
  stores.insert(stores.begin() + 3, add(13, 14, 15, "v_add_u32"));
  const auto guard = expect_same(stores, [](Machine&) {});
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
  jit::OpTable table(stores);
  EXPECT_EQ(jit::find_run(table, 0, {}, true).ops.size(), 9u);
  std::vector<Op> with_load = stores;
  with_load.insert(with_load.begin(), load);
  jit::OpTable loaded(with_load);
  EXPECT_EQ(jit::find_run(loaded, 0, {}, true).ops.size(), 2u);
  with_load = {stores[0], load};
  jit::OpTable load_behind(with_load);
  EXPECT_EQ(jit::find_run(load_behind, 0, {}, true).ops.size(), 1u);
}

/// Each loads the dword of which it is a part: what the one before has left there.
TEST_F(JitMemory, ARunStoresOnePartOfADwordOfScratch) {
  std::vector<Op> ops{op_of({&row_named("scratch_store_dword"), false, false}),
                      op_of({&row_named("scratch_store_byte"), false, false}),
                      op_of({&row_named("scratch_store_short"), false, false})};
  for (unsigned i = 0; i < ops.size(); ++i) {
    ops[i].memory.data = static_cast<std::uint16_t>(2 + i);
    ops[i].memory.offset = i == 1 ? 7 : 4;
  }
  const auto guard = expect_same(ops, [](Machine&) {});
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
  jit::OpTable table(ops);
  for (const std::size_t slot : {0, 1, 2}) {
    EXPECT_EQ(jit::find_run(table, slot, {}, true).ops.size(), 1u) << slot;
  }
}

/// Registers that others take the values of get new ones after that, however many results and
/// stores there are.
TEST_F(JitMemory, ARunThatStoresScratchCopiesRegistersBeforeItOverwritesThem) {
  constexpr unsigned kCopies = 8, kSums = 36;
  std::vector<Op> ops;
  for (unsigned i = 0; i < kCopies; ++i) ops.push_back(add(40 + i, i, i, "v_mov_b32"));
  for (unsigned i = 0; i < kSums; ++i) ops.push_back(add(i, i, 57 + i % 5, "v_add_u32"));
  for (unsigned i = 0; i < kSums; ++i) {
    Op store = op_of({&row_named("scratch_store_dword"), false, false});
    store.memory.data = static_cast<std::uint16_t>(i);
    store.memory.offset = static_cast<std::int32_t>(4 * (i % 8));
    ops.push_back(store);
  }
  for (unsigned i = 0; i < kCopies; ++i) ops.push_back(add(48 + i, 40 + i, 0, "v_mov_b32"));
  jit::OpTable table(ops);
  EXPECT_EQ(jit::find_run(table, 0, {}, true).ops.size(), ops.size());
  const auto guard = expect_same(ops, [](Machine&) {});
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
}

}  // namespace
}  // namespace wavetank::execute::testing
