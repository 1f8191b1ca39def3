// What the model is told of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "target/occupancy.hpp"
#include "timing/memory/address_range.hpp"

namespace wavetank::timing {

struct LaunchSetup {
  std::uint32_t waves_per_group = 1;
  bool grid_in_rows = false;                           ///< more than one row of workgroups
  target::Occupancy occupancy;                         ///< what fits on a CU
  std::uint64_t code_base = 0;                         ///< address of the code
  std::uint64_t kernarg_begin = 0, kernarg_bytes = 0;  ///< addresses of the arguments
  /// StepFacts::offset_bytes of the kernel's first instruction.
  std::uint64_t entry_offset_bytes = 0;
  bool exact = false;  ///< simulate every workgroup
  /// Simulate so many and take the rate at the end for the others; 0: the sampler decides.
  std::uint64_t sampled_workgroups = 0;
  /// How many times as many instructions as those the others issue; 0: it is found out.
  double rest_ratio = 0;
  bool cooperative = false;  ///< workgroups wait for each other: all are simulated
  bool trace = false;        ///< collect the issues of one CU
  std::uint32_t trace_cu = 0;
  std::vector<AddressRange> arrays;  ///< whose traffic is told apart, by address
};

}  // namespace wavetank::timing
