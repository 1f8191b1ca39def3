// Rows that look across lanes, decide what runs next or set the wave's own registers, against
// tests/vectors/wave: a case's bytes are translated as a program and run until they are left.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "execute/program.hpp"
#include "memory_case.hpp"
#include "vector_file.hpp"

namespace wavetank::execute {
namespace {

using machine::Stop;
using tests::MemoryCase;
using tests::MemoryFile;
using tests::Place;

/// The case's code, with room on both sides for the farthest branch; s_endpgm everywhere else.
constexpr std::uint64_t kCode = 0x1000'0000'0000, kRoomBytes = 0x21000;
constexpr std::uint32_t kEndOfProgram = 0xbf810000;
constexpr std::uint32_t kRegisters = 32;

std::uint32_t* code_area() {
  static auto* const memory = static_cast<std::uint32_t*>(
      mmap(reinterpret_cast<void*>(kCode - kRoomBytes), 2 * kRoomBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  return memory;
}

/// All that a case can see of a wave.
struct State {
  std::uint32_t scalar[128];
  std::vector<std::uint32_t> vector = std::vector<std::uint32_t>(64 * kRegisters);
  std::uint32_t mode = 0x3f0, scc = 0;
  std::uint64_t pc = 0;
  Stop stop = Stop::kRunning;

  explicit State(const std::vector<unsigned>& lanes) {
    std::uint32_t noise = 1;
    const auto next = [&] { return noise = noise * 1664525 + 1013904223; };
    for (std::uint32_t& value : scalar) value = next();
    for (std::uint32_t& value : vector) value = next();
    scalar[106] = scalar[107] = scalar[124] = scalar[126] = scalar[127] = 0;
    for (const unsigned lane : lanes) scalar[126 + lane / 32] |= 1u << lane % 32;
  }

  bool put(const Place& place, const std::vector<unsigned>& lanes) {
    switch (place.kind) {
      case Place::Kind::kVector:
        if (place.at >= kRegisters || place.values.size() != lanes.size()) return false;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
          vector[64 * place.at + lanes[i]] = place.values[i];
        }
        return true;
      case Place::Kind::kScalar:
        if (place.at + place.values.size() > 128) return false;
        std::copy(place.values.begin(), place.values.end(), scalar + place.at);
        return true;
      case Place::Kind::kMode: mode = place.values[0]; return true;
      case Place::Kind::kScc: scc = place.values[0]; return true;
      case Place::Kind::kPc: pc = place.at; return true;
      case Place::Kind::kStop: stop = static_cast<Stop>(place.values[0]); return true;
      default: return false;
    }
  }
};

Result<std::shared_ptr<Program>> translate_case(const MemoryCase& test, const isa::Target& target) {
  std::fill_n(code_area(), 2 * kRoomBytes / 4, kEndOfProgram);
  std::copy(test.code.begin(), test.code.end(), code_area() + kRoomBytes / 4);
  ProgramSpec spec;
  spec.target = &target;
  spec.code = reinterpret_cast<const std::byte*>(code_area());
  spec.code_bytes = 2 * kRoomBytes;
  spec.entry = kCode;
  spec.vgpr_count = kRegisters;
  spec.accum_offset = tests::kFirstAccVgpr;
  return Program::translate(spec);
}

/// Runs until the wave stops or its program counter leaves the case's code.
void run(const MemoryCase& test, Program& program, State& state) {
  alignas(64) static std::uint32_t registers[64 * kRegisters];
  machine::Environment environment;
  machine::Workgroup workgroup;
  machine::Wave wave;
  wave.vgpr = registers;
  wave.vgpr_count = kRegisters;
  wave.accum_offset = tests::kFirstAccVgpr;
  wave.environment = &environment;
  wave.workgroup = &workgroup;
  wave.program = &program;
  wave.budget = 1000;
  wave.mode.bits = state.mode;
  wave.scc = state.scc;
  std::memcpy(wave.sgpr, state.scalar, sizeof wave.sgpr);
  std::memcpy(registers, state.vector.data(), sizeof registers);
  const Op* op = program.entry();
  do {
    const Op* const next = op->run(wave, op);
    op = next != nullptr ? next : next_op(wave);
    state.pc = program_of(wave).address_of(op) - kCode;
  } while (wave.stop == Stop::kRunning && state.pc - 1 < 4 * test.code.size() - 1);
  state.mode = wave.mode.bits, state.scc = wave.scc, state.stop = wave.stop;
  std::memcpy(state.scalar, wave.sgpr, sizeof wave.sgpr);
  std::memcpy(state.vector.data(), registers, sizeof registers);
}

void check(const MemoryFile& file, const MemoryCase& test, const isa::Target& target) {
  SCOPED_TRACE(file.name + ": case " + test.title + ", " + test.assembly);
  const auto program = translate_case(test, target);
  ASSERT_TRUE(program) << program.error().message;
  State state(test.lanes);
  for (const Place& place : test.before) ASSERT_TRUE(state.put(place, test.lanes));
  State expected = state;
  for (const Place& place : test.after) ASSERT_TRUE(expected.put(place, test.lanes));
  run(test, **program, state);
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(state.scalar[i], expected.scalar[i]) << "s" << i;
  EXPECT_EQ(state.vector, expected.vector);
  EXPECT_EQ(state.mode, expected.mode);
  EXPECT_EQ(state.scc, expected.scc);
  EXPECT_EQ(state.pc, expected.pc);
  EXPECT_EQ(state.stop, expected.stop);
}

TEST(WaveVectors, EveryCaseLeavesWhatTheReferencesSay) {
  ASSERT_EQ(code_area(), reinterpret_cast<std::uint32_t*>(kCode - kRoomBytes));
  const auto paths = tests::vector_files(WAVETANK_VECTORS, "");
  EXPECT_GE(paths.size(), 50u);
  for (const std::string& path : paths) {
    const MemoryFile file = tests::read_memory_file(path);
    ASSERT_EQ(file.error, "");
    for (const MemoryCase& test : file.cases) {
      EXPECT_TRUE(test.assembly.starts_with(file.name)) << path << ": " << test.assembly;
      for (const isa::Target* target : test.targets) check(file, test, *target);
    }
  }
}

}  // namespace
}  // namespace wavetank::execute
