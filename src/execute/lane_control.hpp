// SDWA and DPP: the two forms that move bits between lanes or within a lane before and after a
// row's own arithmetic (CDNA3 ISA guide, "SDWA" and "DPP"). Both wrap the row's usual handler.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Vector registers past a wave's allocation that these forms use as scratch: two sources, or both
/// dwords of one, and both dwords of a result.
inline constexpr unsigned kScratchRows = 4;

/// Runs Op::lanes.inner with sub-dword selection of sources and destination. A constant source's
/// bits stand in Op::src.
const Op* run_sdwa(machine::Wave& wave, const Op* op);
/// Runs Op::lanes.inner with source 0 taken from other lanes.
const Op* run_dpp(machine::Wave& wave, const Op* op);

/// The bits that an SDWA selector (SEL) names: a byte, a half or all of a dword.
struct SdwaField {
  unsigned shift = 0, width = 32;
  explicit SdwaField(unsigned select);
  std::uint32_t mask() const { return (width == 32 ? ~0u : (1u << width) - 1) << shift; }
};

/// The lane that lane `lane` reads under a DPP control, or -1 where there is none.
int dpp_source_lane(unsigned dpp_ctrl, unsigned lane);

}  // namespace wavetank::execute
