#include "execute/jit/avx2_moves.hpp"

namespace wavetank::execute::jit {

using Xbyak::CodeGenerator;

const VectorUnit kAvx2Unit{
    .kind = Xbyak::Operand::YMM,
    .lanes = 8,
    .vectors = Avx2Strip::kVectors,
    .masks = 0,
    .ternary = false,
    .last_runs = false,
    .load = &CodeGenerator::vmovdqa,
    .store = &CodeGenerator::vmovdqa,
    .bit_and = &HostCode::and_words,
    .bit_or = &HostCode::or_words,
    .bit_xor = &HostCode::xor_words,
    .round_words = &CodeGenerator::vroundps,
    .round_doubles = &CodeGenerator::vroundpd,
    .new_strip = [](HostCode& host, const Graph& graph, const Plan& plan, bool masked,
                    unsigned strip, unsigned spill_places) -> std::unique_ptr<StripCode> {
      return std::make_unique<Avx2Strip>(host, graph, plan, masked, strip, spill_places);
    },
    .new_moves = [](HostCode& host, const Run& run) -> std::unique_ptr<LaneMoves> {
      return std::make_unique<Avx2Moves>(host, run);
    }};

}  // namespace wavetank::execute::jit
