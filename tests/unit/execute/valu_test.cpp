// Every per-lane row: the strip handlers of every host target and the lane-by-lane reference leave
// the same registers, on the value grid, for every kind of source, every modifier and any EXEC.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "execute/handlers.hpp"
#include "execute/lane_control.hpp"
#include "execute/registry.hpp"
#include "isa/catalogue.hpp"
#include "value_grid.hpp"

namespace wavetank::execute {
namespace {

using isa::Type;
using machine::Wave;

constexpr unsigned kRegisters = 24;
constexpr std::uint32_t kDefaultMode = 0x3f0;

/// A wave with its registers.
struct State {
  Wave wave;
  alignas(64) std::uint32_t vgpr[kRegisters * 64];
  State() {
    wave.vgpr = vgpr;
    wave.vgpr_count = kRegisters;
    wave.mode.bits = kDefaultMode;
  }
  State(const State& other) : wave(other.wave) {
    std::memcpy(vgpr, other.vgpr, sizeof vgpr);
    wave.vgpr = vgpr;
  }
  State& operator=(const State&) = delete;
  bool same_registers(const State& other) const {
    return std::memcmp(vgpr, other.vgpr, sizeof vgpr) == 0 &&
           std::memcmp(wave.sgpr, other.wave.sgpr, sizeof wave.sgpr) == 0;
  }
};

/// Number of sources that have a place in the encoding.
unsigned encoded_sources(const isa::Row& row) {
  unsigned count = 0;
  for (const isa::Operand& source : row.sources) {
    if (source.type != Type::kNone && isa::is_encoded(source.role)) ++count;
  }
  return count;
}

/// One random way of running a row.
struct Trial {
  State state;
  Op op;
};

class TrialMaker {
 public:
  TrialMaker(const isa::Row& row, std::uint64_t seed) : row_(row), random_(seed) {}

  Trial make(bool modified) {
    Trial trial;
    for (auto& dword : trial.state.vgpr) dword = static_cast<std::uint32_t>(random_());
    for (auto& dword : trial.state.wave.sgpr) dword = static_cast<std::uint32_t>(random_());
    unsigned index = 0;
    for (const isa::Operand& source : row_.sources) {
      if (source.type == Type::kNone) break;
      if (source.role == isa::Role::kAccumulator) fill_vector(trial, kDestination, source.type);
      if (!isa::is_encoded(source.role)) continue;
      place_source(trial, index++, source);
    }
    if (row_.name.starts_with("v_div_scale")) copy_an_operand(trial);
    trial.op.dst = 256 * kDestination;
    trial.op.sdst = 20;
    trial.op.row = row_.id;
    trial.op.keeps_high_half = row_.keeps_high_half;
    trial.op.op_sel_hi = 7;
    if (modified) modify(trial.op);
    const unsigned kind = random_() % 4;
    trial.state.wave.set_exec(kind == 0 ? ~std::uint64_t{0} : (kind == 1 ? 0 : random_()));
    if (random_() % 2 == 0) trial.state.wave.set_vcc(0);
    return trial;
  }

 private:
  static constexpr unsigned kDestination = 8;

  void fill_vector(Trial& trial, unsigned first, Type type) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      const std::uint64_t bits = tests::draw_register(type, random_);
      trial.state.vgpr[64 * first + lane] = static_cast<std::uint32_t>(bits);
      if (isa::dwords_of(type) == 2) {
        trial.state.vgpr[64 * (first + 1) + lane] = static_cast<std::uint32_t>(bits >> 32);
      }
    }
  }
  void place_source(Trial& trial, unsigned index, const isa::Operand& source) {
    const unsigned kind = random_() % 4;
    Op& op = trial.op;
    if (source.type == Type::kMask) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * 30;
    } else if (kind <= 1 && source.role != isa::Role::kLiteral) {
      op.kind[index] = Source::kVector;
      // Now and then the destination itself, or an overlapping pair.
      const unsigned near = random_() % 8;
      const unsigned first =
          near == 0 ? kDestination : (near == 1 ? kDestination + 1 : 10 + 2 * index);
      op.src[index] = 256 * first;
      fill_vector(trial, first, source.type);
    } else if (kind == 2) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * (10 + 2 * index);
      trial.state.wave.set_scalar64(10 + 2 * index, tests::draw_register(source.type, random_));
    } else {
      op.kind[index] = Source::kConstant;
      op.constant[index] = tests::draw_register(source.type, random_);
      if (isa::dwords_of(source.type) == 1) op.constant[index] &= 0xffffffff;
    }
  }
  /// v_div_scale's operand is a copy of the denominator or the numerator.
  void copy_an_operand(Trial& trial) {
    if (random_() % 8 == 0) return;
    const unsigned from = 1 + random_() % 2;
    trial.op.kind[0] = trial.op.kind[from];
    trial.op.src[0] = trial.op.src[from];
    trial.op.constant[0] = trial.op.constant[from];
  }
  void modify(Op& op) {
    const bool vop3p = row_.encoding.format == isa::Format::kVop3p;
    const auto some = [&](unsigned mask) {
      return static_cast<std::uint8_t>(random_() % 2 == 0 ? 0 : random_() & mask);
    };
    op.neg = some(7);
    op.abs = some(7);
    op.op_sel = some(vop3p ? 7 : 15);
    if (vop3p && random_() % 2 == 0) op.op_sel_hi = random_() & 7;
    op.clamp = random_() % 4 == 0;
    op.omod = some(3);
  }

  const isa::Row& row_;
  std::mt19937_64 random_;
};

std::string first_difference(const State& got, const State& want) {
  for (unsigned i = 0; i < kRegisters * 64; ++i) {
    if (got.vgpr[i] != want.vgpr[i]) {
      char text[120];
      std::snprintf(text, sizeof text, "v%u lane %u is %08x, the reference says %08x", i / 64,
                    i % 64, got.vgpr[i], want.vgpr[i]);
      return text;
    }
  }
  for (unsigned i = 0; i < 128; ++i) {
    if (got.wave.sgpr[i] != want.wave.sgpr[i]) {
      char text[120];
      std::snprintf(text, sizeof text, "s%u is %08x, the reference says %08x", i, got.wave.sgpr[i],
                    want.wave.sgpr[i]);
      return text;
    }
  }
  return "none";
}

std::string describe(const Trial& trial, unsigned lane) {
  std::string text;
  for (unsigned i = 0; i < 3; ++i) {
    const Op& op = trial.op;
    std::uint64_t bits = op.constant[i];
    if (op.kind[i] == Source::kVector) {
      bits = trial.state.vgpr[op.src[i] / 4 + lane] |
             (std::uint64_t{trial.state.vgpr[op.src[i] / 4 + 64 + lane]} << 32);
    } else if (op.kind[i] == Source::kScalar) {
      bits = trial.state.wave.scalar64(op.src[i] / 4);
    }
    char one[80];
    std::snprintf(one, sizeof one, " src%u(kind %u)=%016llx", i, static_cast<unsigned>(op.kind[i]),
                  static_cast<unsigned long long>(bits));
    text += one;
  }
  char rest[120];
  std::snprintf(rest, sizeof rest,
                " neg %u abs %u op_sel %u op_sel_hi %u clamp %d omod %u exec %016llx", trial.op.neg,
                trial.op.abs, trial.op.op_sel, trial.op.op_sel_hi, trial.op.clamp, trial.op.omod,
                static_cast<unsigned long long>(trial.state.wave.exec()));
  return text + rest;
}

/// Runs one handler and compares; false after a difference.
bool agrees(const Trial& trial, const State& want, Handler handler) {
  State got(trial.state);
  const Op* next = handler(got.wave, &trial.op);
  EXPECT_EQ(next, &trial.op + trial.op.dwords);
  if (got.same_registers(want)) return true;
  unsigned lane = 0;
  for (unsigned i = 0; i < kRegisters * 64; ++i) {
    if (got.vgpr[i] != want.vgpr[i]) {
      lane = i % 64;
      break;
    }
  }
  ADD_FAILURE() << first_difference(got, want) << "\n" << describe(trial, lane);
  return false;
}

void expect_agreement(const isa::Row& row, Handler own, Handler exact, std::uint64_t seed) {
  SCOPED_TRACE(std::string(row.name));
  const unsigned trials = encoded_sources(row) == 1 ? 150 : 400;
  TrialMaker maker(row, seed);
  for (unsigned i = 0; i < trials; ++i) {
    const Trial trial = maker.make(i % 2 != 0);
    State want(trial.state);
    exact(want.wave, &trial.op);
    if (!agrees(trial, want, own)) return;
  }
}

struct HostFamilies {
  const char* name;
  bool supported;
  void (*append)(Entries&);
};

template <auto... kAppend>
void append_all(Entries& entries) {
  (kAppend(entries), ...);
}

std::vector<HostFamilies> hosts() {
  return {
      {"avx512", __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"),
       append_all<avx512::append_vop1, avx512::append_vop2, avx512::append_vopc,
                  avx512::append_vop3_float, avx512::append_vop3_integer, avx512::append_vop3p>},
      {"avx2", __builtin_cpu_supports("avx2") != 0,
       append_all<avx2::append_vop1, avx2::append_vop2, avx2::append_vopc, avx2::append_vop3_float,
                  avx2::append_vop3_integer, avx2::append_vop3p>},
      {"sse4", true,
       append_all<sse4::append_vop1, sse4::append_vop2, sse4::append_vopc, sse4::append_vop3_float,
                  sse4::append_vop3_integer, sse4::append_vop3p>},
  };
}

Entries reference_rows() {
  Entries entries;
  append_reference(entries);
  return entries;
}

class ValuOnHost : public testing::TestWithParam<HostFamilies> {};

TEST_P(ValuOnHost, EveryRowLeavesTheRegistersThatTheReferenceLeaves) {
  if (!GetParam().supported) GTEST_SKIP() << "this machine has no " << GetParam().name;
  Entries host;
  GetParam().append(host);
  const Entries reference = reference_rows();
  unsigned compared = 0;
  for (const isa::Row& row : isa::catalogue()) {
    const Handler own = host.all()[row.id].usual;
    const Handler exact = reference.all()[row.id].exact;
    if (own == nullptr) {  // strips have no rows of 128 bits
      EXPECT_TRUE(exact == nullptr || row.result.type == isa::Type::kB128) << row.name;
      continue;
    }
    ASSERT_NE(exact, nullptr) << row.name;
    expect_agreement(row, own, exact, 1000 * row.id + 1);
    ++compared;
  }
  EXPECT_NE(compared, 0u);
}

TEST_P(ValuOnHost, RowsOfOneHalfAreRightForEachThatThereIs) {
  if (!GetParam().supported) GTEST_SKIP() << "this machine has no " << GetParam().name;
  Entries host;
  GetParam().append(host);
  const Entries reference = reference_rows();
  unsigned rows = 0;
  for (const isa::Row& row : isa::catalogue()) {
    const Handler own = host.all()[row.id].usual;
    const bool of_one = encoded_sources(row) == 1 && row.sources[0].type == Type::kF16;
    if (own == nullptr || !of_one || row.result.type != Type::kF16) continue;
    SCOPED_TRACE(std::string(row.name));
    ++rows;
    Trial trial = TrialMaker(row, 1).make(false);
    trial.op.kind[0] = Source::kVector;
    trial.op.src[0] = 256 * 10;
    trial.state.wave.set_exec(~std::uint64_t{0});
    for (std::uint32_t first = 0; first < 0x10000; first += 64) {
      for (unsigned lane = 0; lane < 64; ++lane) trial.state.vgpr[64 * 10 + lane] = first + lane;
      State want(trial.state);
      reference.all()[row.id].exact(want.wave, &trial.op);
      if (!agrees(trial, want, own)) break;
    }
  }
  EXPECT_GT(rows, 10u);
}

/// What v_mov_b32 with DPP leaves in v8 for v10, lane by lane (CDNA3 ISA guide, "DPP").
void move_by_lane(State& state, const Op& op) {
  const std::uint64_t exec = state.wave.exec();
  std::uint32_t result[64];
  std::memcpy(result, state.vgpr + 64 * 8, sizeof result);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const int from = dpp_source_lane(op.lanes.dpp_ctrl, lane);
    const bool valid = from >= 0 && ((exec >> from) & 1) != 0;
    const bool selected = ((op.lanes.row_mask >> (lane / 16)) & 1) != 0 &&
                          ((op.lanes.bank_mask >> (lane / 4 % 4)) & 1) != 0;
    if (((exec >> lane) & 1) == 0 || !selected || !(valid || op.lanes.bound_ctrl)) continue;
    result[lane] = valid ? state.vgpr[64 * 10 + from] : 0;
  }
  std::memcpy(state.vgpr + 64 * 8, result, sizeof result);
}

TEST(Dpp, RowsThatNothingIsBroadcastToReadThemselves) {
  const unsigned by_row = 0x142, by_half = 0x143;
  EXPECT_EQ(dpp_source_lane(by_row, 15), 15);
  EXPECT_EQ(dpp_source_lane(by_row, 16), 15);
  EXPECT_EQ(dpp_source_lane(by_row, 63), 47);
  EXPECT_EQ(dpp_source_lane(by_half, 31), 31);
  EXPECT_EQ(dpp_source_lane(by_half, 32), 31);
}

TEST(Dpp, EveryControlMovesWhatItsSourceLanesHoldUnderAnyExecAndMasks) {
  const isa::Row* move = nullptr;
  for (const isa::Row& row : isa::catalogue()) {
    if (row.name == "v_mov_b32") move = &row;
  }
  ASSERT_NE(move, nullptr);
  std::mt19937_64 random(5);
  for (unsigned trial = 0; trial < 512 * 8; ++trial) {
    State state;
    for (auto& dword : state.vgpr) dword = static_cast<std::uint32_t>(random());
    state.wave.vgpr_count = kRegisters - kScratchRows;
    state.wave.set_exec(trial / 512 < 2 ? ~std::uint64_t{0} : random());
    Op op;
    op.row = move->id;
    op.dst = 256 * 8;
    op.kind[0] = Source::kVector;
    op.src[0] = 256 * 10;
    op.lanes.inner = handlers()[move->id].usual;
    op.lanes.dpp_ctrl = static_cast<std::uint16_t>(trial % 512);
    op.lanes.row_mask = static_cast<std::uint8_t>(trial / 512 % 2 == 0 ? 15 : random() & 15);
    op.lanes.bank_mask = static_cast<std::uint8_t>(trial / 512 % 2 == 0 ? 15 : random() & 15);
    op.lanes.bound_ctrl = (random() & 1) != 0;
    State want(state), got(state);
    move_by_lane(want, op);
    EXPECT_EQ(run_dpp(got.wave, &op), &op + op.dwords);
    constexpr std::size_t allocated = 64 * 4 * (kRegisters - kScratchRows);
    ASSERT_EQ(std::memcmp(got.vgpr, want.vgpr, allocated), 0) << "dpp_ctrl " << op.lanes.dpp_ctrl;
    ASSERT_EQ(got.wave.exec(), state.wave.exec());
  }
}

INSTANTIATE_TEST_SUITE_P(Hosts, ValuOnHost, testing::ValuesIn(hosts()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace wavetank::execute
