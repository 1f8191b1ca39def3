#include "execute/jit/avx512_moves.hpp"

namespace wavetank::execute::jit {

using Xbyak::CodeGenerator;

const VectorUnit kAvx512Unit{
    .kind = Xbyak::Operand::ZMM,
    .lanes = 16,
    .vectors = Avx512Strip::kZmms,
    .masks = Avx512Strip::kMasks,
    .ternary = true,
    .last_runs = true,
    .load = &CodeGenerator::vmovdqa32,
    .store = &CodeGenerator::vmovdqa32,
    .bit_and = &CodeGenerator::vpandd,
    .bit_or = &CodeGenerator::vpord,
    .bit_xor = &CodeGenerator::vpxord,
    .round_words = &CodeGenerator::vrndscaleps,
    .round_doubles = &CodeGenerator::vrndscalepd,
    .new_strip = [](HostCode& host, const Graph& graph, const Plan& plan, bool masked,
                    unsigned strip, unsigned spill_places) -> std::unique_ptr<StripCode> {
      return std::make_unique<Avx512Strip>(host, graph, plan, masked, strip, spill_places);
    },
    .new_moves = [](HostCode& host, const Run& run) -> std::unique_ptr<LaneMoves> {
      return std::make_unique<Avx512Moves>(host, run);
    }};

}  // namespace wavetank::execute::jit
