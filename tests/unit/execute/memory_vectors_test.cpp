// Memory rows against tests/vectors/memory: each case's bytes are decoded, translated and run, and
// every register and every byte of memory must be what the references say.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "encoding/decoder.hpp"
#include "execute/memory/address.hpp"
#include "execute/program.hpp"
#include "execute/step_facts.hpp"
#include "execute/translate.hpp"
#include "machine/register_set.hpp"
#include "memory_case.hpp"
#include "vector_file.hpp"

namespace wavetank::execute {
namespace {

using tests::MemoryCase;
using tests::MemoryFile;
using tests::Place;

/// The arena lies across a multiple of 4 GiB, so that carries between address registers show.
constexpr std::uint64_t kArena = 0x1fff'ffff'8000, kArenaBytes = 0x10000;
constexpr std::uint64_t kScratch = 0x2000'0000'4000;  ///< 256 bytes for each lane
constexpr std::uint32_t kScratchBytes = 64 * 256, kLdsBytes = 0x10000, kRegisters = 64;
constexpr std::uint64_t kSharedAperture = 0x0001'0000'0000'0000;
constexpr std::uint64_t kPrivateAperture = 0x0002'0000'0000'0000;

/// The memory of the cases, at a fixed address.
std::byte* arena() {
  static std::byte* const memory = static_cast<std::byte*>(
      mmap(reinterpret_cast<void*>(kArena), kArenaBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  return memory;
}

/// Everything that an instruction can read or write.
struct State {
  std::uint32_t scalar[128];
  std::vector<std::uint32_t> vector = std::vector<std::uint32_t>(64 * kRegisters);
  std::vector<std::byte> lds = std::vector<std::byte>(kLdsBytes);
  std::vector<std::byte> memory = std::vector<std::byte>(kArenaBytes);
  std::uint32_t mode = 0x3f0;
  std::uint32_t clock[4] = {};

  /// Noise everywhere.
  State() {
    std::uint32_t noise = 1;
    const auto next = [&] { return noise = noise * 1664525 + 1013904223; };
    for (std::uint32_t& value : scalar) value = next();
    for (std::uint32_t& value : vector) value = next();
    for (std::byte& value : lds) value = static_cast<std::byte>(next() >> 24);
    for (std::byte& value : memory) value = static_cast<std::byte>(next() >> 24);
  }

  /// The same; but FLAT_SCRATCH points to the scratch, and EXEC holds the lanes.
  explicit State(const std::vector<unsigned>& lanes) : State(noise()) {
    std::uint64_t exec = 0;
    for (const unsigned lane : lanes) exec |= std::uint64_t{1} << lane;
    std::memcpy(&scalar[126], &exec, 8);
    std::memcpy(&scalar[102], &kScratch, 8);
  }

  /// Puts the values of a line; false if it lies outside.
  bool put(const Place& place, const std::vector<unsigned>& lanes) {
    const std::size_t count = place.values.size();
    switch (place.kind) {
      case Place::Kind::kVector:
        if (place.at >= kRegisters || count != lanes.size()) return false;
        for (std::size_t i = 0; i < count; ++i) {
          vector[64 * place.at + lanes[i]] = place.values[i];
        }
        return true;
      case Place::Kind::kScalar: return copy(scalar, sizeof scalar, 4 * place.at, place);
      case Place::Kind::kLds: return copy(lds.data(), kLdsBytes, place.at, place);
      case Place::Kind::kMemory: return copy(memory.data(), kArenaBytes, place.at - kArena, place);
      case Place::Kind::kPrivate: return put_private(place);
      case Place::Kind::kMode: mode = place.values[0]; return true;
      case Place::Kind::kClock: return copy(clock, sizeof clock, 0, place);
      case Place::Kind::kScc:
      case Place::Kind::kPc:
      case Place::Kind::kStop: return false;
    }
    return false;
  }

 private:
  static const State& noise() {
    static const State state;
    return state;
  }
  static bool copy(void* to, std::size_t bytes, std::uint64_t at, const Place& place) {
    const std::size_t count = 4 * place.values.size();
    if (at > bytes || count > bytes - at) return false;
    std::memcpy(static_cast<std::byte*>(to) + at, place.values.data(), count);
    return true;
  }
  bool put_private(const Place& place) {
    for (std::size_t i = 0; i < place.values.size(); ++i) {
      const std::uint64_t at =
          kScratch - kArena +
          scratch_swizzle(static_cast<std::uint32_t>(place.at + 4 * i), place.lane);
      if (at + 4 > kArenaBytes) return false;
      std::memcpy(&memory[at], &place.values[i], 4);
    }
    return true;
  }
};

struct CaseClock : machine::Clock {
  const std::uint32_t* values;
  explicit CaseClock(const std::uint32_t* from) : values(from) {}
  std::uint64_t cycles() override { return values[0] | std::uint64_t{values[1]} << 32; }
  std::uint64_t reference() override { return values[2] | std::uint64_t{values[3]} << 32; }
};

ProgramSpec spec_of_case(const isa::Target& target) {
  ProgramSpec spec;
  spec.target = &target;
  spec.vgpr_count = spec.accum_offset = kRegisters;
  spec.shared_aperture = kSharedAperture;
  spec.private_aperture = kPrivateAperture;
  return spec;
}
Result<Op> translate_case(const MemoryCase& test, const isa::Target& target) {
  const encoding::Decoder& decoder = encoding::decoder_of(target);
  auto instruction = decoder.decode(test.code, 0);
  if (!instruction) return tl::unexpected(instruction.error());
  return translate(*instruction, spec_of_case(target));
}

std::byte* lds() {
  alignas(64) static std::byte bytes[kLdsBytes + 1024];
  return bytes;
}
std::uint32_t* registers() {
  alignas(64) static std::uint32_t values[64 * kRegisters];
  return values;
}

/// Runs an op on `state`; false if it left by a memory fault.
bool run(const Op& one, State& state) {
  Op code[3];
  code[0] = one;
  CaseClock clock(state.clock);
  machine::Environment environment;
  environment.arena_begin = kArena;
  environment.arena_size_bytes = kArenaBytes;
  environment.clock = &clock;
  environment.shared_aperture = kSharedAperture;
  environment.private_aperture = kPrivateAperture;
  machine::Workgroup workgroup;
  workgroup.lds = lds();
  workgroup.lds_bytes = kLdsBytes;
  machine::Wave wave;
  wave.vgpr = registers();
  wave.vgpr_count = wave.accum_offset = kRegisters;
  wave.environment = &environment;
  wave.workgroup = &workgroup;
  wave.mode.bits = state.mode;
  wave.scratch_bytes = kScratchBytes;
  std::jmp_buf fault_exit;
  wave.fault_exit = &fault_exit;
  std::memcpy(wave.sgpr, state.scalar, sizeof wave.sgpr);
  std::memcpy(registers(), state.vector.data(), 4 * state.vector.size());
  std::memcpy(lds(), state.lds.data(), kLdsBytes);
  std::memcpy(arena(), state.memory.data(), kArenaBytes);
  if (setjmp(fault_exit) != 0) return false;
  code[0].run(wave, code);
  std::memcpy(state.scalar, wave.sgpr, sizeof wave.sgpr);
  std::memcpy(state.vector.data(), registers(), 4 * state.vector.size());
  std::memcpy(state.lds.data(), lds(), kLdsBytes);
  std::memcpy(state.memory.data(), arena(), kArenaBytes);
  return true;
}

/// The first place where two ranges differ, as text.
template <class Range>
std::string difference(const char* what, const Range& got, const Range& expected, unsigned row) {
  const std::size_t bytes = std::size(got) * sizeof *std::begin(got);
  if (std::memcmp(&*std::begin(got), &*std::begin(expected), bytes) == 0) return "";
  const auto [a, b] = std::mismatch(std::begin(got), std::end(got), std::begin(expected));
  const auto at = static_cast<std::size_t>(a - std::begin(got));
  char text[96];
  std::snprintf(text, sizeof text, " %s %zx:%zx is %x, not %x", what, at / row, at % row,
                static_cast<unsigned>(*a), static_cast<unsigned>(*b));
  return text;
}

void check(const MemoryFile& file, const MemoryCase& test, const isa::Target& target) {
  SCOPED_TRACE(file.name + ": case " + test.title + ", " + test.assembly);
  const auto op = translate_case(test, target);
  ASSERT_TRUE(op) << op.error().message;
  State state(test.lanes);
  for (const Place& place : test.before) ASSERT_TRUE(state.put(place, test.lanes));
  State expected = state;
  for (const Place& place : test.after) ASSERT_TRUE(expected.put(place, test.lanes));
  ASSERT_TRUE(run(*op, state)) << "memory fault";
  EXPECT_EQ(difference("SGPR", state.scalar, expected.scalar, 1) +
                difference("VGPR:lane", state.vector, expected.vector, 64) +
                difference("LDS", state.lds, expected.lds, 1) +
                difference("memory", state.memory, expected.memory, 1),
            "");
}

/// What is known of a case's instruction without a run.
machine::StepFacts facts_of(const MemoryCase& test, const isa::Target& target) {
  const auto instruction = encoding::decoder_of(target).decode(test.code, 0);
  return step_facts(*instruction, spec_of_case(target).accum_offset);
}

/// The registers of a case that its instruction does not name among those it reads.
machine::RegisterSet unnamed_registers(const MemoryCase& test, const machine::StepFacts& facts) {
  machine::RegisterSet set;
  for (const Place& place : test.before) {
    const auto at = static_cast<std::size_t>(place.at);
    if (place.kind == Place::Kind::kVector) set.vector.set(at);
    for (std::size_t i = 0; i < place.values.size() && place.kind == Place::Kind::kScalar; ++i) {
      set.scalar.set(at + i);
    }
  }
  for (const auto& range : facts.vector_reads) machine::RegisterSet::put(set.vector, range, false);
  for (const auto& range : facts.scalar_reads) machine::RegisterSet::put(set.scalar, range, false);
  for (const unsigned implicit : {102u, 103u, 104u, 105u, 124u, 126u, 127u}) {
    set.scalar.reset(implicit);  // FLAT_SCRATCH, M0 and EXEC are nobody's operands
  }
  return set;
}

/// The outcome of a case must not change with registers that its instruction does not name.
void check_named(const MemoryFile& file, const MemoryCase& test, const isa::Target& target) {
  SCOPED_TRACE(file.name + ": case " + test.title + ", " + test.assembly);
  const machine::StepFacts facts = facts_of(test, target);
  // How many coordinates an image has says its resource.
  if (facts.row->encoding.format == isa::Format::kMimg) return;
  const machine::RegisterSet unnamed = unnamed_registers(test, facts);
  const auto op = translate_case(test, target);
  ASSERT_TRUE(op) << op.error().message;
  State state(test.lanes);
  for (const Place& place : test.before) ASSERT_TRUE(state.put(place, test.lanes));
  constexpr std::uint32_t kOther = 0x5a5a5a5a;
  for (std::size_t i = 0; i < state.vector.size(); ++i) {
    if (unnamed.vector.test(i / 64)) state.vector[i] ^= kOther;
  }
  for (unsigned i = 0; i < 128; ++i) {
    if (unnamed.scalar.test(i)) state.scalar[i] ^= kOther;
  }
  State expected = state;
  for (const Place& place : test.after) ASSERT_TRUE(expected.put(place, test.lanes));
  ASSERT_TRUE(run(*op, state)) << "memory fault";
  EXPECT_EQ(difference("VGPR:lane", state.vector, expected.vector, 64) +
                difference("LDS", state.lds, expected.lds, 1) +
                difference("memory", state.memory, expected.memory, 1),
            "");
}

TEST(MemoryVectors, OutcomesRestOnNoRegisterThatTheInstructionDoesNotName) {
  for (const std::string& path : tests::vector_files(WAVETANK_VECTORS, "")) {
    const MemoryFile file = tests::read_memory_file(path);
    for (const MemoryCase& test : file.cases) {
      for (const isa::Target* target : test.targets) check_named(file, test, *target);
    }
  }
}

TEST(MemoryVectors, EveryCaseLeavesWhatTheReferencesSay) {
  ASSERT_EQ(arena(), reinterpret_cast<std::byte*>(kArena));
  const auto paths = tests::vector_files(WAVETANK_VECTORS, "");
  EXPECT_FALSE(paths.empty());
  for (const std::string& path : paths) {
    const MemoryFile file = tests::read_memory_file(path);
    ASSERT_EQ(file.error, "");
    EXPECT_FALSE(file.cases.empty()) << path;
    for (const MemoryCase& test : file.cases) {
      EXPECT_TRUE(test.assembly.starts_with(file.name)) << path << ": " << test.assembly;
      for (const isa::Target* target : test.targets) check(file, test, *target);
    }
  }
}

}  // namespace
}  // namespace wavetank::execute
