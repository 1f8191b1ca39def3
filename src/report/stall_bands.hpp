// The colours of the stall stack: the same in every picture and in the page.
#pragma once

#include <array>
#include <string_view>

#include "profile/reason.hpp"
#include "report/svg.hpp"

namespace wavetank::report {

/// Reasons of one colour; within a colour the fill is the same and the legend names them together.
struct StallBand {
  std::string_view name;
  std::string_view colour;   ///< on white
  std::string_view on_dark;  ///< on a dark ground
  profile::Reason first, last;
};

inline constexpr std::array<StallBand, 9> kStallBands = [] {
  using enum profile::Reason;
  return std::array<StallBand, 9>{{
      {"vector and matrix instructions", kPalette[2], kPaletteOnDark[2], kIssueValu, kIssueMatrix},
      {"other instructions", kPalette[4], kPaletteOnDark[4], kIssueScalar, kIssueLds},
      {"waiting for vector memory", kPalette[1], kPaletteOnDark[1], kWaitVectorMemory,
       kWaitVectorMemory},
      {"waiting for LDS, scalar memory", kPalette[3], kPaletteOnDark[3], kWaitLds,
       kWaitScalarMemory},
      {"waiting at barriers", kPalette[5], kPaletteOnDark[5], kWaitBarrier, kWaitBarrier},
      {"waiting for results, instructions", kPalette[6], kPaletteOnDark[6], kWaitValu, kWaitFetch},
      {"fences, full pipelines", kPalette[7], kPaletteOnDark[7], kWaitFence, kLdsQueueFull},
      {"ready or asleep", kPalette[0], kPaletteOnDark[0], kNotPicked, kSleep},
      {"no wave in the slot", kEmptyColour, kEmptyOnDark, kEmpty, kEmpty},
  }};
}();

}  // namespace wavetank::report
