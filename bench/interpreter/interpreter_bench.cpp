// Wave-instructions per second of the interpreter, by instruction class: straight-line blocks of 200
// instructions over 32 registers, as many times as the benchmark asks; by handlers with all lanes and
// half of them active, and as compiled blocks.
//
//   bench_interpreter --benchmark_counters_tabular=true
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "dispatch/fault_guard.hpp"
#include "encoding/encoder.hpp"
#include "execute/lane_control.hpp"
#include "execute/program.hpp"
#include "isa/catalogue.hpp"

namespace {

using namespace wavetank;
namespace code = encoding::operand;

constexpr unsigned kBlockInstructions = 200, kVgprs = 32;

/// A random instruction of a row. Sources are the lower registers and results the upper ones, so that
/// floats do not run off to infinity and NaN, which no ordinary kernel computes with.
encoding::Instruction random_instruction(const isa::Row& row, std::mt19937& random) {
  const auto vgpr = [&](isa::Type type, unsigned first = 0) {
    const unsigned dwords = isa::dwords_of(type);
    return static_cast<std::uint16_t>(code::kVgpr0 + first +
                                      random() % (kVgprs / 2 / dwords) * dwords);
  };
  encoding::Instruction instruction;
  instruction.row = &row;
  const bool vop3 = row.encoding.format == isa::Format::kVop3;
  instruction.form = vop3 ? encoding::Form::kVop3 : encoding::Form::kPlain;
  instruction.dwords = vop3 ? 2 : 1;
  if (row.result.type != isa::Type::kNone) instruction.dst = vgpr(row.result.type, kVgprs / 2);
  if (row.mask_result) instruction.sdst = code::kVcc;
  unsigned index = 0;
  for (const isa::Operand& operand : row.sources) {
    if (operand.type == isa::Type::kNone || operand.role != isa::Role::kSource) continue;
    instruction.src[index++] =
        operand.type == isa::Type::kMask ? std::uint16_t{code::kVcc} : vgpr(operand.type);
  }
  return instruction;
}

std::vector<std::uint32_t> make_block(const std::vector<std::string>& mnemonics) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < kBlockInstructions; ++i) {
    const isa::Row* row = isa::find_row(mnemonics[i % mnemonics.size()], isa::Targets::kGfx90a);
    const auto bytes = encoding::encode(random_instruction(*row, random), isa::Targets::kGfx90a);
    words.insert(words.end(), bytes.dwords.begin(), bytes.dwords.begin() + bytes.count);
  }
  words.push_back(0xbf810000);  // s_endpgm
  return words;
}

void run_block(benchmark::State& state, const std::vector<std::string>& mnemonics,
               std::uint64_t exec, bool compile) {
  const std::vector<std::uint32_t> words = make_block(mnemonics);
  execute::ProgramSpec spec;
  spec.code = reinterpret_cast<const std::byte*>(words.data());
  spec.code_bytes = 4 * words.size();
  spec.entry = reinterpret_cast<std::uint64_t>(words.data());
  spec.vgpr_count = kVgprs;
  spec.compile_blocks = compile;
  auto program = execute::Program::translate(spec);
  if (!program) return state.SkipWithError(program.error().to_text().c_str());
  const std::size_t dwords = std::size_t{64} * (kVgprs + execute::kScratchRows);
  std::vector<std::uint32_t> storage(dwords + 16);
  auto* aligned = reinterpret_cast<std::uint32_t*>(
      (reinterpret_cast<std::uintptr_t>(storage.data()) + 63) / 64 * 64);
  for (std::size_t i = 0; i < dwords; ++i) aligned[i] = 0x3f800000u + static_cast<std::uint32_t>(i);
  machine::Wave wave;
  wave.vgpr = aligned;
  wave.vgpr_count = kVgprs;
  wave.program = program->get();
  wave.mode.bits = 0x3f0;
  dispatch::take_faults();
  for (auto _ : state) {
    wave.set_exec(exec);
    wave.next = (*program)->entry();
    machine::Wave* const waves[] = {&wave};
    dispatch::run_until_stop(waves);
    benchmark::DoNotOptimize(aligned[0]);
  }
  state.counters["instructions/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * kBlockInstructions, benchmark::Counter::kIsRate);
}

void add(const char* name, std::vector<std::string> mnemonics) {
  const std::string base = name;
  benchmark::RegisterBenchmark((base + "/all_lanes").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, ~std::uint64_t{0}, false);
  });
  benchmark::RegisterBenchmark((base + "/half_lanes").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, 0x5555555555555555u, false);
  });
  benchmark::RegisterBenchmark((base + "/compiled").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, ~std::uint64_t{0}, true);
  });
  benchmark::RegisterBenchmark((base + "/compiled_half").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, 0x5555555555555555u, true);
  });
}

}  // namespace

int main(int count, char** arguments) {
  // No accumulating float row here: its old value would be an integer result, often a denormal.
  add("mixed_valu", {"v_add_f32", "v_mul_f32", "v_fma_f32", "v_max_f32", "v_add_u32", "v_sub_u32",
                     "v_lshlrev_b32", "v_and_b32", "v_xor_b32", "v_cndmask_b32"});
  add("f32_add", {"v_add_f32"});
  add("f32_fmac", {"v_fmac_f32"});
  add("f32_fma_vop3", {"v_fma_f32"});
  add("f64_fma", {"v_fma_f64"});
  add("i32_add", {"v_add_u32"});
  add("i32_mul_lo", {"v_mul_lo_u32"});
  add("mad_u64_u32", {"v_mad_u64_u32"});
  add("compare", {"v_cmp_lt_f32", "v_cmp_gt_u32"});
  add("convert", {"v_cvt_f32_u32", "v_cvt_u32_f32"});
  add("division", {"v_div_scale_f32", "v_rcp_f32", "v_fma_f32", "v_div_fmas_f32", "v_div_fixup_f32"});
  add("division_f64",
      {"v_div_scale_f64", "v_rcp_f64", "v_fma_f64", "v_div_fmas_f64", "v_div_fixup_f64"});
  add("square_root", {"v_sqrt_f32"});
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
