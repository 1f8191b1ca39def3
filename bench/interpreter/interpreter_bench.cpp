// Wave-instructions per second of the interpreter, by instruction class: 192 instructions, each of
// which reads the result that it overwrites, of 16 instructions before, so that none is computed in
// vain; as many times as the benchmark asks; by handlers with all lanes and half of them active,
// and as compiled blocks, also with a NaN in one lane of 64.
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

constexpr unsigned kInstructions = 192, kResults = 16, kSources = 16;
/// Sources, and room for results of 64 bits.
constexpr unsigned kVgprs = kSources + 2 * kResults;

/// Instruction `place` of the block. Sources are the lower registers, which stay as they are, but
/// one: source 0, or where that is 32 bits and the result 64 the last one, is the result's old
/// value.
encoding::Instruction random_instruction(const isa::Row& row, unsigned place,
                                         std::mt19937& random) {
  const auto vgpr = [&](isa::Type type) {
    const unsigned dwords = isa::dwords_of(type);
    return static_cast<std::uint16_t>(code::kVgpr0 + random() % (kSources / dwords) * dwords);
  };
  encoding::Instruction instruction;
  instruction.row = &row;
  const bool vop3 = row.encoding.format == isa::Format::kVop3;
  const bool vop3p = row.encoding.format == isa::Format::kVop3p;
  instruction.form = vop3 ? encoding::Form::kVop3 : encoding::Form::kPlain;
  instruction.dwords = vop3 || vop3p ? 2 : 1;
  if (vop3p) instruction.op_sel_hi = 7;
  const auto result = static_cast<std::uint16_t>(code::kVgpr0 + kSources + 2 * (place % kResults));
  if (row.result.type != isa::Type::kNone) instruction.dst = result;
  if (row.mask_result) instruction.sdst = code::kVcc;
  unsigned index = 0;
  for (const isa::Operand& operand : row.sources) {
    if (operand.type == isa::Type::kNone || operand.role != isa::Role::kSource) continue;
    instruction.src[index++] =
        operand.type == isa::Type::kMask ? std::uint16_t{code::kVcc} : vgpr(operand.type);
  }
  const bool widens = row.sources[0].type != row.result.type && index > 1;
  if (row.result.type != isa::Type::kNone) instruction.src[widens ? index - 1 : 0] = result;
  return instruction;
}

/// What SDWA or DPP adds to an instruction.
using Change = void (*)(encoding::Instruction&);
void no_change(encoding::Instruction&) {}
/// The upper halves of both sources, to the lower half of the result.
void with_sdwa(encoding::Instruction& instruction) {
  instruction.form = encoding::Form::kSdwa;
  instruction.dwords = 2;
  instruction.src_sel[0] = instruction.src_sel[1] = 5;
  instruction.dst_sel = 6;
}
/// Source 0 from the lane before, in rows of 16.
void with_dpp(encoding::Instruction& instruction) {
  instruction.form = encoding::Form::kDpp;
  instruction.dwords = 2;
  instruction.dpp_ctrl = 0x111;
  instruction.row_mask = instruction.bank_mask = 15;
  instruction.bound_ctrl = true;
}

std::vector<std::uint32_t> make_blocks(const std::vector<std::string>& mnemonics, Change change) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  // Results begin as sources, or floats would run off.
  for (unsigned i = 0; i < 2 * kResults; ++i) {
    encoding::Instruction move;
    move.row = isa::find_row("v_mov_b32", isa::kGfx90a);
    move.dwords = 1;
    move.dst = static_cast<std::uint16_t>(code::kVgpr0 + kSources + i);
    move.src[0] = static_cast<std::uint16_t>(code::kVgpr0 + i % kSources);
    words.push_back(encoding::encode(move, isa::kGfx90a).dwords[0]);
  }
  for (unsigned i = 0; i < kInstructions; ++i) {
    // The same instruction for each result, so that floats stay floats.
    const std::string& mnemonic = mnemonics[i % kResults % mnemonics.size()];
    const isa::Row* row = isa::find_row(mnemonic, isa::kGfx90a);
    encoding::Instruction instruction = random_instruction(*row, i, random);
    change(instruction);
    const auto bytes = encoding::encode(instruction, isa::kGfx90a);
    words.insert(words.end(), bytes.dwords.begin(), bytes.dwords.begin() + bytes.count);
  }
  // Behind s_getreg_b32, of which compiled code knows nothing, anybody may read all results.
  words.push_back(0xb880f801);
  words.push_back(0xbf810000);  // s_endpgm
  return words;
}

/// What it takes to make a program of code, compiled or not.
void translate(benchmark::State& state, const std::vector<std::string>& mnemonics, bool compile) {
  const std::vector<std::uint32_t> words = make_blocks(mnemonics, no_change);
  execute::ProgramSpec spec;
  spec.code = reinterpret_cast<const std::byte*>(words.data());
  spec.code_bytes = 4 * words.size();
  spec.entry = reinterpret_cast<std::uint64_t>(words.data());
  spec.vgpr_count = kVgprs;
  spec.compiled = compile ? execute::Compiled::kChains : execute::Compiled::kNothing;
  for (auto _ : state) benchmark::DoNotOptimize(execute::Program::translate(spec));
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * (kInstructions + 2 * kResults),
                         benchmark::Counter::kIsRate);
}

/// Of halves, words and doubles.
constexpr std::uint32_t kNan = 0x7fff7fff;

void run_block(benchmark::State& state, const std::vector<std::string>& mnemonics, Change change,
               std::uint64_t exec, bool compile, bool with_nan = false) {
  const std::vector<std::uint32_t> words = make_blocks(mnemonics, change);
  execute::ProgramSpec spec;
  spec.code = reinterpret_cast<const std::byte*>(words.data());
  spec.code_bytes = 4 * words.size();
  spec.entry = reinterpret_cast<std::uint64_t>(words.data());
  spec.vgpr_count = kVgprs;
  spec.compiled = compile ? execute::Compiled::kChains : execute::Compiled::kNothing;
  auto program = execute::Program::translate(spec);
  if (!program) return state.SkipWithError(program.error().to_text().c_str());
  const std::size_t dwords = std::size_t{64} * (kVgprs + execute::kScratchRows);
  std::vector<std::uint32_t> storage(dwords + 16);
  auto* aligned = reinterpret_cast<std::uint32_t*>(
      (reinterpret_cast<std::uintptr_t>(storage.data()) + 63) / 64 * 64);
  for (std::size_t i = 0; i < dwords; ++i) aligned[i] = 0x3f800000u + static_cast<std::uint32_t>(i);
  for (std::size_t lane = 20; with_nan && lane < dwords; lane += 64) aligned[lane] = kNan;
  machine::Wave wave;
  wave.vgpr = aligned;
  wave.vgpr_count = kVgprs;
  wave.program = program->get();
  wave.mode.bits = 0x3f0;
  dispatch::take_faults();
  for (auto _ : state) {
    wave.set_exec(exec);
    wave.next = (*program)->entry();
    wave.stop = machine::Stop::kRunning;
    dispatch::run_until_stop({&wave, 1});
    benchmark::DoNotOptimize(aligned[0]);
  }
  state.counters["instructions/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * kInstructions, benchmark::Counter::kIsRate);
}

void add(const char* name, std::vector<std::string> mnemonics, Change change = no_change) {
  const std::string base = name;
  benchmark::RegisterBenchmark((base + "/all_lanes").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, change, ~std::uint64_t{0}, false);
  });
  benchmark::RegisterBenchmark((base + "/half_lanes").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, change, 0x5555555555555555u, false);
  });
  benchmark::RegisterBenchmark((base + "/compiled").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, change, ~std::uint64_t{0}, true);
  });
  benchmark::RegisterBenchmark((base + "/compiled_half").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, change, 0x5555555555555555u, true);
  });
  benchmark::RegisterBenchmark((base + "/compiled_nan").c_str(), [=](benchmark::State& state) {
    run_block(state, mnemonics, change, ~std::uint64_t{0}, true, true);
  });
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> mixed{"v_add_f32",     "v_mul_f32",    "v_fma_f32", "v_max_f32",
                                       "v_add_u32",     "v_sub_u32",    "v_and_b32", "v_xor_b32",
                                       "v_cndmask_b32", "v_lshlrev_b32"};
  benchmark::RegisterBenchmark("translation/handlers",
                               [=](benchmark::State& state) { translate(state, mixed, false); });
  benchmark::RegisterBenchmark("translation/compiled",
                               [=](benchmark::State& state) { translate(state, mixed, true); });
  // No accumulating float row here: its old value would be an integer result, often a denormal.
  add("mixed_valu", mixed);
  add("f32_add", {"v_add_f32"});
  add("f32_fmac", {"v_fmac_f32"});
  add("f32_fma_vop3", {"v_fma_f32"});
  add("f64_fma", {"v_fma_f64"});
  add("i32_add", {"v_add_u32"});
  add("i32_mul_lo", {"v_mul_lo_u32"});
  add("mad_u64_u32", {"v_mad_u64_u32"});
  add("compare", {"v_cmp_lt_f32", "v_cmp_gt_u32"});
  add("convert", {"v_cvt_f32_u32", "v_cvt_u32_f32"});
  add("division",
      {"v_div_scale_f32", "v_rcp_f32", "v_fma_f32", "v_div_fmas_f32", "v_div_fixup_f32"});
  add("division_f64",
      {"v_div_scale_f64", "v_rcp_f64", "v_fma_f64", "v_div_fmas_f64", "v_div_fixup_f64"});
  add("square_root", {"v_sqrt_f32"});
  add("sdwa", {"v_add_u32", "v_and_b32", "v_max_i32"}, with_sdwa);
  add("dpp", {"v_add_u32", "v_add_f32", "v_max_i32"}, with_dpp);
  add("packed_f16", {"v_pk_fma_f16", "v_pk_add_f16", "v_pk_mul_f16"});
  add("packed_i16", {"v_pk_add_u16", "v_pk_mad_i16", "v_pk_max_i16"});
  add("f16", {"v_add_f16", "v_mul_f16", "v_fma_f16"});
  add("exponential", {"v_exp_f32"});
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
