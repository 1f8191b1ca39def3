// Operations per second of each matrix row in a chain: D is the C of the next.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>

#include "execute/handlers.hpp"
#include "isa/catalogue.hpp"
#include "machine/wave.hpp"

namespace {

using namespace wavetank;

constexpr unsigned kRegisters = 64;
/// First registers of A, B, the index of a sparse A, C and D.
constexpr std::uint32_t kA = 0, kB = 4, kIndex = 8, kC = 16;

struct alignas(64) Registers {
  std::uint32_t at[kRegisters * 64];
};

/// Numbers near 1/100 in every format, so that no denormal, infinity or NaN slows the host.
void fill(Registers& registers) {
  std::mt19937 random(1);
  for (std::uint32_t& dword : registers.at) {
    dword = 0x3c3c3c3c ^ (static_cast<std::uint32_t>(random()) & 0x83038303);
  }
}

void run_chain(benchmark::State& state, const isa::Row& row) {
  const auto registers = std::make_unique<Registers>();
  fill(*registers);
  machine::Wave wave;
  wave.vgpr = registers->at;
  wave.vgpr_count = kRegisters;
  execute::Op op;
  op.row = row.id;
  op.dwords = 2;
  op.src[0] = kA * 256, op.src[1] = kB * 256;
  op.src[2] = (row.matrix.sparse ? kIndex : kC) * 256;
  op.dst = kC * 256;
  op.run = execute::handlers()[row.id].plain;
  for (auto _ : state) {
    benchmark::DoNotOptimize(op.run(wave, &op));
  }
  const double operations = row.matrix.operations() * static_cast<double>(state.iterations());
  state.counters["operations"] = benchmark::Counter(operations, benchmark::Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  for (const isa::Row& row : isa::catalogue()) {
    if (!row.matrix.present()) continue;
    const std::string name(row.name);
    benchmark::RegisterBenchmark(name.c_str(), [&row](benchmark::State& state) {
      run_chain(state, row);
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
