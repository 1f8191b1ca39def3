// Operations per second of each matrix row as a loop over K uses it: D is the C of the next, A and
// B change, and C begins at zero now and then. `of_peak` is the part of what independent FMAs of
// the same type reach in the same process (f64 rows: f64; all others: f32); `of_bound` the part of
// what is left of that if D has to come from and go to the first-level cache for each instruction.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "execute/handlers.hpp"
#include "isa/catalogue.hpp"
#include "machine/wave.hpp"
#include "number/convert.hpp"
#include "number/fp8.hpp"
#include "number/fused_dot.hpp"
#include "peak.hpp"

namespace {

using namespace wavetank;
using isa::MatrixElement;

/// Pairs of A and B in registers, and instructions between two zeros of C: no common factor, lest
/// the host learn how branches go.
constexpr unsigned kSets = 8, kChain = 37;
/// First registers of A, B, the index of a sparse A, C and D.
constexpr std::uint32_t kA = 0, kB = 4 * kSets, kIndex = 8 * kSets, kC = kIndex + 1;
constexpr unsigned kRegisters = kC + 32;

struct alignas(64) Registers {
  std::uint32_t at[kRegisters * 64];
};

/// Where the elements of A and B come from.
struct Data {
  const char* name;
  double (*a)(std::mt19937&);
  double (*b)(std::mt19937&);
};

double normal(std::mt19937& random) { return std::normal_distribution<>()(random); }
/// 1.0 to 2.0 with either sign: one exponent.
double one_binade(std::mt19937& random) {
  const double magnitude = std::uniform_real_distribution<>(1, 2)(random);
  return random() % 2 == 0 ? magnitude : -magnitude;
}
double small_integer(std::mt19937& random) { return static_cast<int>(random() % 17) - 8; }
/// As tensors are stored in 8 bits: the largest of some thousands near the format's largest.
double scaled(std::mt19937& random) { return 48 * normal(random); }
/// A weight after softmax over 64 logits of deviation 2.
double softmax(std::mt19937& random) { return std::exp(2 * normal(random)) / (64 * std::exp(2.0)); }
double rectified(std::mt19937& random) { return std::max(normal(random), 0.0); }
/// Normal, with a sixteenth zero and a sixteenth far below: denormal in f16 and 8 bits.
double mixed(std::mt19937& random) {
  const unsigned kind = random() % 16;
  return kind == 0 ? 0 : kind == 1 ? std::ldexp(normal(random), -16) : normal(random);
}

constexpr Data kData[] = {
    {"normal", normal, normal},
    {"one_binade", one_binade, one_binade},
    {"integers", small_integer, small_integer},
    {"scaled", scaled, scaled},
    {"softmax", softmax, normal},
    {"rectified", rectified, normal},
    {"mixed", mixed, mixed},
};

/// The bits of `value` as an element, rounded as the GPU's conversions do.
std::uint64_t encode(MatrixElement element, double value) {
  const number::f32 single{std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  switch (element) {
    case MatrixElement::kF64: return std::bit_cast<std::uint64_t>(value);
    case MatrixElement::kF16: return number::f32_to_f16(single, {}, {}).bits;
    case MatrixElement::kBf16: return (single.bits + 0x7fff + (single.bits >> 16 & 1)) >> 16;
    case MatrixElement::kFp8: return number::f32_to_fp8(single, false).bits;
    case MatrixElement::kBf8: return number::f32_to_bf8(single, false).bits;
    case MatrixElement::kI8: {
      const double limited = std::clamp(std::round(value), -128.0, 127.0);
      return static_cast<std::uint8_t>(static_cast<int>(limited));
    }
    default: return single.bits;
  }
}

void fill(std::uint32_t* registers, unsigned dwords, MatrixElement element,
          double (*next)(std::mt19937&), std::mt19937& random) {
  const unsigned bits = isa::bits_of(element);
  for (unsigned at = 0; at < dwords * 64; ++at) {
    if (bits == 64) {
      if (at / 64 % 2 != 0) continue;
      const std::uint64_t value = encode(element, next(random));
      registers[at] = static_cast<std::uint32_t>(value);
      registers[at + 64] = static_cast<std::uint32_t>(value >> 32);
      continue;
    }
    registers[at] = 0;
    for (unsigned shift = 0; shift < 32; shift += bits) {
      registers[at] |= static_cast<std::uint32_t>(encode(element, next(random))) << shift;
    }
  }
}

const number::FactorFormat* format_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::kF16: return &number::kFactorF16;
    case MatrixElement::kBf16: return &number::kFactorBf16;
    case MatrixElement::kXf32: return &number::kFactorXf32;
    case MatrixElement::kFp8: return &number::kFactorFp8;
    case MatrixElement::kBf8: return &number::kFactorBf8;
    default: return nullptr;
  }
}

/// Exponents from the largest of the elements to their lowest bit that is 1.
int bits_of_factors(const std::uint32_t* registers, unsigned dwords, MatrixElement element) {
  const unsigned bits = isa::bits_of(element);
  const std::uint32_t mask = ~0u >> (32 - bits);
  int largest = -1000, lowest = 1000;
  for (unsigned at = 0; at < dwords * 64; ++at) {
    for (unsigned shift = 0; shift < 32; shift += bits) {
      const number::MatrixFactor factor =
          number::matrix_factor(registers[at] >> shift & mask, *format_of(element));
      if (factor.significand == 0) continue;
      largest = std::max(largest, factor.exponent);
      lowest = std::min(lowest, factor.exponent - number::kFactorFractionBits +
                                    std::countr_zero(factor.significand));
    }
  }
  return largest - lowest;
}

/// Whether products of CDNA3's rule need no cut anywhere.
bool has_few_bits(const isa::MatrixShape& shape, const std::uint32_t* a, const std::uint32_t* b) {
  const int of_a = bits_of_factors(a, shape.a_dwords(), shape.a);
  const int of_b = bits_of_factors(b, shape.b_dwords(), shape.b);
  return of_a <= 14 && of_b <= 14 && of_a + of_b <= 24;
}

void run_chain(benchmark::State& state, const isa::Row& row, const Data& data,
               const bench::HostPeak& peak) {
  const isa::MatrixShape& shape = row.matrix;
  const auto registers = std::make_unique<Registers>();
  std::mt19937 random(1);
  machine::Wave wave;
  wave.vgpr = registers->at;
  wave.vgpr_count = kRegisters;
  execute::Op ops[kSets];
  for (unsigned set = 0; set < kSets; ++set) {
    const std::uint32_t a = kA + 4 * set, b = kB + 4 * set;
    fill(registers->at + a * 64, shape.a_dwords(), shape.a, data.a, random);
    fill(registers->at + b * 64, shape.b_dwords(), shape.b, data.b, random);
    execute::Op& op = ops[set];
    op.row = row.id;
    op.dwords = 2;
    op.src[0] = a * 256, op.src[1] = b * 256, op.src[2] = (shape.sparse ? kIndex : kC) * 256;
    op.dst = kC * 256;
    op.run = execute::handlers()[row.id].usual;
  }
  for (unsigned lane = 0; lane < 64; ++lane) {
    registers->at[kIndex * 64 + lane] = 0x44444444;  // the first two of four
  }
  unsigned few = 0;
  const bool fused =
      shape.rule == isa::MatrixRule::kFusedDot || shape.rule == isa::MatrixRule::kFusedDotEvenOdd;
  for (unsigned set = 0; set < kSets && fused; ++set) {
    few += has_few_bits(shape, registers->at + (kA + 4 * set) * 64,
                        registers->at + (kB + 4 * set) * 64);
  }
  unsigned next = 0;
  for (auto _ : state) {
    if (next % kChain == 0) std::memset(registers->at + kC * 64, 0, 256 * shape.c_dwords());
    const execute::Op& op = ops[next++ % kSets];
    benchmark::DoNotOptimize(op.run(wave, &op));
  }
  const auto count = static_cast<double>(state.iterations());
  const double best = shape.a == MatrixElement::kF64 ? peak.f64 : peak.f32;
  const double shortest =
      std::max(shape.operations() / best, 256.0 * shape.c_dwords() / peak.bytes_through);
  using benchmark::Counter;
  state.counters["operations"] = Counter(shape.operations() * count, Counter::kIsRate);
  state.counters["of_peak_%"] = Counter(100 * shape.operations() * count / best, Counter::kIsRate);
  if (fused) state.counters["few_bits_%"] = 100.0 * few / kSets;
  state.counters["of_bound_%"] = Counter(100 * count * shortest, Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::HostPeak peak = bench::measure_peak();
  std::printf(
      "independent FMAs: f32 %.1f, f64 %.1f thousand million operations a second; "
      "through the L1 cache %.1f thousand million bytes a second\n",
      peak.f32 / 1e9, peak.f64 / 1e9, peak.bytes_through / 1e9);
  for (const isa::Row& row : isa::catalogue()) {
    if (!row.matrix.present()) continue;
    for (const Data& data : kData) {
      const std::string name = std::string(row.name) + "/" + data.name;
      benchmark::RegisterBenchmark(name.c_str(), [&row, &data, &peak](benchmark::State& state) {
        run_chain(state, row, data, peak);
      });
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
