// Vector instructions that look across lanes, or move single registers. A body gets `lanes`: the
// sources and the result of the running op (execute/whole_wave.cpp).
#pragma once

#include <bit>
#include <cstdint>

#include "isa/define.hpp"

namespace wavetank::isa {

/// The lane that v_readfirstlane_b32 reads: the first active one, or 0 if none is.
constexpr unsigned first_lane(std::uint64_t exec) {
  return exec == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec));
}

inline constexpr auto kCrossLane = table(
    whole_wave<void()>("v_nop", "Does nothing.", vop1(0), [](auto&) {}),
    whole_wave<U32(Vgpr<U32>)>(
        "v_readfirstlane_b32", "Reads the first active lane.", vop1(2).only_e32(),
        [](auto& lanes) { lanes.set_scalar(lanes.source(0, first_lane(lanes.exec()))); })
        .means(Meaning::kFirstLane)
        .to_sgpr(),
    whole_wave<void()>("v_clrexcp", "Clears the exception flags.", vop1(53), [](auto&) {}),
    whole_wave<Acc<U32>(Acc<U32>)>(
        "v_accvgpr_mov_b32", "Copies an AccVGPR.", vop1(82).only_e32(),
        [](auto& lanes) { lanes.for_each([&](unsigned l) { lanes.set(l, lanes.source(0, l)); }); }),
    whole_wave<U32(Vgpr<U32>)>("v_swap_b32", "Exchanges two registers.", vop1(81).only_e32(),
                               [](auto& lanes) {
                                 lanes.for_each([&](unsigned l) {
                                   const auto old = lanes.result(l);
                                   lanes.set(l, lanes.source(0, l));
                                   lanes.set_source(0, l, old);
                                 });
                               })
        .means(Meaning::kSwap),
    whole_wave<U32(Vgpr<U32>, Uniform<U32>)>(
        "v_readlane_b32", "Reads lane src1[5:0].", vop3(649),
        [](auto& lanes) { lanes.set_scalar(lanes.source(0, lanes.uniform(1) & 63)); })
        .means(Meaning::kFirstLane)
        .to_sgpr(),
    whole_wave<U32(Uniform<U32>, Uniform<U32>)>(
        "v_writelane_b32", "Writes src0 to lane src1[5:0].", vop3(650),
        [](auto& lanes) { lanes.set(lanes.uniform(1) & 63, lanes.uniform(0)); })
        .to_lane(),
    whole_wave<U32(Acc<U32>)>(
        "v_accvgpr_read_b32", "Copies an AccVGPR to an ArchVGPR.", vop3p(88),
        [](auto& lanes) { lanes.for_each([&](unsigned l) { lanes.set(l, lanes.source(0, l)); }); })
        .means(Meaning::kAccumulatorRead),
    whole_wave<Acc<U32>(U32)>(
        "v_accvgpr_write_b32", "Copies to an AccVGPR.", vop3p(89),
        [](auto& lanes) { lanes.for_each([&](unsigned l) { lanes.set(l, lanes.source(0, l)); }); })
        .means(Meaning::kAccumulatorWrite));

inline constexpr auto kWholeWaveTables = tables(kCrossLane);

}  // namespace wavetank::isa
