// Every load and store that is compiled, alone, on lanes that lie in any way, against its handler.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "execute/jit/access.hpp"
#include "isa/catalogue.hpp"
#include "jit_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr unsigned kAddress = 20, kData = 30, kScalarBase = 40, kOffset = 24, kStep = 60;

/// A load or store of a row, and how it says where.
struct Case {
  const isa::Row* row;
  bool scalar_base;  ///< the lanes' offsets are added to SGPRs
};

Op op_of(const Case& one) {
  const isa::Row& row = *one.row;
  const HandlerSet& set = handlers()[row.id];
  const bool lds = row.encoding.format == isa::Format::kDs;
  Op op;
  op.row = row.id;
  op.run = lds ? set.usual : set.in_segment(isa::Format::kGlobal);
  op.memory = operands();
  op.memory.segment = isa::Format::kGlobal;
  op.memory.address = kAddress;
  op.memory.data = op.memory.result = kData;
  op.memory.offset = row.memory.element_count == 2 ? 1 | 0 << 8 : static_cast<int>(kOffset);
  if (one.scalar_base) op.memory.scalar_base = kScalarBase;
  return op;
}

/// What is compiled of one format.
std::vector<Case> cases_of(isa::Format wanted) {
  std::vector<Case> cases;
  for (const isa::Row& row : isa::catalogue()) {
    const isa::Format format = row.encoding.format;
    if (format != wanted || !isa::kGfx942.has(row.lifetime)) continue;
    const Case one{&row, false};
    if (jit::move_of(op_of(one), row).space == jit::MoveSpace::kNone) continue;
    cases.push_back(one);
    if (format == isa::Format::kFlat) cases.push_back({&row, true});
  }
  return cases;
}

using Lanes = std::vector<std::uint32_t>;

/// Each strip's lanes lie in another way, the first one's as in `first`.
Lanes mixed_offsets(std::size_t first, unsigned bytes) {
  Lanes mixed;
  for (std::size_t strip = 0; strip < 4; ++strip) {
    const Lanes lanes = offsets(kPatterns[(first + strip) % std::size(kPatterns)], bytes, kLimit);
    mixed.insert(mixed.end(), lanes.begin() + 16 * strip, lanes.begin() + 16 * (strip + 1));
  }
  return mixed;
}

std::vector<Case> loads_of(isa::Format wanted) {
  std::vector<Case> cases = cases_of(wanted);
  std::erase_if(cases, [](const Case& one) { return jit::move_of(op_of(one), *one.row).stores; });
  return cases;
}

void place(Machine& machine, const Case& one, const Lanes& lanes) {
  machine.wave.set_scalar64(kScalarBase, machine.address(kBase));
  for (unsigned l = 0; l < 64; ++l) {
    if (one.row->encoding.format == isa::Format::kDs || one.scalar_base) {
      machine.lane(kAddress, l) = lanes[l];
    } else {
      machine.set_address(kAddress, l, machine.address(kBase + lanes[l]));
    }
  }
}

void place(Machine& machine, const Case& one, Pattern pattern, unsigned bytes) {
  place(machine, one, offsets(pattern, bytes, kLimit));
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(info.param.row->name) + (info.param.scalar_base ? "_from_scalar" : "");
}

class JitLaneMoves : public JitMemory, public ::testing::WithParamInterface<Case> {};

TEST_P(JitLaneMoves, MoveWhatTheHandlerMovesWhereverLanesLie) {
  const Case& one = GetParam();
  const Op op = op_of(one);
  for (const Pattern pattern : kPatterns) {
    for (const std::uint64_t exec : exec_patterns()) {
      SCOPED_TRACE(::testing::Message()
                   << static_cast<int>(pattern) << " exec " << std::hex << exec);
      expect_same({op}, [&](Machine& machine) {
        place(machine, one, pattern, jit::move_of(op, *one.row).bytes);
        machine.wave.set_exec(exec);
      });
    }
  }
}

TEST_P(JitLaneMoves, AreDoneByTheCode) {
  const Case& one = GetParam();
  const Op op = op_of(one);
  const jit::Move move = jit::move_of(op, *one.row);
  for (const Pattern pattern : kPatterns) {
    const auto guard =
        expect_same({op}, [&](Machine& machine) { place(machine, one, pattern, move.bytes); });
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->misses, 0u) << static_cast<int>(pattern);
  }
}

class JitLaneLoads : public JitLaneMoves {};

/// What the first load finds out about its lanes holds for those that follow, until the next strip
/// or until the address is another.
TEST_P(JitLaneLoads, OfOneAddressMoveWhatTheHandlersMove) {
  const Case& one = GetParam();
  std::vector<Op> ops(3, op_of(one));
  const jit::Move move = jit::move_of(ops[0], *one.row);
  ops[1].memory.offset = one.row->memory.element_count == 2 ? 2 | 1 << 8 : 8;
  ops[1].memory.result = kData + 8;
  ops[2].memory.result = kData + 16;
  ops.insert(ops.begin() + 2, add(kAddress, kAddress, kStep, "v_add_u32"));
  for (std::size_t first = 0; first < std::size(kPatterns); ++first) {
    const Lanes lanes = mixed_offsets(first, move.bytes);
    for (const std::uint64_t exec : exec_patterns()) {
      SCOPED_TRACE(::testing::Message() << first << " exec " << std::hex << exec);
      const auto guard = expect_same(ops, [&](Machine& machine) {
        place(machine, one, lanes);
        for (unsigned l = 0; l < 64; ++l) machine.lane(kStep, l) = l < 40 ? 16 : 4 * (l % 8);
        machine.wave.set_exec(exec);
      });
      ASSERT_TRUE(guard);
      EXPECT_EQ(guard->misses, 0u);
    }
  }
}

class JitLdsMoves : public JitLaneMoves {};

/// Beyond its end LDS gives zeros and takes nothing.
TEST_P(JitLdsMoves, StayInsideOfLds) {
  const Case& one = GetParam();
  const std::vector<Op> ops{op_of(one)};
  const CompiledOps code = compile(ops);
  for (const Pattern pattern : kPatterns) {
    for (const std::uint32_t lds_bytes : {8u, 64u, 200u, 500u, 1024u}) {
      Machine by_handler, compiled;
      for (Machine* const machine : {&by_handler, &compiled}) {
        place(*machine, one, pattern, jit::move_of(ops[0], *one.row).bytes);
        machine->workgroup.lds_bytes = lds_bytes;
        run_to_stop(machine->wave, machine == &compiled ? code.ops : with_stop(ops));
      }
      const std::uint32_t* const file = by_handler.wave.vgpr;
      EXPECT_TRUE(std::equal(file, file + 64 * kRegisters, compiled.wave.vgpr)) << lds_bytes;
      const std::byte* const lds = by_handler.workgroup.lds;
      EXPECT_TRUE(std::equal(lds, lds + kLdsBytes, compiled.workgroup.lds)) << lds_bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Global, JitLaneMoves, ::testing::ValuesIn(cases_of(isa::Format::kFlat)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Lds, JitLaneMoves, ::testing::ValuesIn(cases_of(isa::Format::kDs)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Global, JitLaneLoads, ::testing::ValuesIn(loads_of(isa::Format::kFlat)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Lds, JitLaneLoads, ::testing::ValuesIn(loads_of(isa::Format::kDs)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Lds, JitLdsMoves, ::testing::ValuesIn(cases_of(isa::Format::kDs)),
                         name_of);

}  // namespace
}  // namespace wavetank::execute::testing
