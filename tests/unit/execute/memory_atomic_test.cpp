// Atomics of LDS, global memory and buffers against a plain model; concurrent updates.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>

#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kBase = 4096;
using U64 = std::uint64_t;

/// What memory holds after an integer operation of `bits` bits: old value, data, second data.
struct Integer {
  const char* memory_name;  ///< of FLAT, GLOBAL, MUBUF, SMEM; null: LDS only
  const char* lds_name;     ///< without type suffix; null: none
  char lds_type;
  U64 (*model)(U64 old, U64 data, U64 data2, unsigned bits);
};
std::int64_t as_signed(U64 value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
constexpr Integer kIntegers[] = {
    {"swap", "wrxchg", 'b', [](U64, U64 d, U64, unsigned) { return d; }},
    {"add", "add", 'u', [](U64 m, U64 d, U64, unsigned) { return m + d; }},
    {"sub", "sub", 'u', [](U64 m, U64 d, U64, unsigned) { return m - d; }},
    {nullptr, "rsub", 'u', [](U64 m, U64 d, U64, unsigned) { return d - m; }},
    {"smin", "min", 'i',
     [](U64 m, U64 d, U64, unsigned b) { return as_signed(d, b) < as_signed(m, b) ? d : m; }},
    {"smax", "max", 'i',
     [](U64 m, U64 d, U64, unsigned b) { return as_signed(d, b) > as_signed(m, b) ? d : m; }},
    {"umin", "min", 'u', [](U64 m, U64 d, U64, unsigned) { return std::min(m, d); }},
    {"umax", "max", 'u', [](U64 m, U64 d, U64, unsigned) { return std::max(m, d); }},
    {"and", "and", 'b', [](U64 m, U64 d, U64, unsigned) { return m & d; }},
    {"or", "or", 'b', [](U64 m, U64 d, U64, unsigned) { return m | d; }},
    {"xor", "xor", 'b', [](U64 m, U64 d, U64, unsigned) { return m ^ d; }},
    {"inc", "inc", 'u', [](U64 m, U64 d, U64, unsigned) { return m >= d ? 0 : m + 1; }},
    {"dec", "dec", 'u', [](U64 m, U64 d, U64, unsigned) { return m == 0 || m > d ? d : m - 1; }},
    {nullptr, "mskor", 'b', [](U64 m, U64 d, U64 d2, unsigned) { return (m & ~d) | d2; }}};

U64 read(const std::byte* at, unsigned bytes) {
  U64 value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}
U64 data_of(Machine& machine, unsigned reg, unsigned lane, unsigned bytes) {
  U64 value = machine.lane(reg, lane);
  if (bytes == 8) value |= U64{machine.lane(reg + 1, lane)} << 32;
  return value;
}
U64 truncated(U64 value, unsigned bytes) { return bytes == 8 ? value : value & 0xffffffff; }

/// Lane l's offset: all the same, each its own, or shared by four.
std::uint32_t place(unsigned kind, unsigned lane, unsigned bytes) {
  return kind == 0 ? 16 : kind == 1 ? lane * bytes : lane / 4 * bytes;
}


enum class Where { kGlobal, kFlat, kFlatLds, kBuffer, kLds };

void check_integer(Where where, const Integer& operation, unsigned bytes, unsigned kind, U64 exec,
                   bool returns) {
  Machine machine;
  const bool lds = where == Where::kLds || where == Where::kFlatLds;
  std::byte* const memory_base = lds ? machine.workgroup.lds : machine.arena() + kBase;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.data = 20;
  memory.data2 = where == Where::kLds ? 30 : 0xffff;
  memory.returns = returns;
  memory.glc = returns;
  memory.offen = true;
  memory.result = returns ? (where == Where::kBuffer ? 20 : 9) : 0xffff;
  for (unsigned l = 0; l < 64; ++l) {
    const std::uint32_t at = place(kind, l, bytes);
    if (l % 5 == 0) machine.lane(20, l) = static_cast<std::uint32_t>(read(memory_base + at, 4));
    switch (where) {
      case Where::kGlobal: case Where::kFlat:
        machine.set_address(10, l, machine.address(kBase + at)); break;
      case Where::kFlatLds: machine.set_address(10, l, kSharedAperture + at); break;
      case Where::kBuffer: case Where::kLds: machine.lane(10, l) = at; break;
    }
  }
  if (where == Where::kBuffer) {
    memory.scalar_base = 8;
    machine.wave.set_scalar64(8, machine.address(kBase));
    machine.wave.sgpr[10] = 0xffffffff;
    machine.wave.sgpr[11] = 0;
  }
  machine.wave.set_exec(exec);

  std::vector<std::uint32_t> registers(machine.wave.vgpr, machine.wave.vgpr + 64 * kRegisters);
  std::vector<std::byte> image(memory_base, memory_base + 1024);
  for (unsigned l = 0; l < 64; ++l) {
    if (!((exec >> l) & 1)) continue;
    std::byte* const at = &image[place(kind, l, bytes)];
    const U64 old = read(at, bytes);
    const U64 updated = operation.model(old, data_of(machine, 20, l, bytes),
                                        data_of(machine, 30, l, bytes), 8 * bytes);
    std::memcpy(at, &updated, bytes);
    for (unsigned d = 0; returns && d < bytes / 4; ++d) {
      registers[(memory.result + d) * 64u + l] = static_cast<std::uint32_t>(old >> (32 * d));
    }
  }
  std::string name;
  if (where == Where::kLds) {
    const bool swap = std::string(operation.lds_name) == "wrxchg";
    name = "ds_" + std::string(operation.lds_name) + (returns || swap ? "_rtn_" : "_") +
           operation.lds_type + std::to_string(8 * bytes);
  } else {
    const char* const prefix = where == Where::kBuffer ? "buffer_atomic_"
                               : where == Where::kGlobal ? "global_atomic_" : "flat_atomic_";
    name = prefix + std::string(operation.memory_name) + (bytes == 8 ? "_x2" : "");
  }
  ASSERT_TRUE(machine.run(name, memory)) << name;
  ASSERT_EQ(std::memcmp(memory_base, image.data(), image.size()), 0) << name << " " << kind;
  ASSERT_EQ(std::vector<std::uint32_t>(machine.wave.vgpr, machine.wave.vgpr + 64 * kRegisters),
            registers)
      << name << " " << kind;
}

void check_all_integers(Where where) {
  for (const Integer& operation : kIntegers) {
    if (where != Where::kLds && operation.memory_name == nullptr) continue;
    for (const unsigned bytes : {4u, 8u}) {
      for (unsigned kind = 0; kind < 3; ++kind) {
        for (const U64 exec : exec_patterns()) {
          check_integer(where, operation, bytes, kind, exec, true);
          const bool always_returns = where == Where::kLds && operation.lds_type == 'b' &&
                                      operation.model(0, 1, 2, 32) == 1 &&
                                      operation.model(3, 1, 2, 32) == 1;
          if (!always_returns) check_integer(where, operation, bytes, kind, exec, false);
        }
      }
    }
  }
}

TEST(Atomic, IntegersInGlobalMemory) { check_all_integers(Where::kGlobal); }
TEST(Atomic, IntegersThroughFlat) { check_all_integers(Where::kFlat); }
TEST(Atomic, IntegersThroughFlatInLds) { check_all_integers(Where::kFlatLds); }
TEST(Atomic, LanesOfOneFlatInstructionMayLieInLdsAndInMemory) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.data = 20;
  memory.result = 9;
  memory.returns = memory.glc = true;
  const U64 exec = 0xfffffff7ffffffff;
  std::uint32_t expected[64], updated[64];
  const auto in_lds = [](unsigned lane) { return lane % 3 == 0; };
  const auto place_of = [&](unsigned lane) {
    return in_lds(lane) ? machine.workgroup.lds + lane * 4 : machine.arena() + kBase + lane * 4;
  };
  for (unsigned l = 0; l < 64; ++l) {
    machine.set_address(
        10, l, in_lds(l) ? kSharedAperture + l * 4 : machine.address(kBase + l * 4));
    const bool active = (exec >> l & 1) != 0;
    const auto old = static_cast<std::uint32_t>(read(place_of(l), 4));
    expected[l] = active ? old : machine.lane(9, l);
    updated[l] = active ? old + machine.lane(20, l) : old;
  }
  machine.wave.set_exec(exec);
  ASSERT_TRUE(machine.run("flat_atomic_add", memory));
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(machine.lane(9, l), expected[l]) << l;
    EXPECT_EQ(read(place_of(l), 4), updated[l]) << l;
  }
}
TEST(Atomic, IntegersInBuffersReturnIntoTheirData) { check_all_integers(Where::kBuffer); }
TEST(Atomic, IntegersInLds) { check_all_integers(Where::kLds); }

TEST(Atomic, CompareAndSwapKeepsTheComparandBehindTheData) {
  for (const bool equal : {false, true}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    memory.result = 20;
    memory.returns = true;
    machine.wave.set_exec(1);
    machine.set_address(10, 0, machine.address(kBase));
    machine.put<U64>(kBase, 0x1111222233334444);
    machine.set_address(20, 0, 77);
    machine.set_address(22, 0, equal ? 0x1111222233334444 : 0x1111222233334445);
    EXPECT_TRUE(machine.run("global_atomic_cmpswap_x2", memory));
    EXPECT_EQ(machine.at<U64>(kBase), equal ? 77 : 0x1111222233334444u);
    EXPECT_EQ(data_of(machine, 20, 0, 8), 0x1111222233334444u);
  }
}

TEST(Atomic, LdsCompareAndStoreHasTheComparandFirst) {
  for (const bool equal : {false, true}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    memory.data2 = 21;
    memory.result = 22;
    memory.returns = true;
    machine.wave.set_exec(1);
    machine.lane(10, 0) = 8;
    const std::uint32_t old = 1234;
    std::memcpy(machine.workgroup.lds + 8, &old, 4);
    machine.lane(20, 0) = equal ? 1234 : 1235;
    machine.lane(21, 0) = 99;
    EXPECT_TRUE(machine.run("ds_cmpst_rtn_b32", memory));
    EXPECT_EQ(read(machine.workgroup.lds + 8, 4), equal ? 99u : 1234u);
    EXPECT_EQ(machine.lane(22, 0), 1234u);
  }
}

/// Runs an LDS atomic of one lane; gives memory after it.
U64 lds_atomic(const char* name, unsigned bytes, U64 memory_value, U64 data, U64 data2 = 0,
               std::uint32_t mode = 0x3f0) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.data = 20;
  memory.data2 = 22;
  memory.result = 24;
  memory.returns = true;
  machine.wave.mode.bits = mode;
  machine.wave.set_exec(2);
  machine.lane(10, 1) = 16;
  machine.set_address(20, 1, data);
  machine.set_address(22, 1, data2);
  std::memcpy(machine.workgroup.lds + 16, &memory_value, bytes);
  EXPECT_TRUE(machine.run(name, memory));
  EXPECT_EQ(truncated(data_of(machine, 24, 1, bytes), bytes), memory_value);
  return read(machine.workgroup.lds + 16, bytes);
}

TEST(Atomic, RareLdsOperations) {
  EXPECT_EQ(lds_atomic("ds_wrap_rtn_b32", 4, 10, 10, 100), 0u);
  EXPECT_EQ(lds_atomic("ds_wrap_rtn_b32", 4, 9, 10, 100), 109u);
  EXPECT_EQ(lds_atomic("ds_condxchg32_rtn_b64", 8, 0x1111111122222222, 0x8000000500000007),
            0x0000000522222222u);
  EXPECT_EQ(lds_atomic("ds_condxchg32_rtn_b64", 8, 0x1111111122222222, 0x0000000580000007),
            0x1111111100000007u);
}

constexpr std::uint32_t kDenormal = 0x00000001;
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
U64 bits(double x) { return std::bit_cast<U64>(x); }

TEST(Atomic, LdsFloatsFollowTheDenormalMode) {
  EXPECT_EQ(lds_atomic("ds_add_rtn_f32", 4, bits(1.5f), bits(2.25f)), bits(3.75f));
  EXPECT_EQ(lds_atomic("ds_add_rtn_f32", 4, kDenormal, kDenormal), 2u);
  EXPECT_EQ(lds_atomic("ds_add_rtn_f32", 4, kDenormal, kDenormal, 0, 0x3c0), 0u);
  EXPECT_EQ(lds_atomic("ds_add_rtn_f64", 8, bits(1e300), bits(2.0)), bits(1e300));
  EXPECT_EQ(lds_atomic("ds_min_rtn_f32", 4, bits(1.0f), bits(-2.0f)), bits(-2.0f));
  EXPECT_EQ(lds_atomic("ds_max_rtn_f64", 8, bits(1.0), bits(-2.0)), bits(1.0));
}

TEST(Atomic, FloatAddsRoundToNearestWhateverTheMode) {
  const std::uint32_t half_ulp = bits(std::ldexp(1.0f, -24) * 1.5f);
  for (const std::uint32_t round : {0u, 1u, 2u, 3u}) {
    EXPECT_EQ(lds_atomic("ds_add_rtn_f32", 4, bits(1.0f), half_ulp, 0, 0x3f0 | round),
              bits(1.0f) + 1);
  }
}

TEST(Atomic, AMinimumPrefersTheNumberToANaN) {
  EXPECT_EQ(lds_atomic("ds_min_rtn_f32", 4, 0x7fc00000, bits(5.0f)), bits(5.0f));
  EXPECT_EQ(lds_atomic("ds_min_rtn_f32", 4, bits(5.0f), 0x7fc00000), bits(5.0f));
}

TEST(Atomic, FloatCompareAndStoreComparesValues) {
  EXPECT_EQ(lds_atomic("ds_cmpst_rtn_f32", 4, bits(-0.0f), bits(0.0f), 7), 7u);
  EXPECT_EQ(lds_atomic("ds_cmpst_rtn_f32", 4, 0x7fc00000, 0x7fc00000, 7), 0x7fc00000u);
}

TEST(Atomic, PackedAddsKeepTheirHalvesApart) {
  EXPECT_EQ(lds_atomic("ds_pk_add_rtn_f16", 4, 0x3c003c00, 0x3c00bc00), 0x40000000u);
  EXPECT_EQ(lds_atomic("ds_pk_add_rtn_bf16", 4, 0x3f803f80, 0x3f80bf80), 0x40000000u);
}

/// A one-lane f32 add to global memory on a target.
std::uint32_t global_add(const isa::Target& target, std::uint32_t memory_value,
                         std::uint32_t data) {
  Machine machine;
  MemoryOperands memory = operands();
  memory.address = 10;
  memory.data = 20;
  machine.wave.set_exec(1);
  machine.set_address(10, 0, machine.address(kBase));
  machine.put(kBase, memory_value);
  machine.lane(20, 0) = data;
  EXPECT_TRUE(machine.run("global_atomic_add_f32", memory, target));
  return machine.at<std::uint32_t>(kBase);
}

TEST(Atomic, TheL2OfGfx90aFlushesDenormalsThatOfGfx942KeepsThem) {
  EXPECT_EQ(global_add(isa::kGfx90a, bits(1.0f), bits(2.0f)), bits(3.0f));
  EXPECT_EQ(global_add(isa::kGfx90a, kDenormal, kDenormal), 0u);
  EXPECT_EQ(global_add(isa::kGfx942, kDenormal, kDenormal), 2u);
}

TEST(Atomic, OutsideABufferNothingHappensAndZeroReturns) {
  for (const std::uint32_t records : {3u, 4u}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.data = memory.result = 20;
    memory.returns = true;
    memory.scalar_base = 8;
    machine.wave.set_scalar64(8, machine.address(kBase));
    machine.wave.sgpr[10] = records;
    machine.wave.sgpr[11] = 0;
    machine.wave.set_exec(1);
    const auto old = machine.at<std::uint32_t>(kBase);
    const std::uint32_t data = machine.lane(20, 0);
    EXPECT_TRUE(machine.run("buffer_atomic_add", memory));
    EXPECT_EQ(machine.at<std::uint32_t>(kBase), records == 4 ? old + data : old);
    EXPECT_EQ(machine.lane(20, 0), records == 4 ? old : 0);
  }
}

TEST(Atomic, OutsideLdsNothingHappensAndZeroReturns) {
  for (const std::uint32_t at : {kLdsBytes - 4, kLdsBytes - 3}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    memory.result = 21;
    memory.returns = true;
    machine.wave.set_exec(1);
    machine.lane(10, 0) = at;
    const U64 old = read(machine.workgroup.lds + at, 4);
    EXPECT_TRUE(machine.run("ds_add_rtn_u32", memory));
    const bool inside = at + 4 <= kLdsBytes;
    EXPECT_EQ(machine.lane(21, 0), inside ? old : 0);
    EXPECT_EQ(read(machine.workgroup.lds + at, 4),
              inside ? truncated(old + machine.lane(20, 0), 4) : old);
  }
}

TEST(Atomic, MisalignedAddressesFault) {
  for (const std::uint32_t misalign : {0u, 4u, 2u}) {
    Machine machine;
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    machine.wave.set_exec(8);
    machine.set_address(10, 3, machine.address(kBase + misalign));
    EXPECT_EQ(machine.run("global_atomic_add", memory), misalign != 2);
    EXPECT_EQ(machine.run("global_atomic_add_x2", memory), misalign == 0);
  }
}

TEST(Atomic, WorkerThreadsLoseNoUpdate) {
  Machine first, second;
  second.environment.arena_begin = first.environment.arena_begin;
  const auto work = [&](Machine& machine) {
    MemoryOperands memory = operands();
    memory.address = 10;
    memory.data = 20;
    for (unsigned l = 0; l < 64; ++l) {
      machine.set_address(10, l, first.address(kBase + l % 2 * 4));
      machine.set_address(12, l, first.address(kBase + 8));
      machine.lane(20, l) = 1;
      machine.lane(21, l) = bits(1.0f);
    }
    for (unsigned i = 0; i < 2000; ++i) {
      memory.address = 10;
      memory.data = 20;
      EXPECT_TRUE(machine.run("global_atomic_add", memory));
      memory.address = 12;
      memory.data = 21;
      EXPECT_TRUE(machine.run("global_atomic_add_f32", memory));
    }
  };
  for (unsigned i = 0; i < 3; ++i) first.put<std::uint32_t>(kBase + 4 * i, 0);
  std::thread other([&] { work(second); });
  work(first);
  other.join();
  EXPECT_EQ(first.at<std::uint32_t>(kBase), 2 * 2000 * 32u);
  EXPECT_EQ(first.at<std::uint32_t>(kBase + 4), 2 * 2000 * 32u);
  EXPECT_EQ(first.at<float>(kBase + 8), 2 * 2000 * 64.0f);
}

}  // namespace
}  // namespace wavetank::execute::testing
